// `conversations …`: names, pins, folders, tags, branches and the bin.
#include "app/cli/conversations_actions.h"
#include "app/cli/terminal_text.h"
#include "app/store/message_rows.h"
#include "engine/base/whole_characters.h"

#include <algorithm>
#include <iostream>
#include <set>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;
using Options = ConversationOptions;

/// `{"id":…}` with what else is told, or why it didn't work.
int report(const Options &options, const Status &status, const Json &more = Json::object())
{
    if (!status)
        return fail(status.error());
    if (options.common.json) {
        Json json{
            {"id", std::to_string(options.id)}
        };
        json.update(more);
        printJson(json);
    }
    return kDone;
}

int reportMessage(const Options &options, const Status &status)
{
    if (!status)
        return fail(status.error());
    if (options.common.json)
        printJson({
            {"message", options.message}
        });
    return kDone;
}

int remove(ConversationStore &store, const Options &options)
{
    return report(options, store.remove(options.id),
                  {
                      {"deleted", true}
    });
}

int restore(ConversationStore &store, const Options &options)
{
    return report(options, store.restore(options.id),
                  {
                      {"deleted", false}
    });
}

int emptyBin(ConversationStore &store, const Options &options)
{
    constexpr std::int64_t day = 24LL * 60 * 60 * 1000;
    const Result<std::uint64_t> removed = store.emptyBin(nowMs() - options.days * day);
    if (!removed)
        return fail(removed.error());
    if (options.common.json)
        printJson({
            {"removed", *removed}
        });
    else
        std::cout << *removed << " conversations were removed for good\n";
    return kDone;
}

int rename(ConversationStore &store, const Options &options)
{
    return report(options, store.rename(options.id, options.text));
}

/// "0": at the end of the pinned ones.
int pin(ConversationStore &store, const Options &options)
{
    return report(options,
                  options.place ? store.placePinned(options.id, *options.place)
                                : store.setPinned(options.id, true),
                  {
                      {"pinned", true}
    });
}

int unpin(ConversationStore &store, const Options &options)
{
    return report(options, store.setPinned(options.id, false),
                  {
                      {"pinned", false}
    });
}

int archive(ConversationStore &store, const Options &options)
{
    return report(options, store.setArchived(options.id, true),
                  {
                      {"archived", true}
    });
}

int unarchive(ConversationStore &store, const Options &options)
{
    return report(options, store.setArchived(options.id, false),
                  {
                      {"archived", false}
    });
}

int move(ConversationStore &store, const Options &options)
{
    FolderId folder = 0;
    if (!options.folder.empty()) {
        const Result<FolderId> made = store.folder(options.folder);
        if (!made)
            return fail(made.error());
        folder = *made;
    }
    return report(options, store.moveToFolder(options.id, folder),
                  {
                      {"folder", options.folder}
    });
}

int folders(ConversationStore &store, const Options &options)
{
    const Result<std::vector<FolderRow>> rows = store.folders();
    if (!rows)
        return fail(rows.error());
    Json json = Json::array();
    for (const FolderRow &row : *rows) {
        json.push_back({
            {"name",          row.name         },
            {"conversations", row.conversations}
        });
        if (!options.common.json)
            std::cout << row.conversations << '\t' << forTerminal(row.name) << '\n';
    }
    if (options.common.json)
        printJson({
            {"folders", json}
        });
    return kDone;
}

int tag(ConversationStore &store, const Options &options)
{
    return report(options, store.addTag(options.id, options.tag));
}

int untag(ConversationStore &store, const Options &options)
{
    return report(options, store.removeTag(options.id, options.tag));
}

/// The beginning of what a message says, on one line.
std::string gist(const StoredMessage &stored)
{
    constexpr std::size_t longest = 70; // bytes
    std::string text;
    for (const Part &part : stored.message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            text += words->text + ' ';
        else if (const auto *media = std::get_if<MediaPart>(&part))
            text += '[' + media->name + "] ";
    }
    std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    const std::size_t end = wholeFrom(text, longest);
    return text.substr(0, end) + (end < text.size() ? "…" : "");
}

