// ConversationStore: choosing branches, naming, the bin.
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"
#include "app/store/statement.h"

namespace perilune {

Result<std::vector<MessageId>> ConversationStore::children(ConversationId id, MessageId parent)
{
    Statement query(m_database,
                    "SELECT id FROM message WHERE conversation_id = ? AND parent_id IS nullif(?, 0)"
                    " AND deleted_ms IS NULL ORDER BY id");
    query.bind(id, parent);
    std::vector<MessageId> found;
    while (query.row())
        found.push_back(query.integer(0));
    if (Status read = query.status(); !read)
        return std::move(read).error();
    return found;
}

Status ConversationStore::selectBranch(MessageId message)
{
    if (Status may = writable(); !may)
        return may;
    const Result<StoredMessage> chosen = readMessage(m_database, m_blobs, message);
    if (!chosen)
        return chosen.error();
    Statement owner(m_database, "SELECT conversation_id FROM message WHERE id = ?");
    owner.bind(message);
    const ConversationId id = owner.row() ? owner.integer(0) : 0;
    owner.reset();

    // Down from the chosen one, each time to the newest child.
    Statement down(m_database, "SELECT max(id) FROM message WHERE conversation_id = ? AND parent_id = ?"
                               " AND deleted_ms IS NULL");
    MessageId tip = message;
    for (MessageId next = message; next != 0;) {
        tip = next;
        down.bind(id, next);
        next = down.row() ? down.integer(0) : 0;
        down.reset();
    }
    if (Status read = down.status(); !read)
        return read;
    Statement update(m_database, "UPDATE conversation SET tip_id = ? WHERE id = ?"); // looking is no update
    update.bind(tip, id);
    return update.run();
}

Status ConversationStore::changeConversation(ConversationId id, Statement &change, std::string_view doing)
{
    if (Status may = writable(); !may)
        return may;
    if (Status changed = change.run(); !changed)
        return std::move(changed).error().during(doing);
    if (m_database.changes() == 0)
        return Error{ErrorCode::NotFound, "there is no conversation " + std::to_string(id)};
    return Done{};
}

Status ConversationStore::rename(ConversationId id, std::string_view title)
{
    Statement change(m_database, "UPDATE conversation SET title = ?, title_source = 'person' WHERE id = ?");
    change.bind(title, id);
    return changeConversation(id, change, "renaming a conversation");
}

Result<std::string> ConversationStore::systemPrompt(ConversationId id)
{
    Statement query(m_database, "SELECT system_prompt FROM conversation WHERE id = ?");
    query.bind(id);
    if (query.row())
        return query.text(0);
    if (Status read = query.status(); !read)
        return std::move(read).error();
    return Error{ErrorCode::NotFound, "there is no conversation " + std::to_string(id)};
}

Status ConversationStore::setSystemPrompt(ConversationId id, std::string_view prompt)
{
    Statement change(m_database, "UPDATE conversation SET system_prompt = ? WHERE id = ?");
    change.bind(prompt, id);
    return changeConversation(id, change, "changing a conversation");
}

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

Result<std::uint64_t> ConversationStore::emptyBin(std::int64_t olderThanMs)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    Statement empty(m_database, "DELETE FROM conversation WHERE deleted_ms < ?");
    empty.bind(olderThanMs);
    if (Status emptied = empty.run(); !emptied)
        return std::move(emptied).error().during("emptying the bin");
    const auto removed = static_cast<std::uint64_t>(m_database.changes());

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
