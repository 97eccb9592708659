// ConversationStore: the bin. What is in it can come back until it is emptied.
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"
#include "app/store/statement.h"

#include <algorithm>

namespace perilune {

Status ConversationStore::remove(ConversationId id)
{
    // Deleting twice must not make it stay in the bin for longer.
    Statement change(m_database, "UPDATE conversation SET deleted_ms = coalesce(deleted_ms, ?) WHERE id = ?");
    change.bind(nowMs(), id);
    return changeConversation(id, change, "deleting a conversation");
}

Status ConversationStore::restore(ConversationId id)
{
    Statement change(m_database, "UPDATE conversation SET deleted_ms = NULL WHERE id = ?");
    change.bind(id);
    return changeConversation(id, change, "restoring a conversation");
}

Status ConversationStore::leaveBranch(MessageId message)
{
    Statement query(m_database,
                    "WITH RECURSIVE up (id, parent_id) AS ("
                    " SELECT m.id, m.parent_id FROM message m JOIN conversation c ON c.tip_id = m.id"
                    " WHERE c.id = (SELECT conversation_id FROM message WHERE id = ?1)"
                    " UNION ALL SELECT m.id, m.parent_id FROM up JOIN message m ON m.id = up.parent_id)"
                    " SELECT 1 FROM up WHERE id = ?1");
    query.bind(message);
    const bool inView = query.row();
    if (Status read = query.status(); !read || !inView)
        return read;
    query.reset();
    // The sibling before, or else after it; without any, the path ends at the parent.
    Statement other(m_database,
                    "SELECT m.conversation_id, coalesce(m.parent_id, 0), coalesce("
                    " (SELECT max(s.id) FROM message s WHERE s.conversation_id = m.conversation_id"
                    "  AND s.parent_id IS m.parent_id AND s.deleted_ms IS NULL AND s.id < m.id),"
                    " (SELECT min(s.id) FROM message s WHERE s.conversation_id = m.conversation_id"
                    "  AND s.parent_id IS m.parent_id AND s.deleted_ms IS NULL AND s.id > m.id), 0)"
                    " FROM message m WHERE m.id = ?");
    other.bind(message);
    if (!other.row())
        return other.status();
    const ConversationId id = other.integer(0);
    const MessageId parent = other.integer(1);
    if (const MessageId sibling = other.integer(2); sibling != 0)
        return selectBranch(sibling);
    Statement update(m_database, "UPDATE conversation SET tip_id = nullif(?, 0) WHERE id = ?");
    update.bind(parent, id);
    return update.run();
}

Status ConversationStore::removeBranch(MessageId message)
{
    if (Status may = writable(); !may)
        return may;
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    if (Status left = leaveBranch(message); !left)
        return std::move(left).error().during("deleting a message");
    Statement change(m_database, "UPDATE message SET deleted_ms = ? WHERE id = ? AND deleted_ms IS NULL"
                                 " AND state <> 'streaming'");
    change.bind(nowMs(), message);
    if (Status changed = change.run(); !changed)
        return std::move(changed).error().during("deleting a message");
    if (m_database.changes() == 0)
        return Error{ErrorCode::NotFound,
                     "there is no message " + std::to_string(message) + " that could be deleted"};
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("deleting a message");
    return Done{};
}

Status ConversationStore::restoreBranches(const std::vector<MessageId> &messages)
{
    if (Status may = writable(); !may)
        return may;
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    for (const MessageId message : messages) {
        Statement change(m_database, "UPDATE message SET deleted_ms = NULL WHERE id = ?");
        change.bind(message);
        if (Status changed = change.run(); !changed)
            return std::move(changed).error().during("restoring a message");
        if (m_database.changes() == 0)
            return Error{ErrorCode::NotFound, "there is no message " + std::to_string(message)};
    }
    if (messages.size() == 1) {
        if (Status selected = selectBranch(messages.front()); !selected)
            return selected;
    }
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("restoring a message");
    return Done{};
}

Result<std::vector<MessageId>> ConversationStore::keepOnlyPath(ConversationId id)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    const Result<StoredConversation> conversation = load(id);
    if (!conversation)
        return conversation.error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    std::vector<MessageId> removed;
    Statement change(
        m_database,
        "UPDATE message SET deleted_ms = ?1 WHERE conversation_id = ?2 AND parent_id IS nullif(?3, 0)"
        " AND id <> ?4 AND deleted_ms IS NULL AND state <> 'streaming' RETURNING id");
    for (const StoredMessage &kept : conversation->path) {
        change.reset();
        change.bind(nowMs(), id, kept.parent, kept.id);
        while (change.row())
            removed.push_back(change.integer(0));
    }
    if (Status changed = change.status(); !changed)
        return std::move(changed).error().during("deleting branches");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("deleting branches");
    return removed;
}

