// ConversationStore: those that have no file.
#include "app/store/conversation_store.h"
#include "app/store/schema.h"

#include "engine/base/check.h"

namespace perilune {

Result<std::unique_ptr<ConversationStore>>
ConversationStore::withoutFile(const std::filesystem::path &folder, const std::filesystem::path &mediaFolder)
{
    Result<Database> database = Database::open(":memory:");
    if (!database)
        return std::move(database).error();
    if (Status migrated = migrate(*database, migrations(), {}); !migrated)
        return std::move(migrated).error();
    return std::unique_ptr<ConversationStore>(
        new ConversationStore(folder, *std::move(database), BlobFolder(mediaFolder)));
}

Result<std::unique_ptr<ConversationStore>>
ConversationStore::temporary(const std::filesystem::path &mediaFolder)
{
    Result<std::unique_ptr<ConversationStore>> store = withoutFile({}, mediaFolder);
    if (!store)
        return store;
    const std::string last = std::to_string(ConversationId{1} << 40);
    // SQLite writes large sorts into files of its own, unless it is told not to.
    if (Status numbered = (*store)->m_database.run(
            "PRAGMA temp_store = MEMORY; INSERT INTO sqlite_sequence (name, seq) VALUES ('conversation', " +
            last + "), ('message', " + last + ")");
        !numbered)
        return std::move(numbered).error();
    return store;
}

std::unique_ptr<ConversationStore> ConversationStore::standIn(const std::filesystem::path &folder,
                                                              const std::string &reason)
{
    Result<std::unique_ptr<ConversationStore>> store = withoutFile(folder, folder / "media");
    CHECK(store); // no file is touched
    (*store)->m_readOnlyReason = reason;
    return *std::move(store);
}

} // namespace perilune
