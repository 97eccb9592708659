#include "app/store/conversation_store.h"

#include "app/store/message_rows.h"
#include "app/store/schema.h"
#include "app/store/statement.h"
#include "engine/base/output_file.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace fs = std::filesystem;

namespace {

// Says that the folder has held conversations, so that a missing database is noticed.
constexpr const char *kMarker = "perilune-store.txt";
constexpr const char *kMarkerText =
    "Perilune keeps conversations in this folder: conversations.db with its -wal and "
    "-shm files, and media/.\nCopy or move them together, while Perilune is closed.\n";

struct Opened {
    Database database;
    std::string readOnlyReason;
    ErrorCode readOnlyCode = ErrorCode::Unsupported;
};

constexpr auto kFullReason = "the disk is full, so the conversations can only be read";

/// Why this person can't write the conversations; empty where nothing is in the way.
std::string cannotBeWritten(const fs::path &file)
{
    const fs::path folder = file.parent_path();
    if (::access(folder.c_str(), W_OK) == 0 && ::access(file.c_str(), W_OK) == 0)
        return {};
    const int code = errno;
    if (code != EACCES && code != EROFS && code != EPERM)
        return {};
    return "the conversations in " + folder.string() + " may not be written" +
           (code == EROFS ? "" : ": there is no permission") + ", so they can only be read";
}

/// An older program's conversations that can't be upgraded where they are: upgraded in memory.
Result<Database> inMemory(Database &older)
{
    Result<Database> copy = Database::open(":memory:");
    if (!copy)
        return copy;
    if (Status copied = copyDatabase(older, *copy); !copied)
        return std::move(copied).error();
    if (Status migrated = migrate(*copy, migrations(), {}); !migrated)
        return std::move(migrated).error();
    return copy;
}

/// `reader`, or where an older program wrote it a copy in memory, for reading alone.
Result<Opened> onFullDisk(Database reader, std::int64_t version, const fs::path &file)
{
    if (version == currentSchemaVersion())
        return Opened{std::move(reader), kFullReason, ErrorCode::NoSpace};
    Result<Database> upgraded = inMemory(reader);
    if (!upgraded)
        return std::move(upgraded).error().during("opening " + file.string());
    return Opened{std::move(*upgraded), kFullReason, ErrorCode::NoSpace};
}

Result<Opened> openExisting(const fs::path &file)
{
    std::error_code failed;
    if (fs::file_size(file, failed) == 0 && !failed)
        return Error{ErrorCode::Corrupt,
                     "opening " + file.string() + ": the file is empty, though it held conversations"};
    // Looked at first without the right to write: a newer program's file must stay as it is.
    Result<Database> reader = Database::open(file, Database::Mode::ReadOnly);
    if (!reader)
        return std::move(reader).error();
    Result<std::int64_t> version = reader->integer("PRAGMA user_version");
    if (!version && version.error().code == ErrorCode::NoSpace) {
        reader = Database::open(file, Database::Mode::ReadAlone);
        if (!reader)
            return std::move(reader).error();
        version = reader->integer("PRAGMA user_version");
        if (version && *version <= currentSchemaVersion())
            return onFullDisk(std::move(*reader), *version, file);
    }
    if (!version)
        return Error(version.error()).during("opening " + file.string());
    if (*version > currentSchemaVersion()) {
        Status newer = migrate(*reader, migrations(), {});
        CHECK(!newer);
        return Opened{std::move(*reader), newer.error().message};
    }

    if (const std::string reason = cannotBeWritten(file); !reason.empty()) {
        if (*version == currentSchemaVersion())
            return Opened{std::move(*reader), reason};
        Result<Database> upgraded = inMemory(*reader);
        if (!upgraded)
            return std::move(upgraded).error().during("opening " + file.string());
        return Opened{std::move(*upgraded), reason};
    }
    Result<Database> database = Database::open(file);
    if (!database && database.error().code == ErrorCode::NoSpace)
        return onFullDisk(std::move(*reader), *version, file);
    if (!database)
        return std::move(database).error();
    const fs::path copy = file.parent_path() / ("conversations.v" + std::to_string(*version) + ".db");
    const Status migrated = migrate(*database, migrations(), copy);
    if (!migrated && migrated.error().code == ErrorCode::NoSpace)
        return onFullDisk(std::move(*reader), *version, file);
    if (!migrated)
        return Error(migrated.error()).during("opening " + file.string());
    return Opened{std::move(*database), {}};
}

Result<Opened> createNew(const fs::path &file)
{
    Result<Database> database = Database::open(file);
    if (!database)
        return std::move(database).error();
    if (Status migrated = migrate(*database, migrations(), {}); !migrated)
        return std::move(migrated).error().during("making " + file.string());
    // Without it a missing database isn't noticed later; that is no reason to keep no conversations now.
    (void)replaceFile(file.parent_path() / kMarker, kMarkerText);
    return Opened{std::move(*database), {}};
}

Result<Opened> openDatabase(const fs::path &folder)
{
    std::error_code failed, ignored;
    fs::create_directories(folder / "media", failed);
    if (failed && !fs::exists(folder, ignored))
        return Error{failed == std::errc::permission_denied ? ErrorCode::InvalidInput : ErrorCode::Io,
                     "making the folder " + folder.string() + ": " + failed.message()};
    const fs::path file = folder / "conversations.db";
    for (const fs::path &read : {folder, file}) {
        if (::access(read.c_str(), read == folder ? R_OK | X_OK : R_OK) != 0 && errno == EACCES)
            return Error{ErrorCode::InvalidInput, read.string() + " may not be read: there is no permission"};
    }
    const bool hadOne = fs::exists(folder / kMarker, failed);
    // An empty file without the marker was left by a program that died in making its first store.
    if (fs::exists(file, failed) && (hadOne || fs::file_size(file, failed) > 0))
        return openExisting(file);
    if (!fs::exists(file, failed) && (hadOne || fs::exists(folder / "conversations.db-wal", failed)))
        return Error{
            ErrorCode::NotFound,
            "the file " + file.string() +
                " is missing, though there were conversations in this folder; put it back from a copy, or "
                "remove " +
                (folder / kMarker).string() + " to begin without them"};
    if (::access(folder.c_str(), W_OK) != 0 && errno == EACCES)
        return Error{ErrorCode::InvalidInput,
                     folder.string() + " may not be written: there is no permission"};
    return createNew(file);
}

/// From `last` up to the beginning, then turned round.
std::vector<StoredMessage> pathTo(std::vector<StoredMessage> messages, MessageId last)
{
    std::map<MessageId, std::size_t> byId;
    for (std::size_t i = 0; i < messages.size(); ++i)
        byId[messages[i].id] = i;
    std::vector<StoredMessage> path;
    for (auto at = byId.find(last); at != byId.end();) {
        const std::size_t index = at->second;
        byId.erase(at); // so that a damaged tree with a loop ends
        const MessageId parent = messages[index].parent;
        path.push_back(std::move(messages[index]));
        at = byId.find(parent);
    }
    std::ranges::reverse(path);
    return path;
}

} // namespace

