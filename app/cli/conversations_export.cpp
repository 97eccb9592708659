// `perilune-cli conversations export` and `import`.
#include "app/cli/conversations_actions.h"
#include "app/cli/terminal_text.h"
#include "app/publish/import_file.h"
#include "app/publish/publish.h"
#include "app/typeset/formula_drawer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>

namespace perilune::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Options = ConversationOptions;

/// What was typed contradicts itself.
int failUsage(const std::string &message)
{
    (void)fail({ErrorCode::InvalidInput, message});
    return kUsage;
}

/// JSON is for keeping and has all of it, the others are for reading; the person's word goes before both.
PublishOptions publishOptions(const Options &options)
{
    PublishOptions publish;
    publish.format = formatFromName(options.format).value_or(ExportFormat::Markdown);
    const bool json = publish.format == ExportFormat::Json;
    publish.choices.allBranches = options.allBranches.value_or(json);
    publish.choices.thinking = options.thinking.value_or(json);
    publish.choices.toolCalls = options.toolCalls.value_or(true);
    publish.choices.statistics = options.statistics.value_or(json);
    publish.stop = interrupted();
    if (publish.format == ExportFormat::Html || publish.format == ExportFormat::Pdf)
        publish.formula = formulaDrawer(publish.stop);
    return publish;
}

/// Says how far an export is, on a terminal that shows only the last of it.
void showProgress(PublishOptions &options, const std::string &what)
{
    if (isatty(STDERR_FILENO) == 0)
        return;
    options.progress = [what](std::size_t done, std::size_t all) {
        if (done % 50 == 0 || done == all)
            std::cerr << "\r\033[K" << what << ": message " << done << " of " << all << std::flush;
        if (done == all)
            std::cerr << "\r\033[K" << std::flush;
    };
}

/// The conversations that the options name, in the order in which they are named.
Result<std::vector<ConversationId>> idsOf(ConversationStore &store, const Options &options)
{
    std::vector<ConversationId> ids = options.ids;
    const bool some = !options.folder.empty() || !options.tag.empty();
    if (!some && !options.all) {
        return ids;
    }
    const Result<FolderId> folder = folderNamed(store, options.folder);
    if (!folder)
        return folder.error();
    const Result<std::vector<ConversationRow>> rows = store.list();
    if (!rows)
        return rows.error();
    for (const ConversationRow &row : *rows) {
        const bool in = *folder == 0 || row.folder == *folder;
        const bool tagged = options.tag.empty() || std::ranges::find(row.tags, options.tag) != row.tags.end();
        if (in && tagged && std::ranges::find(ids, row.id) == ids.end())
            ids.push_back(row.id);
    }
    return ids;
}

void printNotes(const Published &published)
{
    for (const std::string &note : published.notes)
        std::cerr << "perilune-cli: " << forTerminal(note) << '\n';
}