Status ConversationStore::purge(std::int64_t olderThanMs, std::uint64_t &conversations)
{
    // A branch goes with all that follows its first message.
    Statement query(m_database, "WITH RECURSIVE gone (id, conversation_id) AS ("
                                " SELECT id, conversation_id FROM message WHERE deleted_ms < ?1"
                                " OR conversation_id IN (SELECT id FROM conversation WHERE deleted_ms < ?1)"
                                " UNION SELECT m.id, m.conversation_id FROM gone JOIN message m"
                                " ON m.conversation_id = gone.conversation_id AND m.parent_id = gone.id)"
                                " SELECT id FROM gone");
    query.bind(olderThanMs);
    std::vector<MessageId> gone;
    while (query.row())
        gone.push_back(query.integer(0));
    if (Status read = query.status(); !read)
        return read;
    if (!forgetIndexed(gone)) {
        if (Status cleared = clearIndex(); !cleared)
            return cleared;
    }
    // A chat whose view ended in what goes ends at its newest message that stays.
    Statement tip(m_database, "UPDATE conversation SET tip_id = (SELECT max(id) FROM message WHERE"
                              " conversation_id = conversation.id AND deleted_ms IS NULL) WHERE tip_id = ?");
    Statement remove(m_database, "DELETE FROM message WHERE id = ?");
    for (const MessageId id : gone) {
        remove.reset();
        remove.bind(id);
        if (Status removed = remove.run(); !removed)
            return removed;
    }
    for (const MessageId id : gone) {
        tip.reset();
        tip.bind(id);
        if (Status moved = tip.run(); !moved)
            return moved;
    }
    Statement empty(m_database, "DELETE FROM conversation WHERE deleted_ms < ?");
    empty.bind(olderThanMs);
    if (Status emptied = empty.run(); !emptied)
        return emptied;
    conversations = static_cast<std::uint64_t>(m_database.changes());
    return Done{};
}

Result<std::uint64_t> ConversationStore::emptyBin(std::int64_t olderThanMs)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    std::uint64_t removed = 0;
    if (Status purged = purge(olderThanMs, removed); !purged)
        return std::move(purged).error().during("emptying the bin");

    Statement unused(m_database,
                     "DELETE FROM media WHERE NOT EXISTS (SELECT 1 FROM part WHERE media_sha256 = sha256)"
                     " RETURNING sha256");
    std::vector<std::string> files;
    while (unused.row())
        files.push_back(unused.text(0));
    if (Status read = unused.status(); !read)
        return std::move(read).error().during("emptying the bin");
    // Files after the commit, under the lock of a second transaction: a file too many is found by check(),
    // one too few would be a loss.
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("emptying the bin");
    if (Status swept = removeUnused(files); !swept)
        return std::move(swept).error().during("emptying the bin");
    return removed;
}

Status ConversationStore::removeUnused(const std::vector<std::string> &files)
{
    Result<Transaction> transaction = Transaction::begin(m_database); // nobody adds media meanwhile
    if (!transaction)
        return std::move(transaction).error();
    Statement used(m_database, "SELECT count(*) FROM media WHERE sha256 = ?");
    for (const std::string &sha256 : files) {
        used.bind(sha256);
        const bool again = !used.row() || used.integer(0) > 0;
        used.reset();
        if (!again)
            (void)m_blobs.remove(sha256);
    }
    return transaction->commit();
}

} // namespace perilune