int tree(ConversationStore &store, const Options &options)
{
    const Result<StoredConversation> conversation = store.load(options.id);
    if (!conversation)
        return fail(conversation.error());
    const Result<std::vector<StoredMessage>> messages = store.loadTree(options.id);
    if (!messages)
        return fail(messages.error());
    std::set<MessageId> path;
    for (const StoredMessage &stored : conversation->path)
        path.insert(stored.id);
    Json json = Json::array();
    for (const StoredMessage &stored : *messages) {
        const bool inView = path.contains(stored.id);
        const char *role = roleName(stored.message.role);
        json.push_back({
            {"id",       stored.id                                               },
            {"parent",   stored.parent == 0 ? Json(nullptr) : Json(stored.parent)},
            {"role",     role                                                    },
            {"in_view",  inView                                                  },
            {"branch",   stored.branch + 1                                       },
            {"branches", stored.branches                                         },
            {"text",     gist(stored)                                            }
        });
        if (!options.common.json)
            std::cout << (inView ? "* " : "  ") << stored.id << '\t' << "after " << stored.parent << '\t'
                      << role
                      << (stored.branches > 1 ? " " + std::to_string(stored.branch + 1) + "/" +
                                                    std::to_string(stored.branches)
                                              : "")
                      << '\t' << forTerminal(gist(stored)) << '\n';
    }
    if (options.common.json)
        printJson({
            {"messages", json}
        });
    return kDone;
}

int select(ConversationStore &store, const Options &options)
{
    return reportMessage(options, store.selectBranch(options.message));
}

int removeBranch(ConversationStore &store, const Options &options)
{
    return reportMessage(options, store.removeBranch(options.message));
}

int restoreBranch(ConversationStore &store, const Options &options)
{
    return reportMessage(options, store.restoreBranches({options.message}));
}

int keepOnlyPath(ConversationStore &store, const Options &options)
{
    const Result<std::vector<MessageId>> removed = store.keepOnlyPath(options.id);
    if (!removed)
        return fail(removed.error());
    if (options.common.json)
        printJson({
            {"id",      std::to_string(options.id)},
            {"deleted", *removed                  }
        });
    return kDone;
}

int fork(ConversationStore &store, const Options &options)
{
    const Result<ConversationId> id = store.fork(options.message);
    if (!id)
        return fail(id.error());
    if (options.common.json)
        printJson({
            {"id", std::to_string(*id)}
        });
    else
        std::cout << *id << '\n';
    return kDone;
}

void addSortingActions(const ActionTarget &target)
{
    Options &options = *target.options;
    addActionOnOne(target, "rename", "Gives one another title. JSON: {id}", rename)
        ->add_option("TITLE", options.text, "the title")
        ->required();
    addActionOnOne(target, "pin", "Keeps one at the top of the list. JSON: {id,pinned}", pin)
        ->add_option("--before", options.place,
                     "number of the pinned one that it stands before; 0: after all of them");
    addActionOnOne(target, "unpin", "Lets it go with the others again. JSON: {id,pinned}", unpin);
    addActionOnOne(target, "archive", "Takes one out of the window's list. JSON: {id,archived}", archive);
    addActionOnOne(target, "unarchive", "Brings it back. JSON: {id,archived}", unarchive);
    addActionOnOne(target, "move", "Puts one into a folder, which is made if need be. JSON: {id,folder}",
                   move)
        ->add_option("FOLDER", options.folder, "the folder's name; without it, out of its folder");
    addAction(target, "folders", "Lists the folders. JSON: {\"folders\":[{name,conversations}]}", folders);
    addActionOnOne(target, "tag", "Gives one a tag. JSON: {id}", tag)
        ->add_option("TAG", options.tag, "a word or more")
        ->required();
    addActionOnOne(target, "untag", "Takes a tag away. JSON: {id}", untag)
        ->add_option("TAG", options.tag, "the tag")
        ->required();
}

} // namespace

void addOrganiseActions(const ActionTarget &target)
{
    addSortingActions(target);
    addActionOnOne(target, "tree",
                   "Lists all messages of all branches; those in view have a star. JSON: "
                   "{\"messages\":[{id,parent,role,in_view,branch,branches,text}]}",
                   tree);
    addActionOnMessage(target, "select", "Puts the branch through a message in view. JSON: {message}",
                       select);
    addActionOnMessage(target, "fork", "Makes a new conversation of the messages up to one. JSON: {id}",
                       fork);
    addActionOnMessage(target, "delete-branch",
                       "Puts a message and what follows it into the bin. JSON: {message}", removeBranch);
    addActionOnMessage(target, "restore-branch", "Takes them out of the bin. JSON: {message}", restoreBranch);
    addActionOnOne(target, "keep-path",
                   "Puts all branches but the one in view into the bin. JSON: {id,deleted:[message]}",
                   keepOnlyPath);
    addActionOnOne(target, "delete", "Puts one into the bin. JSON: {id,deleted}", remove);
    addActionOnOne(target, "restore", "Takes one out of the bin. JSON: {id,deleted}", restore);
    addAction(target, "empty-bin", "Removes for good what has been in the bin for long. JSON: {removed}",
              emptyBin)
        ->add_option("--days", target.options->days, "for at least so many days; 0: all of it")
        ->check(CLI::Range(0, 36'500));
}

} // namespace perilune::cli
