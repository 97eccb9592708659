// ConversationStore: answers while they are written, and how they end.
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"
#include "app/store/statement.h"

#include <map>

namespace perilune {

Result<MessageId> ConversationStore::beginReply(ConversationId id, MessageId parent)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error().during("beginning an answer");
    Statement insert(m_database,
                     "INSERT INTO message (conversation_id, parent_id, role, state, writer, created_ms)"
                     " VALUES (?, nullif(?, 0), 'assistant', 'streaming', ?, ?)");
    insert.bind(id, parent, m_writer.name(), nowMs());
    if (Status inserted = insert.run(); !inserted)
        return std::move(inserted).error().during("beginning an answer");
    const MessageId reply = m_database.lastInsertId();
    if (Status moved = moveTip(id, reply); !moved)
        return std::move(moved).error().during("beginning an answer");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("beginning an answer");
    return reply;
}

Status ConversationStore::checkpointReply(MessageId reply, std::span<const ReplyPiece> pieces)
{
    if (Status may = writable(); !may)
        return may;
    if (pieces.empty())
        return Done{};
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error().during("keeping the answer");
    if (Status inserted = insertPieces(m_database, reply, pieces); !inserted)
        return std::move(inserted).error().during("keeping the answer");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("keeping the answer");
    return Done{};
}

Result<StoredMessage> ConversationStore::finishReply(MessageId reply, std::span<const ReplyPiece> pieces,
                                                     const ReplyOutcome &outcome)
{
    CHECK(outcome.state != MessageState::Streaming);
    if (Status may = writable(); !may)
        return std::move(may).error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error().during("keeping the answer");
    if (Status inserted = insertPieces(m_database, reply, pieces); !inserted)
        return std::move(inserted).error().during("keeping the answer");
    if (Status closed = consolidate(reply, outcome); !closed)
        return std::move(closed).error().during("keeping the answer");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("keeping the answer");
    return readMessage(m_database, m_blobs, reply);
}

Status ConversationStore::consolidate(MessageId reply, const ReplyOutcome &outcome)
{
    const Result<std::vector<Part>> parts = joinPieces(m_database, reply);
    if (!parts)
        return parts.error();
    std::int64_t position = 0;
    for (const Part &part : *parts) {
        if (Status inserted = insertPart(m_database, reply, position++, part, nullptr); !inserted)
            return inserted;
    }
    Statement clear(m_database, "DELETE FROM reply_piece WHERE message_id = ?");
    clear.bind(reply);
    if (Status cleared = clear.run(); !cleared)
        return cleared;
    Statement close(m_database, "UPDATE message SET state = ?, note = ?, writer = '', finished_ms = ?"
                                " WHERE id = ? AND state = 'streaming'");
    close.bind(stateName(outcome.state), outcome.note, nowMs(), reply);
    if (Status closed = close.run(); !closed)
        return closed;
    if (m_database.changes() == 0)
        return Error{ErrorCode::NotFound, "there is no unfinished answer " + std::to_string(reply)};
    Statement touch(m_database, "UPDATE conversation SET updated_ms = max(updated_ms, ?)"
                                " WHERE id = (SELECT conversation_id FROM message WHERE id = ?)");
    touch.bind(nowMs(), reply);
    if (Status touched = touch.run(); !touched)
        return touched;
    if (!outcome.stats)
        return Done{};
    return insertStats(m_database, reply, *outcome.stats);
}

Status ConversationStore::closeAbandonedReplies()
{
    const auto find = [this]() -> Result<std::vector<MessageId>> {
        Statement query(m_database, "SELECT id, writer FROM message WHERE state = 'streaming'");
        std::map<std::string, bool> alive{
            {m_writer.name(), true}
        };
        std::vector<MessageId> found;
        while (query.row()) {
            const std::string writer = query.text(1);
            if (!alive.contains(writer))
                alive[writer] = WriterLock::alive(m_folder / "writers", writer);
            if (!alive[writer])
                found.push_back(query.integer(0));
        }
        if (Status read = query.status(); !read)
            return std::move(read).error();
        return found;
    };

    Result<std::vector<MessageId>> abandoned = find();
    if (!abandoned)
        return std::move(abandoned).error();
    if (!abandoned->empty()) {
        Result<Transaction> transaction = Transaction::begin(m_database);
        if (!transaction)
            return std::move(transaction).error();
        abandoned = find(); // another program may have been quicker
        if (!abandoned)
            return std::move(abandoned).error();
        for (const MessageId reply : *abandoned) {
            const ReplyOutcome cutOff{
                MessageState::Cancelled, "Perilune ended before this answer was complete", {}};
            if (Status closed = consolidate(reply, cutOff); !closed)
                return closed;
        }
        if (Status committed = transaction->commit(); !committed)
            return committed;
    }
    WriterLock::sweep(m_folder / "writers");
    return Done{};
}

} // namespace perilune