int exportToOutput(ConversationStore &store, ConversationId id, const PublishOptions &publish)
{
    const Result<ChatToPublish> chat = loadChat(store, id);
    if (!chat)
        return fail(chat.error());
    // A terminal would obey what a model wrote; a file or pipe gets every byte.
    TerminalText shown;
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    const auto write = [&shown, terminal](std::string_view bytes) -> Status {
        const std::string safe = terminal ? shown.add(bytes) : std::string();
        if (terminal)
            bytes = safe;
        if (!std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
            return Error{errno == ENOSPC ? ErrorCode::NoSpace : ErrorCode::Io,
                         "standard output can't be written"};
        return Done{};
    };
    const Result<Published> published = publishTo(write, *chat, publish);
    std::cout << shown.end() << std::flush;
    if (!published)
        return fail(published.error());
    printNotes(*published);
    return kDone;
}

Result<Published> exportToFile(ConversationStore &store, ConversationId id, PublishOptions publish,
                               const std::function<fs::path(const ConversationRow &)> &placeOf)
{
    const Result<ChatToPublish> chat = loadChat(store, id);
    if (!chat)
        return chat.error();
    showProgress(publish, "chat " + std::to_string(id));
    Result<Published> published = publishChat(*chat, publish, placeOf(chat->conversation.row));
    if (!published && isatty(STDERR_FILENO) != 0)
        std::cerr << "\r\033[K" << std::flush;
    return published;
}

/// A file of its own for each, in the folder --out; one that fails doesn't keep the others.
int exportMany(ConversationStore &store, const Options &options, const std::vector<ConversationId> &ids)
{
    std::error_code failed;
    fs::create_directories(options.out, failed);
    if (failed)
        return fail({failed == std::errc::no_space_on_device ? ErrorCode::NoSpace : ErrorCode::InvalidInput,
                     "the folder " + options.out + " can't be made: " + failed.message()});
    const PublishOptions publish = publishOptions(options);
    Json done = Json::array();
    Json faults = Json::array();
    int status = kDone;
    for (const ConversationId id : ids) {
        const Result<Published> published =
            exportToFile(store, id, publish, [&options, &publish](const ConversationRow &row) {
                return freePlace(options.out, row, publish.format);
            });
        if (!published) {
            status = fail(Error(published.error()).during("conversation " + std::to_string(id)));
            faults.push_back({
                {"id",    std::to_string(id)       },
                {"error", published.error().message}
            });
            if (status == kInterrupted || published.error().code == ErrorCode::NoSpace)
                break; // it would be no better with the next
            continue;
        }
        printNotes(*published);
        done.push_back({
            {"id",   std::to_string(id)      },
            {"file", published->file.string()}
        });
        if (!options.common.json)
            std::cout << forTerminal(published->file.string()) << '\n';
    }
    if (options.common.json)
        printJson({
            {"format",   options.format},
            {"exported", done          },
            {"failed",   faults        }
        });
    return status;
}

int exportAction(ConversationStore &store, const Options &options)
{
    if (options.ids.empty() && options.folder.empty() && options.tag.empty() && !options.all)
        return failUsage("name conversations by number, or with --folder, --tag or --all");
    const Result<std::vector<ConversationId>> ids = idsOf(store, options);
    if (!ids)
        return fail(ids.error());
    std::error_code ignored;
    const bool many = ids->size() != 1 || !options.folder.empty() || !options.tag.empty() || options.all ||
                      fs::is_directory(options.out, ignored);
    if (many && options.out.empty())
        return failUsage("several conversations need --out FOLDER");
    if (many)
        return exportMany(store, options, *ids);
    if (options.out.empty())
        return exportToOutput(store, ids->front(), publishOptions(options));
    const Result<Published> published =
        exportToFile(store, ids->front(), publishOptions(options),
                     [&options](const ConversationRow &) { return options.out; });
    if (!published)
        return fail(published.error());
    printNotes(*published);
    if (options.common.json)
        printJson({
            {"id",     std::to_string(ids->front())},
            {"format", options.format              },
            {"file",   options.out                 }
        });
    return kDone;
}

int importAction(ConversationStore &store, const Options &options)
{
    const std::vector<std::string> files = importableFiles(options.files);
    const bool one = files.size() == 1 && options.files.size() == 1 && files == options.files;
    Json done = Json::array();
    Json faults = Json::array();
    int status = kDone;
    for (const std::string &file : files) {
        if (interrupted().stop_requested()) {
            status = kInterrupted;
            break;
        }
        const Result<ImportedFile> imported = importFile(store, file);
        if (!imported) {
            const Error why = whyUnreadable(imported.error(), file);
            status = fail(why);
            faults.push_back({
                {"file",  file       },
                {"error", why.message}
            });
            if (why.code == ErrorCode::NoSpace)
                break;
            continue;
        }
        if (!imported->note.empty())
            std::cerr << "perilune-cli: " << forTerminal(imported->note) << '\n';
        done.push_back({
            {"file", file                        },
            {"id",   std::to_string(imported->id)}
        });
        if (!options.common.json)
            std::cout << imported->id << (one ? "" : "\t" + forTerminal(file)) << '\n';
    }
    if (!options.common.json || (one && status != kDone))
        return status;
    if (one)
        printJson({
            {"id", done[0]["id"]}
        });
    else
        printJson({
            {"imported", done  },
            {"failed",   faults}
        });
    return status;
}

using Flag = std::pair<const char *, const char *>;

/// Two flags of which the last one given counts; none where neither is.
void addChoice(CLI::App &command, const Flag &yes, const Flag &no, std::optional<bool> &choice)
{
    command.add_flag_callback(yes.first, [&choice] { choice = true; }, yes.second);
    command.add_flag_callback(no.first, [&choice] { choice = false; }, no.second);
}

} // namespace

void addExportActions(const ActionTarget &target)
{
    Options &options = *target.options;
    CLI::App *exporting =
        addAction(target, "export",
                  "Writes conversations as documents, each whole or not at all. One, with --out FILE, JSON: "
                  "{id,format,file}; several, or --out naming a folder, a file each, JSON: "
                  "{format,exported:[{id,file}],failed:[{id,error}]}",
                  exportAction);
    exporting->add_option("ID", options.ids, "numbers of conversations, as list prints them");
    exporting->add_option("--folder", options.folder, "those in this folder");
    exporting->add_option("--tag", options.tag, "those with this tag");
    exporting->add_flag("--all", options.all, "all of them");
    exporting
        ->add_option(
            "--format", options.format,
            "markdown (media in a folder beside it), html (one file with all in it), pdf, or json (for "
            "import; app/export/json.h documents it)")
        ->check(CLI::IsMember({"markdown", "html", "json", "pdf"}));
    exporting->add_option("--out", options.out, "the file or folder; without it, standard output");
    addChoice(*exporting, {"--all-branches", "all branches, as json has them by itself"},
              {"--visible-branch", "the branch in view, as the others have it by themselves"},
              options.allBranches);
    addChoice(*exporting, {"--thinking", "with what the model thought, as json has it by itself"},
              {"--no-thinking", "without that"}, options.thinking);
    addChoice(*exporting, {"--tool-calls", "with calls of tools and their results (the default)"},
              {"--no-tool-calls", "without those"}, options.toolCalls);
    addChoice(*exporting, {"--statistics", "with how each answer was made, as json has it by itself"},
              {"--no-statistics", "without that"}, options.statistics);
    addAction(
        target, "import",
        "Adds what export --format json wrote; a result for each. JSON of one: {id}; of several, or of the "
        ".json files of a folder: {imported:[{file,id}],failed:[{file,error}]}",
        importAction)
        ->add_option("FILE", options.files, "the documents, or folders of them")
        ->required();
}

} // namespace perilune::cli
