// ConversationStore: conversations from elsewhere.
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"
#include "app/store/statement.h"

#include <map>
#include <system_error>

namespace perilune {

namespace {

/// `message` with words in place of media that aren't there.
Message withoutMissingMedia(const Message &message)
{
    Message kept = message;
    for (Part &part : kept.parts) {
        std::error_code failed;
        if (const auto *media = std::get_if<MediaPart>(&part);
            media && !std::filesystem::is_regular_file(media->path, failed))
            part = TextPart{"(the file of " + (media->name.empty() ? "an attachment" : media->name) +
                            " is missing)"};
    }
    return kept;
}

} // namespace

Result<ConversationId> ConversationStore::import(std::string_view title, std::string_view systemPrompt,
                                                 const std::vector<StoredMessage> &tree, MessageId tip,
                                                 const ImportPlace &place)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    Result<ConversationId> id = create(title, systemPrompt);
    if (!id)
        return id.error();
    if (Status imported = importMessages(*id, tree, tip); !imported)
        return std::move(imported).error().during("importing a conversation");
    if (Status placed = putInPlace(*id, place); !placed)
        return std::move(placed).error().during("importing a conversation");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("importing a conversation");
    return id;
}

Status ConversationStore::putInPlace(ConversationId id, const ImportPlace &place)
{
    if (!place.folder.empty()) {
        const Result<FolderId> named = folder(place.folder);
        if (!named)
            return named.error();
        if (Status moved = moveToFolder(id, *named); !moved)
            return moved;
    }
    for (const std::string &tag : place.tags) {
        if (Status tagged = addTag(id, tag); !tagged)
            return tagged;
    }
    if (Status pinned = place.pinned ? setPinned(id, true) : Status(Done{}); !pinned)
        return pinned;
    return place.archived ? setArchived(id, true) : Status(Done{});
}

Status ConversationStore::importMessages(ConversationId id, const std::vector<StoredMessage> &tree,
                                         MessageId tip)
{
    std::map<MessageId, MessageId> ids{
        {0, 0}
    };
    for (const StoredMessage &stored : tree) {
        const auto parent = ids.find(stored.parent);
        if (parent == ids.end())
            return Error{ErrorCode::InvalidInput,
                         "message " + std::to_string(stored.id) + " comes before its parent"};
        const Message message = withoutMissingMedia(stored.message);
        const Result<std::vector<BlobFolder::Blob>> blobs = keepMedia(message);
        if (!blobs)
            return blobs.error();
        if (Status noted = noteMedia(*blobs); !noted)
            return noted;
        const Result<MessageId> inserted = insertMessage(m_database, id, parent->second, message, *blobs);
        if (!inserted)
            return inserted.error();
        ids[stored.id] = *inserted;
        // An answer that was being written elsewhere isn't any more.
        const bool cutOff = stored.state == MessageState::Streaming;
        Statement update(
            m_database,
            "UPDATE message SET state = ?, note = ?, created_ms = ?, finished_ms = ? WHERE id = ?");
        update.bind(stateName(cutOff ? MessageState::Cancelled : stored.state), stored.note, stored.createdMs,
                    stored.finishedMs, *inserted);
        if (Status updated = update.run(); !updated)
            return updated;
        if (stored.stats) {
            if (Status kept = insertStats(m_database, *inserted, *stored.stats); !kept)
                return kept;
        }
    }
    if (tree.empty())
        return Done{};
    const auto end = ids.find(tip);
    return moveTip(id, end == ids.end() || end->second == 0 ? ids[tree.back().id] : end->second);
}

Result<bool> ConversationStore::hasSame(const ConversationRow &row)
{
    Statement same(m_database,
                   "SELECT 1 FROM conversation c WHERE created_ms = ? AND title = ? AND deleted_ms IS NULL"
                   " AND (SELECT count(*) FROM message m WHERE m.conversation_id = c.id"
                   " AND m.deleted_ms IS NULL) = ?");
    same.bind(row.createdMs, row.title, row.messages);
    const bool found = same.row();
    if (Status read = same.status(); !read)
        return std::move(read).error();
    return found;
}

/// Folder, tags, pin, archive and times.
Status ConversationStore::placeLike(ConversationStore &from, const ConversationRow &row, ConversationId id)
{
    if (row.folder != 0) {
        const Result<std::vector<FolderRow>> names = from.folders();
        if (!names)
            return names.error();
        for (const FolderRow &named : *names) {
            if (named.id != row.folder)
                continue;
            const Result<FolderId> here = folder(named.name);
            if (!here)
                return here.error();
            if (Status moved = moveToFolder(id, *here); !moved)
                return moved;
        }
    }
    for (const std::string &tag : row.tags) {
        if (Status tagged = addTag(id, tag); !tagged)
            return tagged;
    }
    Statement times(m_database,
                    "UPDATE conversation SET created_ms = ?, updated_ms = ?, pinned_ms = nullif(?, 0),"
                    " archived_ms = nullif(?, 0) WHERE id = ?");
    times.bind(row.createdMs, row.updatedMs, row.pinnedMs, row.archivedMs, id);
    return times.run();
}

Result<ConversationId> ConversationStore::takeOver(ConversationStore &from, ConversationId id)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    const Result<StoredConversation> whole = from.load(id);
    if (!whole)
        return whole.error();
    const Result<std::vector<StoredMessage>> tree = from.loadTree(id);
    if (!tree)
        return tree.error();
    const Result<bool> there = hasSame(whole->row);
    if (!there)
        return there.error();
    if (*there)
        return ConversationId{0};
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    Result<ConversationId> copy = create(whole->row.title, whole->systemPrompt);
    if (!copy)
        return copy;
    const MessageId tip = whole->path.empty() ? 0 : whole->path.back().id;
    if (Status imported = importMessages(*copy, *tree, tip); !imported)
        return std::move(imported).error().during("restoring a conversation");
    if (Status placed = placeLike(from, whole->row, *copy); !placed)
        return std::move(placed).error().during("restoring a conversation");
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error().during("restoring a conversation");
    return copy;
}

} // namespace perilune