ConversationStore::ConversationStore(fs::path folder, Database database, BlobFolder blobs)
    : m_folder(std::move(folder)),
      m_database(std::move(database)),
      m_blobs(std::move(blobs))
{
}

Result<std::unique_ptr<ConversationStore>> ConversationStore::open(const fs::path &folder)
{
    Result<Opened> opened = openDatabase(folder);
    if (!opened)
        return std::move(opened).error();
    std::unique_ptr<ConversationStore> store(
        new ConversationStore(folder, std::move(opened->database), BlobFolder(folder / "media")));
    store->m_readOnlyReason = std::move(opened->readOnlyReason);
    store->m_readOnlyCode = opened->readOnlyCode;
    if (!store->m_readOnlyReason.empty())
        return store;

    Status ready = Done{};
    Result<WriterLock> writer = WriterLock::take(folder / "writers");
    if (writer) {
        store->m_writer = std::move(*writer);
        ready = store->closeAbandonedReplies();
    } else {
        ready = std::move(writer).error();
    }
    if (!ready && ready.error().code == ErrorCode::NoSpace) {
        store->m_readOnlyReason = kFullReason;
        store->m_readOnlyCode = ErrorCode::NoSpace;
        return store;
    }
    if (!ready)
        return std::move(ready).error().during("opening " + (folder / "conversations.db").string());
    return store;
}

Result<std::unique_ptr<ConversationStore>> ConversationStore::openForReading(const fs::path &folder)
{
    const fs::path file = folder / "conversations.db";
    std::error_code failed;
    if (!fs::exists(file, failed))
        return Error{ErrorCode::NotFound, "there are no conversations in " + folder.string()};
    Result<Database> database = Database::open(file, Database::Mode::ReadOnly);
    if (!database)
        return std::move(database).error();
    const Result<std::int64_t> version = database->integer("PRAGMA user_version");
    if (!version)
        return Error(version.error()).during("opening " + file.string());
    if (*version < currentSchemaVersion())
        database = inMemory(*database);
    if (!database)
        return std::move(database).error().during("opening " + file.string());
    std::unique_ptr<ConversationStore> store(
        new ConversationStore(folder, std::move(*database), BlobFolder(folder / "media")));
    store->m_readOnlyReason = "the conversations were opened for reading alone";
    return store;
}

Status ConversationStore::writable() const
{
    if (!m_readOnlyReason.empty())
        return Error{m_readOnlyCode, m_readOnlyReason};
    return Done{};
}

