#include "app/cli/conversations_actions.h"
#include "app/cli/terminal_text.h"
#include "app/export/json.h"
#include "app/export/markdown.h"
#include "app/publish/publish.h"
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;

using Options = ConversationOptions;
using Store = std::unique_ptr<ConversationStore>;
using Action = ConversationAction;

} // namespace

Result<FolderId> folderNamed(ConversationStore &store, const std::string &name)
{
    if (name.empty())
        return FolderId{0};
    const Result<std::vector<FolderRow>> folders = store.folders();
    if (!folders)
        return folders.error();
    const auto found = std::ranges::find(*folders, name, &FolderRow::name);
    if (found == folders->end())
        return Error{ErrorCode::NotFound, "there is no folder “" + name + "”"};
    return found->id;
}

namespace {

std::string folderName(const std::vector<FolderRow> &folders, FolderId id)
{
    const auto found = std::ranges::find(folders, id, &FolderRow::id);
    return found == folders.end() ? "" : found->name;
}

Json jsonOf(const ConversationRow &row, const std::vector<FolderRow> &folders)
{
    return {
        {"id", std::to_string(row.id)},
        {"title", row.title},
        {"updated", isoTime(row.updatedMs)},
        {"messages", row.messages},
        {"pinned", row.pinnedMs != 0},
        {"archived", row.archivedMs != 0},
        {"folder", folderName(folders, row.folder)},
        {"tags", row.tags}
    };
}

void printRow(const ConversationRow &row, const std::vector<FolderRow> &folders)
{
    std::cout << row.id << '\t' << isoTime(row.updatedMs).substr(0, 16) << '\t' << row.messages << '\t'
              << (row.title.empty() ? "(no title)" : forTerminal(row.title));
    if (row.pinnedMs != 0)
        std::cout << " [pinned]";
    if (row.archivedMs != 0)
        std::cout << " [archived]";
    if (row.folder != 0)
        std::cout << " [in " << forTerminal(folderName(folders, row.folder)) << ']';
    for (const std::string &tag : row.tags)
        std::cout << " #" << forTerminal(tag);
    std::cout << '\n';
}

int list(ConversationStore &store, const Options &options)
{
    auto rows =
        store.list(options.deleted ? ConversationStore::Which::Deleted : ConversationStore::Which::Live);
    const Result<FolderId> folder = folderNamed(store, options.folder);
    const Result<std::vector<FolderRow>> folders = store.folders();
    if (!rows)
        return fail(rows.error());
    if (!folder)
        return fail(folder.error());
    if (!folders)
        return fail(folders.error());
    std::erase_if(*rows, [&options, &folder](const ConversationRow &row) {
        return (*folder != 0 && row.folder != *folder) || (options.archived && row.archivedMs == 0) ||
               (!options.tag.empty() && std::ranges::find(row.tags, options.tag) == row.tags.end());
    });
    std::ranges::reverse(*rows); // oldest first: the newest stands at the prompt
    Json json = Json::array();
    for (const ConversationRow &row : *rows) {
        json.push_back(jsonOf(row, *folders));
        if (!options.common.json)
            printRow(row, *folders);
    }
    if (options.common.json)
        printJson({
            {"conversations", json}
        });
    return kDone;
}

int show(ConversationStore &store, const Options &options)
{
    const Result<ChatToPublish> chat = loadChat(store, options.id);
    if (!chat)
        return fail(chat.error());
    ExportChoices choices;
    choices.allBranches = options.common.json;
    choices.thinking = options.common.json || options.thinking.value_or(false);
    choices.statistics = options.common.json;
    ExportedChat exported = chosen(chat->conversation, chat->tree, choices);
    exported.folder = chat->folder;
    const std::string text = options.common.json
                                 ? toJson(exported)
                                 : toMarkdown(exported, [](const MediaPart &part) { return part.path; });
    std::cout << forOutput(text) << std::flush;
    return kDone;
}

std::string notADay(const std::string &day)
{
    return "“" + day + "” is no day like 2026-11-30";
}

/// A day ("2026-11-30", UTC) as a time; `fallback` where none is given.
Result<std::int64_t> dayOf(const std::string &day, std::int64_t fallback)
{
    if (day.empty())
        return fallback;
    const std::int64_t ms = timeFromIso(day + "T00:00:00.000Z");
    if (ms == 0)
        return Error{ErrorCode::InvalidInput, notADay(day)};
    return ms;
}

Result<ConversationStore::SearchQuery> queryOf(ConversationStore &store, const Options &options)
{
    const Result<FolderId> folder = folderNamed(store, options.folder);
    const Result<std::int64_t> from = dayOf(options.from, 0);
    const Result<std::int64_t> before = dayOf(options.before, INT64_MAX);
    if (!folder)
        return folder.error();
    if (!from)
        return from.error();
    if (!before)
        return before.error();
    ConversationStore::SearchQuery query;
    query.text = options.text;
    query.limit = options.limit;
    query.folder = *folder;
    query.tag = options.tag;
    query.fromMs = *from;
    query.beforeMs = *before;
    if (!options.role.empty())
        query.role = roleFromName(options.role);
    return query;
}

int search(ConversationStore &store, const Options &options)
{
    const Result<ConversationStore::SearchQuery> query = queryOf(store, options);
    if (!query)
        return fail(query.error());
    const auto hits = store.search(*query);
    if (!hits)
        return fail(hits.error());
    Json json = Json::array();
    for (const ConversationStore::Hit &hit : *hits) {
        json.push_back({
            {"conversation", std::to_string(hit.conversation)                    },
            {"message",      hit.message == 0 ? Json(nullptr) : Json(hit.message)},
            {"title",        hit.title                                           },
            {"place",        placeName(hit.place)                                },
            {"excerpt",      hit.excerpt                                         },
            {"marks",        hit.marks                                           }
        });
        if (!options.common.json)
            std::cout << hit.conversation << '\t' << forTerminal(hit.title) << '\t'
                      << forTerminal(hit.excerpt) << '\n';
    }
    if (options.common.json)
        printJson({
            {"hits", json}
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
            std::cout << forTerminal(finding.what) << (finding.repaired ? " (repaired)" : "") << '\n';
    }
    if (options.common.json)
        printJson({
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

} // namespace

void printJson(const Json &json)
{
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

CLI::App *addAction(const ActionTarget &target, const char *name, const char *about,
                    ConversationAction action)
{
    CLI::App *command = target.parent->add_subcommand(name, about);
    command->fallthrough(); // the common options are those of `conversations`
    command->callback([options = target.options, run = target.run, action] {
        *run = [options, action] { return runAction(*options, action); };
    });
    return command;
}

CLI::App *addActionOnOne(const ActionTarget &target, const char *name, const char *about,
                         ConversationAction action)
{
    CLI::App *command = addAction(target, name, about, action);
    command->add_option("ID", target.options->id, "number of the conversation, as list prints it")
        ->required();
    return command;
}

CLI::App *addActionOnMessage(const ActionTarget &target, const char *name, const char *about,
                             ConversationAction action)
{
    CLI::App *command = addAction(target, name, about, action);
    command->add_option("MESSAGE", target.options->message, "number of the message, as tree prints it")
        ->required();
    return command;
}

namespace {

void addReadingActions(const ActionTarget &target)
{
    ConversationOptions &options = *target.options;
    CLI::App *listing =
        addAction(target, "list",
                  "Lists them, the oldest first. JSON: "
                  "{\"conversations\":[{id,title,updated,messages,pinned,archived,folder,tags}]}",
                  list);
    listing->add_flag("--deleted", options.deleted, "those in the bin");
    listing->add_flag("--archived", options.archived, "only those that are archived");
    listing->add_option("--folder", options.folder, "only those in this folder");
    listing->add_option("--tag", options.tag, "only those with this tag");
    addActionOnOne(target, "show",
                   "Prints one as Markdown; with --json what export --format json writes, "
                   "without the bytes of media",
                   show)
        ->add_flag_callback(
            "--thinking", [&options] { options.thinking = true; }, "with what the model thought");
    CLI::App *searching = addAction(
        target, "search",
        "Finds words in titles, messages, thoughts and names of attachments; a word may be part of a "
        "longer one, case and accents make no difference. JSON: "
        "{\"hits\":[{conversation,message,title,place,excerpt,marks:[[from,to]]}]}, marks in bytes",
        search);
    searching->add_option("TEXT", options.text, "words that must all be there; \"in quotes\" they are one")
        ->required();
    searching->add_option("--limit", options.limit, "most hits to show");
    searching->add_option("--folder", options.folder, "only in this folder");
    searching->add_option("--tag", options.tag, "only with this tag");
    searching->add_option("--role", options.role, "only messages of user, assistant or tool")
        ->check(CLI::IsMember({"user", "assistant", "tool"}));
    const auto isDay = [](const std::string &day) {
        return timeFromIso(day + "T00:00:00.000Z") == 0 ? notADay(day) : std::string();
    };
    searching->add_option("--from", options.from, "only messages since this day (2026-11-30, UTC)")
        ->check(isDay);
    searching->add_option("--before", options.before, "only messages before this day")->check(isDay);
}

} // namespace

void addConversationsCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("conversations", "Lists, shows, searches, sorts, exports, deletes and checks "
                                            "conversations, also while the window is open");
    addCommonOptions(*command, options->common);
    command->require_subcommand(1);
    const ActionTarget target{command, options, &run};
    addReadingActions(target);
    addExportActions(target);
    addOrganiseActions(target);
    addBackupActions(target);
    addAction(target, "check",
              "Looks for damage, repairs what can be repaired; status 3 where something stays damaged. "
              "JSON: {sound,conversations,messages,media,findings:[{what,repaired}]}",
              check);
}

} // namespace perilune::cli
