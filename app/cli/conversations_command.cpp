#include "app/cli/command_list.h"
#include "app/export/json.h"
#include "app/export/markdown.h"
#include "app/store/conversation_store.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    CommonOptions common;
    ConversationId id = 0;
    bool deleted = false, thinking = false;
    std::string text, format = "markdown", out, folder, file;
    std::uint32_t limit = 50;
};

using Store = std::unique_ptr<ConversationStore>;
using Action = int (*)(ConversationStore &store, const Options &options);

void print(const Json &json)
{
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

int list(ConversationStore &store, const Options &options)
{
    auto rows =
        store.list(options.deleted ? ConversationStore::Which::Deleted : ConversationStore::Which::Live);
    if (!rows)
        return fail(rows.error());
    std::ranges::reverse(*rows); // oldest first: the newest stands at the prompt
    Json json = Json::array();
    for (const ConversationRow &row : *rows) {
        json.push_back({
            {"id",       std::to_string(row.id)},
            {"title",    row.title             },
            {"updated",  isoTime(row.updatedMs)},
            {"messages", row.messages          }
        });
        if (!options.common.json)
            std::cout << row.id << '\t' << isoTime(row.updatedMs).substr(0, 16) << '\t' << row.messages
                      << '\t' << (row.title.empty() ? "(no title)" : row.title) << '\n';
    }
    if (options.common.json)
        print({
            {"conversations", json}
        });
    return kDone;
}

Result<std::string> readFile(const MediaPart &part)
{
    std::ifstream in(part.path, std::ios::binary);
    if (!in)
        return Error{ErrorCode::NotFound, "the file of " + part.name + " is missing: " + part.path};
    return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The conversation in a form, as text.
Result<std::string> documentOf(ConversationStore &store, const Options &options, bool media)
{
    const Result<StoredConversation> conversation = store.load(options.id);
    if (!conversation)
        return conversation.error();
    if (options.format == "markdown")
        return toMarkdown(*conversation, {.thinking = options.thinking,
                                          .toolCalls = true,
                                          .notes = true,
                                          .linkTo = [](const MediaPart &part) { return part.path; }});
    if (options.format != "json")
        return Error{ErrorCode::Unsupported, "this version exports markdown and json, not " + options.format};
    const Result<std::vector<StoredMessage>> tree = store.loadTree(options.id);
    if (!tree)
        return tree.error();
    return toJson(*conversation, *tree, media ? ReadMedia(readFile) : ReadMedia());
}

int show(ConversationStore &store, const Options &options)
{
    Options shown = options;
    shown.format = options.common.json ? "json" : "markdown";
    const Result<std::string> document = documentOf(store, shown, /*media=*/false);
    if (!document)
        return fail(document.error());
    std::cout << *document << std::flush;
    return kDone;
}

int exportOne(ConversationStore &store, const Options &options)
{
    const Result<std::string> document = documentOf(store, options, /*media=*/true);
    if (!document)
        return fail(document.error());
    if (options.out.empty()) {
        std::cout << *document << std::flush;
        return kDone;
    }
    // A file under its name is whole. A device or a pipe is written as it is: a rename would replace it.
    std::error_code ignored;
    const bool replaces = !std::filesystem::exists(options.out, ignored) ||
                          std::filesystem::is_regular_file(options.out, ignored);
    const std::string unfinished = replaces ? options.out + ".unfinished" : options.out;
    errno = 0;
    std::ofstream out(unfinished, std::ios::binary);
    if (!out && errno == EACCES)
        return fail({ErrorCode::InvalidInput, options.out + " may not be written: there is no permission"});
    out << *document << std::flush;
    out.close();
    if (!out || (replaces && std::rename(unfinished.c_str(), options.out.c_str()) != 0)) {
        if (replaces)
            std::remove(unfinished.c_str());
        return fail({ErrorCode::Io, "the file " + options.out + " can't be written"});
    }
    if (options.common.json)
        print({
            {"id",     std::to_string(options.id)},
            {"format", options.format            },
            {"file",   options.out               }
        });
    return kDone;
}

int importOne(ConversationStore &store, const Options &options)
{
    std::ifstream in(options.file, std::ios::binary);
    if (!in)
        return fail(whyUnreadable({ErrorCode::NotFound, "the file " + options.file + " can't be read"},
                                  options.file));
    Result<ImportedConversation> read = fromJson(std::string(std::istreambuf_iterator<char>(in), {}));
    if (!read)
        return fail(std::move(read).error().during(options.file));
    for (const ImportedConversation::Media &media : read->media) {
        if (const auto kept = store.blobs().addBytes(media.bytes); !kept)
            return fail(kept.error());
    }
    for (StoredMessage &message : read->tree) {
        for (Part &part : message.message.parts) {
            if (auto *media = std::get_if<MediaPart>(&part))
                media->path = store.blobs().pathOf(media->path).string();
        }
    }
    const Result<ConversationId> id = store.import(read->title, read->systemPrompt, read->tree, read->tip);
    if (!id)
        return fail(id.error());
    if (options.common.json)
        print({
            {"id", std::to_string(*id)}
        });
    else
        std::cout << *id << '\n';
    return kDone;
}

int search(ConversationStore &store, const Options &options)
{
    const auto hits = store.search(options.text, options.limit);
    if (!hits)
        return fail(hits.error());
    Json json = Json::array();
    for (const ConversationStore::Hit &hit : *hits) {
        json.push_back({
            {"conversation", std::to_string(hit.conversation)                    },
            {"message",      hit.message == 0 ? Json(nullptr) : Json(hit.message)},
            {"title",        hit.title                                           },
            {"excerpt",      hit.excerpt                                         }
        });
        if (!options.common.json)
            std::cout << hit.conversation << '\t' << hit.title << '\t' << hit.excerpt << '\n';
    }
    if (options.common.json)
        print({
            {"hits", json}
        });
    return kDone;
}

int report(const Options &options, const Status &status, bool deleted)
{
    if (!status)
        return fail(status.error());
    if (options.common.json)
        print({
            {"id",      std::to_string(options.id)},
            {"deleted", deleted                   }
        });
    return kDone;
}

int remove(ConversationStore &store, const Options &options)
{
    return report(options, store.remove(options.id), true);
}

int restore(ConversationStore &store, const Options &options)
{
    return report(options, store.restore(options.id), false);
}

int backup(ConversationStore &store, const Options &options)
{
    const Status done = store.backup(options.folder);
    if (!done)
        return fail(done.error());
    if (options.common.json)
        print({
            {"folder", options.folder}
        });
    return kDone;
}

int check(ConversationStore &store, const Options &options)
{
    const Result<CheckReport> report = store.check();
    if (!report)
        return fail(report.error());
    Json findings = Json::array();
    for (const CheckReport::Finding &finding : report->findings) {
        findings.push_back({
            {"what",     finding.what    },
            {"repaired", finding.repaired}
        });
        if (!options.common.json)
            std::cout << finding.what << (finding.repaired ? " (repaired)" : "") << '\n';
    }
    if (options.common.json)
        print({
            {"sound",         report->sound()      },
            {"conversations", report->conversations},
            {"messages",      report->messages     },
            {"media",         report->media        },
            {"findings",      findings             }
        });
    else
        std::cout << report->conversations << " conversations, " << report->messages << " messages, "
                  << report->media
                  << " media files: " << (report->sound() ? "nothing is damaged" : "something is damaged")
                  << '\n';
    return report->sound() ? kDone : kBadInput;
}

int runAction(const Options &options, Action action)
{
    const Result<Store> store = ConversationStore::open(dataFolder(options.common));
    if (!store)
        return fail(store.error());
    if (!(*store)->readOnlyReason().empty())
        std::cerr << "perilune-cli: " << forTerminal((*store)->readOnlyReason()) << '\n';
    return action(**store, options);
}

/// Adds one of the sub-commands; it is given the options of its own by the caller.
CLI::App *addAction(CLI::App &parent, const char *name, const char *about,
                    const std::pair<std::shared_ptr<Options>, Run *> &target, Action action)
{
    CLI::App *command = parent.add_subcommand(name, about);
    const auto &[options, run] = target;
    command->fallthrough(); // the common options are those of `conversations`
    command->callback([options = options, run = run, action] {
        *run = [options, action] { return runAction(*options, action); };
    });
    return command;
}

} // namespace

void addConversationsCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("conversations", "Lists, shows, searches, exports, deletes and checks "
                                            "conversations, also while the window is open");
    addCommonOptions(*command, options->common);
    command->require_subcommand(1);
    const std::pair<std::shared_ptr<Options>, Run *> target{options, &run};
    const auto takesId = [&options](CLI::App *sub) {
        sub->add_option("ID", options->id, "number of the conversation, as list prints it")->required();
        return sub;
    };

    addAction(*command, "list",
              "Lists them, the oldest first. JSON: {\"conversations\":[{id,title,updated,messages}]}", target,
              list)
        ->add_flag("--deleted", options->deleted, "those in the bin");
    takesId(addAction(*command, "show",
                      "Prints one as Markdown; with --json what export --format json writes, "
                      "without the bytes of media",
                      target, show))
        ->add_flag("--thinking", options->thinking, "with what the model thought");
    CLI::App *searching = addAction(*command, "search",
                                    "Finds text in titles, messages and names of attachments. JSON: "
                                    "{\"hits\":[{conversation,message,title,excerpt}]}",
                                    target, search);
    searching->add_option("TEXT", options->text, "what to find; ASCII letters in either case")->required();
    searching->add_option("--limit", options->limit, "most hits to show");
    CLI::App *exporting = takesId(addAction(*command, "export",
                                            "Writes one as a document. JSON (with --out): "
                                            "{id,format,file}",
                                            target, exportOne));
    exporting
        ->add_option("--format", options->format,
                     "markdown (the branch in view) or json (all branches and media)")
        ->check(CLI::IsMember({"markdown", "html", "json", "pdf"}));
    exporting->add_option("--out", options->out, "the file; without it, standard output");
    exporting->add_flag("--thinking", options->thinking, "with what the model thought (markdown)");
    addAction(*command, "import", "Adds what export --format json wrote. JSON: {id}", target, importOne)
        ->add_option("FILE", options->file, "the document")
        ->required();
    takesId(addAction(*command, "delete", "Puts one into the bin. JSON: {id,deleted}", target, remove));
    takesId(addAction(*command, "restore", "Takes one out of the bin. JSON: {id,deleted}", target, restore));
    addAction(*command, "backup",
              "Copies everything to another folder, which --data can name. JSON: {folder}", target, backup)
        ->add_option("FOLDER", options->folder, "where the copy goes")
        ->required();
    addAction(*command, "check",
              "Looks for damage, repairs what can be repaired; status 3 where something stays damaged. "
              "JSON: {sound,conversations,messages,media,findings:[{what,repaired}]}",
              target, check);
}

} // namespace perilune::cli