Result<ConversationId> ConversationStore::create(std::string_view title, std::string_view systemPrompt)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Statement insert(m_database,
                     "INSERT INTO conversation (title, title_source, system_prompt, created_ms, updated_ms)"
                     " VALUES (?1, ?2, ?3, ?4, ?4)");
    insert.bind(title, title.empty() ? "none" : "person", systemPrompt, nowMs());
    if (Status inserted = insert.run(); !inserted)
        return std::move(inserted).error().during("beginning a conversation");
    return m_database.lastInsertId();
}

namespace {

// Tags in one value, split by a character that can't be typed into one line.
constexpr char kBetweenTags = '\n';
const std::string kRowColumns =
    "id, title, created_ms, updated_ms, deleted_ms, pinned_ms, archived_ms, folder_id,"
    " (SELECT group_concat(name, char(10)) FROM (SELECT name FROM conversation_tag WHERE conversation_id = "
    "c.id"
    " ORDER BY name)), pin_order";

ConversationRow rowOf(const Statement &query)
{
    ConversationRow row;
    row.id = query.integer(0);
    row.title = query.text(1);
    row.createdMs = query.integer(2);
    row.updatedMs = query.integer(3);
    row.deletedMs = query.integer(4);
    row.pinnedMs = query.integer(5);
    row.archivedMs = query.integer(6);
    row.folder = query.integer(7);
    std::istringstream tags(query.text(8));
    for (std::string tag; std::getline(tags, tag, kBetweenTags);)
        row.tags.push_back(tag);
    row.pinOrder = query.integer(9);
    return row;
}

} // namespace

Result<std::vector<ConversationRow>> ConversationStore::list(Which which)
{
    Statement query(
        m_database,
        "SELECT " + kRowColumns +
            ", (SELECT count(*) FROM message m WHERE m.conversation_id = c.id AND m.deleted_ms IS NULL)"
            " FROM conversation c WHERE (deleted_ms IS NOT NULL) = ? ORDER BY updated_ms DESC, id DESC");
    query.bind(which == Which::Deleted);
    std::vector<ConversationRow> rows;
    while (query.row()) {
        rows.push_back(rowOf(query));
        rows.back().messages = static_cast<std::uint64_t>(query.integer(10));
    }
    if (Status read = query.status(); !read)
        return std::move(read).error().during("listing the conversations");
    return rows;
}

Result<StoredConversation> ConversationStore::load(ConversationId id)
{
    Statement query(m_database,
                    "SELECT " + kRowColumns + ", system_prompt, tip_id FROM conversation c WHERE id = ?");
    query.bind(id);
    if (!query.row()) {
        if (Status read = query.status(); !read)
            return std::move(read).error().during("opening a conversation");
        return Error{ErrorCode::NotFound, "there is no conversation " + std::to_string(id)};
    }
    StoredConversation conversation;
    conversation.row = rowOf(query);
    conversation.systemPrompt = query.text(10);
    MessageId tip = query.integer(11);

    Result<std::vector<StoredMessage>> tree = loadTree(id);
    if (!tree)
        return std::move(tree).error();
    conversation.row.messages = tree->size();
    conversation.row.damaged = std::ranges::any_of(*tree, [](const StoredMessage &message) {
        return message.state == MessageState::Complete && !message.note.empty();
    });
    // A tip that is gone must not hide what is there.
    if (!tree->empty() && std::ranges::find(*tree, tip, &StoredMessage::id) == tree->end())
        tip = tree->back().id;
    conversation.path = pathTo(std::move(*tree), tip);
    return conversation;
}

Result<std::vector<StoredMessage>> ConversationStore::loadTree(ConversationId id)
{
    Result<std::vector<StoredMessage>> messages =
        readMessages(m_database, m_blobs, {MessageScope::By::Conversation, id});
    if (!messages)
        return std::move(messages).error().during("reading conversation " + std::to_string(id));
    // A parent has a lower number than its children: one pass finds what hangs on a branch in the bin.
    std::set<MessageId> seen{0};
    std::vector<StoredMessage> kept;
    for (StoredMessage &message : *messages) {
        if (!seen.contains(message.parent))
            continue;
        seen.insert(message.id);
        kept.push_back(std::move(message));
    }
    return kept;
}

Result<std::vector<StoredMessage>> ConversationStore::loadPath(MessageId last)
{
    Statement query(m_database, "SELECT conversation_id FROM message WHERE id = ?");
    query.bind(last);
    if (!query.row()) {
        if (Status read = query.status(); !read)
            return std::move(read).error();
        return Error{ErrorCode::NotFound, "there is no message " + std::to_string(last)};
    }
    Result<std::vector<StoredMessage>> tree = loadTree(query.integer(0));
    if (!tree)
        return tree;
    return pathTo(std::move(*tree), last);
}

