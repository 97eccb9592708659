#include "app/store/path_outline.h"

#include "app/store/message_rows.h"
#include "app/store/statement.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace perilune {
namespace {

/// All messages that can be seen, of every branch, in order of their numbers.
Result<std::vector<MessageHead>> readHeads(Database &database, ConversationId id)
{
    Statement query(database, "SELECT id, parent_id, role, state FROM message WHERE conversation_id = ?"
                              " AND deleted_ms IS NULL ORDER BY id");
    query.bind(id);
    std::vector<MessageHead> heads;
    std::map<MessageId, std::uint32_t> children;
    while (query.row()) {
        MessageHead head{.id = query.integer(0), .parent = query.integer(1)};
        head.role = roleFromName(query.text(2));
        head.state = stateFromName(query.text(3));
        head.branch = children[head.parent]++;
        heads.push_back(head);
    }
    if (Status read = query.status(); !read)
        return std::move(read).error().during("reading conversation " + std::to_string(id));
    for (MessageHead &head : heads)
        head.branches = children[head.parent];
    // A parent has a lower number than its children: one pass finds what hangs on a branch in the bin.
    std::set<MessageId> seen{0};
    std::erase_if(heads, [&seen](const MessageHead &head) {
        return !seen.contains(head.parent) || !seen.insert(head.id).second;
    });
    return heads;
}

/// From `tip` up to the beginning, then turned round.
std::vector<MessageHead> pathTo(const std::vector<MessageHead> &heads, MessageId tip)
{
    std::vector<MessageHead> path;
    for (auto at = heads.rbegin(); at != heads.rend(); ++at) {
        if (at->id != tip)
            continue;
        path.push_back(*at);
        tip = at->parent;
    }
    std::ranges::reverse(path);
    return path;
}

} // namespace

Result<PathOutline> readOutline(ConversationStore &store, ConversationId id)
{
    Statement query(store.database(), "SELECT title, tip_id FROM conversation WHERE id = ?");
    query.bind(id);
    if (!query.row()) {
        if (Status read = query.status(); !read)
            return std::move(read).error().during("opening a conversation");
        return Error{ErrorCode::NotFound, "there is no conversation " + std::to_string(id)};
    }
    PathOutline outline{.title = query.text(0), .path = {}};
    MessageId tip = query.integer(1);
    const Result<std::vector<MessageHead>> heads = readHeads(store.database(), id);
    if (!heads)
        return heads.error();
    // A tip that is gone must not hide what is there.
    if (!heads->empty() && !std::ranges::binary_search(*heads, tip, {}, &MessageHead::id))
        tip = heads->back().id;
    outline.path = pathTo(*heads, tip);
    return outline;
}

std::vector<StoredMessage> readWords(ConversationStore &store, std::span<const MessageHead> heads)
{
    std::vector<StoredMessage> messages;
    messages.reserve(heads.size());
    for (const MessageHead &head : heads) {
        Result<StoredMessage> read = store.message(head.id);
        StoredMessage message;
        if (read) {
            message = *std::move(read);
        } else {
            message.id = head.id;
            message.parent = head.parent;
            message.message.role = head.role;
            message.state = MessageState::Failed;
            message.note = "this message can't be read: " + read.error().message;
        }
        message.branch = head.branch;
        message.branches = head.branches;
        messages.push_back(std::move(message));
    }
    return messages;
}

} // namespace perilune
