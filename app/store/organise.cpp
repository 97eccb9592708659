// ConversationStore: pins and their order, titles from the model, the archive, folders and tags.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <algorithm>

namespace perilune {

namespace {

/// Without white space at its ends.
std::string_view trimmed(std::string_view name)
{
    const std::size_t begin = name.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view()
                                           : name.substr(begin, name.find_last_not_of(" \t\r\n") - begin + 1);
}

Error nameless(std::string_view what)
{
    return Error{ErrorCode::InvalidInput, "a " + std::string(what) + " needs a name"};
}

} // namespace

Status ConversationStore::setPinned(ConversationId id, bool pinned)
{
    Statement change(m_database, "UPDATE conversation SET pin_order = CASE WHEN ?1 THEN pin_order END,"
                                 " pinned_ms = CASE WHEN ?1 THEN coalesce(pinned_ms, ?2) END WHERE id = ?3");
    change.bind(pinned, nowMs(), id);
    return changeConversation(id, change, "pinning a conversation");
}

Status ConversationStore::placePinned(ConversationId id, ConversationId before)
{
    if (Status may = writable(); !may)
        return may;
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error().during("sorting the pinned conversations");
    if (Status pinned = setPinned(id, true); !pinned)
        return pinned;
    Statement query(m_database, "SELECT id FROM conversation WHERE pinned_ms IS NOT NULL"
                                " ORDER BY coalesce(pin_order, 0), updated_ms DESC, id DESC");
    std::vector<ConversationId> order;
    while (query.row()) {
        if (query.integer(0) != id)
            order.push_back(query.integer(0));
    }
    if (Status read = query.status(); !read)
        return std::move(read).error().during("sorting the pinned conversations");
    order.insert(std::ranges::find(order, before), id);
    std::int64_t place = 0;
    for (const ConversationId each : order) {
        Statement change(m_database, "UPDATE conversation SET pin_order = ? WHERE id = ?");
        change.bind(++place, each);
        if (Status changed = change.run(); !changed)
            return std::move(changed).error().during("sorting the pinned conversations");
    }
    return transaction->commit();
}

Result<bool> ConversationStore::wantsTitle(ConversationId id)
{
    Statement query(m_database,
                    "SELECT 1 FROM conversation c WHERE id = ? AND title_source IN ('none', 'message')"
                    " AND deleted_ms IS NULL AND EXISTS (SELECT 1 FROM message m WHERE"
                    " m.conversation_id = c.id AND role = 'assistant' AND state = 'complete')");
    query.bind(id);
    const bool wanted = query.row();
    if (Status read = query.status(); !read)
        return std::move(read).error();
    return wanted && m_readOnlyReason.empty();
}

Result<bool> ConversationStore::nameByModel(ConversationId id, std::string_view title)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Statement change(m_database, "UPDATE conversation SET title = ?, title_source = 'model'"
                                 " WHERE id = ? AND title_source IN ('none', 'message')");
    change.bind(title, id);
    if (Status changed = change.run(); !changed)
        return std::move(changed).error().during("naming a conversation");
    return m_database.changes() > 0;
}

Status ConversationStore::setArchived(ConversationId id, bool archived)
{
    Statement change(m_database, "UPDATE conversation SET archived_ms = CASE WHEN ?1 THEN"
                                 " coalesce(archived_ms, ?2) END WHERE id = ?3");
    change.bind(archived, nowMs(), id);
    return changeConversation(id, change, "archiving a conversation");
}

Result<std::vector<FolderRow>> ConversationStore::folders()
{
    Statement query(m_database,
                    "SELECT id, name, (SELECT count(*) FROM conversation c WHERE c.folder_id = f.id"
                    " AND c.deleted_ms IS NULL) FROM folder f ORDER BY name COLLATE NOCASE, id");
    std::vector<FolderRow> rows;
    while (query.row())
        rows.push_back({query.integer(0), query.text(1), static_cast<std::uint64_t>(query.integer(2))});
    if (Status read = query.status(); !read)
        return std::move(read).error().during("listing the folders");
    return rows;
}

