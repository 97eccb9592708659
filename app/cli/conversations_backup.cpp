// `perilune-cli conversations backup` and `restore-backup`.
#include "app/cli/conversations_actions.h"
#include "app/cli/terminal_text.h"

#include <unistd.h>

#include <iostream>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;
using Options = ConversationOptions;

/// Tells a terminal how far the copying is, and stops it at Ctrl-C.
BackupStep progressOf(const char *doing)
{
    return [doing, shown = isatty(STDERR_FILENO) != 0](std::uint64_t done, std::uint64_t all) -> Status {
        if (shown && (done % 20 == 0 || done == all))
            std::cerr << "\r\033[K" << doing << ": medium " << done << " of " << all
                      << (done == all ? "\r\033[K" : "") << std::flush;
        if (interrupted().stop_requested())
            return Error{ErrorCode::Cancelled, std::string(doing) + " was stopped"};
        return Done{};
    };
}

int tell(const Options &options, const Result<BackupReport> &report, const std::string &folder)
{
    if (!report)
        return fail(report.error());
    for (const std::string &fault : report->faults)
        std::cerr << "perilune-cli: " << forTerminal(fault) << '\n';
    if (options.common.json)
        printJson({
            {"folder",        folder               },
            {"conversations", report->conversations},
            {"messages",      report->messages     },
            {"media",         report->media        },
            {"bytes",         report->bytes        },
            {"faults",        report->faults       }
        });
    else
        std::cout << report->conversations << " conversations, " << report->messages << " messages, "
                  << report->media << " media files are in " << forTerminal(folder) << '\n';
    return report->faults.empty() ? kDone : kBadInput;
}

int backup(ConversationStore &store, const Options &options)
{
    return tell(options, store.backup(options.folder, progressOf("the backup")), options.folder);
}

int restoreFrom(const Options &options)
{
    const std::string folder = dataFolder(options.common);
    return tell(options, restoreBackup(options.folder, folder, progressOf("restoring")), folder);
}

} // namespace

void addBackupActions(const ActionTarget &target)
{
    addAction(
        target, "backup",
        "Copies everything to another folder, with a manifest. JSON: "
        "{folder,conversations,messages,media,bytes,faults}; status 3 where media are missing or damaged",
        backup)
        ->add_option("FOLDER", target.options->folder, "where the copy goes")
        ->required();
    // Without addAction: that would make an empty store where the backup goes.
    CLI::App *restoring = target.parent->add_subcommand(
        "restore-backup", "Puts a backup where --data says, if there are no conversations yet; checks it "
                          "against its manifest. JSON "
                          "as of backup");
    restoring->fallthrough();
    restoring->add_option("FOLDER", target.options->folder, "the backup")->required();
    restoring->callback(
        [options = target.options, run = target.run] { *run = [options] { return restoreFrom(*options); }; });
}

} // namespace perilune::cli
