// ConversationStore: what was typed and attached but not sent.
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"
#include "app/store/statement.h"

namespace perilune {

Result<Draft> ConversationStore::draft(ConversationId id)
{
    Draft draft;
    Statement query(m_database, "SELECT id, text FROM draft WHERE conversation_id IS nullif(?, 0)");
    query.bind(id);
    if (!query.row()) {
        if (Status read = query.status(); !read)
            return std::move(read).error().during("reading a draft");
        return draft;
    }
    draft.text = query.text(1);
    Statement media(m_database, std::string("SELECT kind, path, name, ") + kChoiceColumns +
                                    " FROM draft_media WHERE draft_id = ? ORDER BY position");
    media.bind(query.integer(0));
    while (media.row()) {
        const auto kind = media.text(0) == "video" ? MediaPart::Kind::Video : MediaPart::Kind::Image;
        draft.media.push_back({kind, media.text(1), media.text(2), nullptr, choiceOf(media, 3)});
    }
    if (Status read = media.status(); !read)
        return std::move(read).error().during("reading a draft");
    return draft;
}

Status ConversationStore::saveDraft(ConversationId id, const Draft &draft)
{
    if (Status may = writable(); !may)
        return may;
    if (Status saved = saveDraftInTransaction(id, draft); !saved)
        return std::move(saved).error().during("keeping a draft");
    return Done{};
}

Status ConversationStore::saveDraftInTransaction(ConversationId id, const Draft &draft)
{
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    Statement clear(m_database, "DELETE FROM draft WHERE conversation_id IS nullif(?, 0)");
    clear.bind(id);
    if (Status cleared = clear.run(); !cleared)
        return cleared;
    if (draft == Draft{})
        return transaction->commit();

    Statement insert(m_database,
                     "INSERT INTO draft (conversation_id, text, updated_ms) VALUES (nullif(?, 0), ?, ?)");
    insert.bind(id, draft.text, nowMs());
    if (Status inserted = insert.run(); !inserted)
        return inserted;
    const std::int64_t row = m_database.lastInsertId();
    std::int64_t position = 0;
    for (const MediaPart &part : draft.media) {
        Statement media(m_database,
                        std::string("INSERT INTO draft_media (draft_id, position, kind, path, name, ") +
                            kChoiceColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        const MediaChoice &choice = part.choice;
        media.bind(row, position++, part.kind == MediaPart::Kind::Video ? "video" : "image", part.path,
                   part.name, detailName(choice), fitName(choice), choice.firstFrame, choice.fromSeconds,
                   choice.toSeconds, choice.maxFrames);
        if (Status inserted = media.run(); !inserted)
            return inserted;
    }
    return transaction->commit();
}

Result<std::vector<std::string>> ConversationStore::draftFiles()
{
    std::vector<std::string> paths;
    Statement query(m_database, "SELECT path FROM draft_media");
    while (query.row())
        paths.push_back(query.text(0));
    if (Status read = query.status(); !read)
        return std::move(read).error().during("reading the drafts");
    return paths;
}

} // namespace perilune