Result<FolderId> ConversationStore::folder(std::string_view name)
{
    name = trimmed(name);
    if (name.empty())
        return nameless("folder");
    Statement find(m_database, "SELECT id FROM folder WHERE name = ?");
    find.bind(name);
    if (find.row())
        return find.integer(0);
    if (Status may = writable(); !may)
        return std::move(may).error();
    Statement insert(m_database, "INSERT INTO folder (name, created_ms) VALUES (?, ?)");
    insert.bind(name, nowMs());
    if (Status inserted = insert.run(); !inserted)
        return std::move(inserted).error().during("making a folder");
    return m_database.lastInsertId();
}

Status ConversationStore::changeFolder(FolderId id, Statement &change, std::string_view doing)
{
    if (Status may = writable(); !may)
        return may;
    if (Status changed = change.run(); !changed)
        return std::move(changed).error().during(doing);
    if (m_database.changes() == 0)
        return Error{ErrorCode::NotFound, "there is no folder " + std::to_string(id)};
    return Done{};
}

Status ConversationStore::renameFolder(FolderId id, std::string_view name)
{
    name = trimmed(name);
    if (name.empty())
        return nameless("folder");
    Statement same(m_database, "SELECT 1 FROM folder WHERE name = ? AND id <> ?");
    same.bind(name, id);
    if (same.row())
        return Error{ErrorCode::InvalidInput, "there is a folder “" + std::string(name) + "” already"};
    Statement change(m_database, "UPDATE folder SET name = ? WHERE id = ?");
    change.bind(name, id);
    return changeFolder(id, change, "renaming a folder");
}

Status ConversationStore::removeFolder(FolderId id)
{
    Statement change(m_database, "DELETE FROM folder WHERE id = ?");
    change.bind(id);
    return changeFolder(id, change, "removing a folder");
}

Status ConversationStore::moveToFolder(ConversationId id, FolderId folder)
{
    if (folder != 0) {
        Statement there(m_database, "SELECT 1 FROM folder WHERE id = ?");
        there.bind(folder);
        if (!there.row())
            return Error{ErrorCode::NotFound, "there is no folder " + std::to_string(folder)};
    }
    Statement change(m_database, "UPDATE conversation SET folder_id = nullif(?, 0) WHERE id = ?");
    change.bind(folder, id);
    return changeConversation(id, change, "moving a conversation");
}

Status ConversationStore::addTag(ConversationId id, std::string_view name)
{
    if (Status may = writable(); !may)
        return may;
    name = trimmed(name);
    if (name.empty())
        return nameless("tag");
    Statement there(m_database, "SELECT 1 FROM conversation WHERE id = ?");
    there.bind(id);
    if (!there.row())
        return Error{ErrorCode::NotFound, "there is no conversation " + std::to_string(id)};
    Statement insert(m_database,
                     "INSERT OR IGNORE INTO conversation_tag (conversation_id, name) VALUES (?, ?)");
    insert.bind(id, name);
    return insert.run();
}

Status ConversationStore::removeTag(ConversationId id, std::string_view name)
{
    if (Status may = writable(); !may)
        return may;
    Statement remove(m_database, "DELETE FROM conversation_tag WHERE conversation_id = ? AND name = ?");
    remove.bind(id, trimmed(name));
    return remove.run();
}

Result<std::vector<std::string>> ConversationStore::tags()
{
    Statement query(m_database, "SELECT DISTINCT t.name FROM conversation_tag t JOIN conversation c"
                                " ON c.id = t.conversation_id WHERE c.deleted_ms IS NULL"
                                " ORDER BY t.name COLLATE NOCASE, t.name");
    std::vector<std::string> names;
    while (query.row())
        names.push_back(query.text(0));
    if (Status read = query.status(); !read)
        return std::move(read).error().during("listing the tags");
    return names;
}

} // namespace perilune