Result<StoredMessage> ConversationStore::message(MessageId id)
{
    return readMessage(m_database, m_blobs, id);
}

Result<StoredMessage> ConversationStore::append(ConversationId id, MessageId parent, const Message &message)
{
    return appendMessage(id, parent, message, /*clearDraft=*/false);
}

Result<StoredMessage> ConversationStore::appendUserMessage(ConversationId id, MessageId parent,
                                                           const Message &message)
{
    return appendMessage(id, parent, message, /*clearDraft=*/true);
}

Result<StoredMessage> ConversationStore::appendMessage(ConversationId id, MessageId parent,
                                                       const Message &message, bool clearDraft)
{
    if (Status may = writable(); !may)
        return std::move(may).error();
    Result<StoredMessage> stored = appendInTransaction(id, parent, message, clearDraft);
    if (!stored)
        return std::move(stored).error().during("keeping the message");
    return stored;
}

Result<std::vector<BlobFolder::Blob>> ConversationStore::keepMedia(const Message &message)
{
    std::vector<BlobFolder::Blob> blobs;
    for (const Part &part : message.parts) {
        const auto *media = std::get_if<MediaPart>(&part);
        if (!media)
            continue;
        Result<BlobFolder::Blob> blob = m_blobs.add(media->path);
        if (!blob)
            return std::move(blob).error();
        blobs.push_back(std::move(*blob));
    }
    return blobs;
}

Status ConversationStore::noteMedia(const std::vector<BlobFolder::Blob> &blobs)
{
    for (const BlobFolder::Blob &blob : blobs) {
        Statement insert(m_database,
                         "INSERT OR IGNORE INTO media (sha256, bytes, created_ms) VALUES (?, ?, ?)");
        insert.bind(blob.sha256, blob.bytes, nowMs());
        if (Status inserted = insert.run(); !inserted)
            return inserted;
    }
    return Done{};
}

Result<StoredMessage> ConversationStore::appendInTransaction(ConversationId id, MessageId parent,
                                                             const Message &message, bool clearDraft)
{
    // Copied before the transaction, so that a large file keeps nobody waiting.
    Result<std::vector<BlobFolder::Blob>> blobs = keepMedia(message);
    if (!blobs)
        return std::move(blobs).error();
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    // Another program may have emptied the bin in between; inside the transaction none can.
    if (std::error_code failed; !std::ranges::all_of(*blobs, [&failed](const BlobFolder::Blob &blob) {
            return fs::is_regular_file(blob.path, failed);
        }))
        blobs = keepMedia(message);
    if (!blobs)
        return std::move(blobs).error();
    if (Status noted = noteMedia(*blobs); !noted)
        return std::move(noted).error();

    const ConversationId draftOf = id;
    if (id == 0) {
        const Result<ConversationId> begun = create();
        if (!begun)
            return begun.error();
        id = *begun;
    }
    Result<MessageId> messageId = insertMessage(m_database, id, parent, message, *blobs);
    if (!messageId)
        return std::move(messageId).error();
    if (Status moved = moveTip(id, *messageId); !moved)
        return std::move(moved).error();
    if (message.role == Role::User) {
        Statement name(m_database, "UPDATE conversation SET title = ?, title_source = 'message'"
                                   " WHERE id = ? AND title_source = 'none'");
        name.bind(titleFor(message), id);
        if (Status named = name.run(); !named)
            return std::move(named).error();
    }
    if (clearDraft) {
        Statement clear(m_database, "DELETE FROM draft WHERE conversation_id IS nullif(?, 0)");
        clear.bind(draftOf);
        if (Status cleared = clear.run(); !cleared)
            return std::move(cleared).error();
    }
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error();
    return readMessage(m_database, m_blobs, *messageId);
}

Status ConversationStore::moveTip(ConversationId id, MessageId tip)
{
    Statement update(m_database,
                     "UPDATE conversation SET tip_id = ?, updated_ms = max(updated_ms, ?) WHERE id = ?");
    update.bind(tip, nowMs(), id);
    if (Status updated = update.run(); !updated)
        return updated;
    if (m_database.changes() == 0)
        return Error{ErrorCode::NotFound, "there is no conversation " + std::to_string(id)};
    // What goes on from a branch that another program put into the bin meanwhile brings it back: it can be
    // seen.
    Statement back(m_database,
                   "UPDATE message SET deleted_ms = NULL WHERE deleted_ms IS NOT NULL AND id IN ("
                   " WITH RECURSIVE up (id, parent_id) AS ("
                   " SELECT id, parent_id FROM message WHERE id = ?"
                   " UNION ALL SELECT m.id, m.parent_id FROM up JOIN message m ON m.id = up.parent_id)"
                   " SELECT id FROM up)");
    back.bind(tip);
    return back.run();
}

} // namespace perilune
