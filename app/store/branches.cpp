// ConversationStore: choosing and copying branches, naming.
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

Result<ConversationId> ConversationStore::fork(MessageId last)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    const Result<std::vector<StoredMessage>> path = loadPath(last);
    if (!path)
        return path.error();
    if (path->empty())
        return Error{ErrorCode::NotFound, "there is no message " + std::to_string(last)};
    const auto source = path->front().conversation;
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    Statement copy(
        m_database,
        "INSERT INTO conversation (title, title_source, system_prompt, folder_id, created_ms, updated_ms)"
        " SELECT title, title_source, system_prompt, folder_id, ?2, ?2 FROM conversation WHERE id = ?1");
    copy.bind(source, nowMs());
    if (Status copied = changeConversation(source, copy, "copying a conversation"); !copied)
        return std::move(copied).error();
    const ConversationId id = m_database.lastInsertId();
    if (Status copied = importMessages(id, *path, last); !copied)
        return std::move(copied).error().during("copying a conversation");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("copying a conversation");
    return id;
}

} // namespace perilune
