// ConversationStore: a copy of everything in another folder, and back.
#include "app/store/backup.h"

#include "app/store/conversation_store.h"
#include "app/store/statement.h"
#include "engine/base/output_file.h"
#include "engine/base/read_file.h"

#include <nlohmann/json.hpp>

#include <system_error>

namespace perilune {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

namespace {

constexpr auto kDatabase = "conversations.db";
constexpr auto kManifest = "manifest.json";
constexpr std::uint64_t kLongestManifest = 1 << 30; // a hundred bytes for each medium

Error fileFault(const std::string &doing, const std::error_code &why)
{
    const bool full = why == std::errc::no_space_on_device;
    return {full ? ErrorCode::NoSpace : ErrorCode::Io,
            doing + ": " + (full ? "the disk is full" : why.message())};
}

Status makeFolder(const fs::path &folder)
{
    std::error_code failed;
    if (fs::exists(folder / kDatabase, failed))
        return Error{ErrorCode::InvalidInput,
                     "there are conversations in " + folder.string() + " already; name another folder"};
    fs::create_directories(folder, failed);
    if (failed)
        return fileFault("making the folder " + folder.string(), failed);
    return Done{};
}

Status stepOf(const BackupStep &step, std::uint64_t done, std::uint64_t all)
{
    return step ? step(done, all) : Status(Done{});
}

std::uint64_t count(Database &database, const std::string &sql)
{
    const Result<std::int64_t> rows = database.integer(sql);
    return rows ? static_cast<std::uint64_t>(*rows) : 0;
}

/// The names of all media that `database` knows.
Result<std::vector<std::string>> mediaOf(Database &database)
{
    std::vector<std::string> names;
    Statement media(database, "SELECT sha256 FROM media");
    while (media.row())
        names.push_back(media.text(0));
    if (Status read = media.status(); !read)
        return std::move(read).error();
    return names;
}

/// Copies the media `names`, one after another; gives those that were copied, with their sizes.
Result<Json> copyMedia(const BlobFolder &from, const BlobFolder &to, const std::vector<std::string> &names,
                       const BackupStep &step, BackupReport &report)
{
    Json copied = Json::array();
    std::uint64_t done = 0;
    for (const std::string &name : names) {
        if (Status whole = from.verify(name); !whole) {
            report.faults.push_back(whole.error().message); // the words are worth keeping all the same
        } else {
            const Result<BlobFolder::Blob> blob = to.add(from.pathOf(name));
            if (!blob)
                return Error(blob.error()).during("copying media to " + to.folder().string());
            copied.push_back({
                {"sha256", name       },
                {"bytes",  blob->bytes}
            });
            ++report.media;
            report.bytes += blob->bytes;
        }
        if (Status on = stepOf(step, ++done, names.size()); !on)
            return std::move(on).error();
    }
    return copied;
}

/// Counts what the database at `place` has, and copies the media that it names: the database says what
/// belongs to it, not another program's original, which may have more by now, nor a manifest, which anybody
/// may write.
Result<Json> copyNamedMedia(const fs::path &place, const BlobFolder &from, const BlobFolder &to,
                            const BackupStep &step, BackupReport &report)
{
    Result<Database> database = Database::open(place, Database::Mode::ReadOnly);
    if (!database)
        return std::move(database).error();
    report.conversations = count(*database, "SELECT count(*) FROM conversation");
    report.messages = count(*database, "SELECT count(*) FROM message");
    const Result<std::vector<std::string>> names = mediaOf(*database);
    if (!names)
        return names.error();
    return copyMedia(from, to, *names, step, report);
}

struct Manifest {
    std::string database; ///< its SHA-256; all else of a backup is looked up in it
};

Result<Manifest> readManifest(const fs::path &folder)
{
    const fs::path file = folder / kManifest;
    const Result<std::string> words = readFile(file.string(), kLongestManifest);
    if (!words && words.error().code == ErrorCode::NotFound)
        return Error{ErrorCode::NotFound,
                     folder.string() + " is no backup: there is no " + kManifest + " in it"};
    if (!words)
        return Error{ErrorCode::Corrupt, words.error().message};
    const Json json = Json::parse(*words, nullptr, false);
    const auto text = [](const Json &from, const char *key) {
        return from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>()
                                                                               : "";
    };
    const auto number = [](const Json &from, const char *key) {
        return from.contains(key) && from[key].is_number_unsigned() ? from[key].get<std::uint64_t>() : 0;
    };
    if (text(json, "format") != "perilune-backup")
        return Error{ErrorCode::Corrupt, file.string() + " is not what a backup says of itself"};
    if (number(json, "version") != 1)
        return Error{ErrorCode::Unsupported, file.string() + " was written by a newer version of Perilune"};
    return Manifest{json.contains("database") ? text(json["database"], "sha256") : std::string()};
}

} // namespace

Result<BackupReport> ConversationStore::backup(const fs::path &folder, const BackupStep &step)
{
    if (Status made = makeFolder(folder); !made)
        return std::move(made).error();
    std::error_code failed;
    const fs::path unfinished = folder / (std::string(kDatabase) + ".unfinished");
    fs::remove(unfinished, failed);
    // Copying isn't writing: what can only be read (the disk is full, say) is worth a backup elsewhere.
    if (Status may = m_database.run("PRAGMA query_only = OFF"); !may)
        return std::move(may).error();
    Statement copy(m_database, "VACUUM INTO ?");
    copy.bind(unfinished.string());
    Status copied = copy.run();
    if (!m_readOnlyReason.empty()) {
        if (Status again = m_database.run("PRAGMA query_only = ON"); !again)
            return std::move(again).error();
    }
    if (!copied) {
        fs::remove(unfinished, failed);
        fs::remove(unfinished.string() + "-journal", failed);
        return std::move(copied).error().during("copying the conversations to " + folder.string());
    }

    BackupReport report;
    const Result<Json> media =
        copyNamedMedia(unfinished, m_blobs, BlobFolder(folder / "media"), step, report);
    if (!media) {
        fs::remove(unfinished, failed);
        return media.error();
    }
    const Result<BlobFolder::Blob> whole = hashFile(unfinished);
    if (!whole)
        return whole.error();
    report.bytes += whole->bytes;
    const Json manifest = {
        {"format",        "perilune-backup"                                   },
        {"version",       1                                                   },
        {"created_ms",    nowMs()                                             },
        {"conversations", report.conversations                                },
        {"messages",      report.messages                                     },
        {"database",      {{"sha256", whole->sha256}, {"bytes", whole->bytes}}},
        {"media",         *media                                              }
    };
    if (Status written = replaceFile(folder / kManifest, manifest.dump(1) + '\n'); !written)
        return std::move(written).error();
    fs::rename(unfinished, folder / kDatabase, failed); // last: without it there are no conversations here
    if (failed)
        return fileFault("naming the copy in " + folder.string(), failed);
    return report;
}

Result<BackupReport> restoreBackup(const fs::path &backup, const fs::path &folder, const BackupStep &step)
{
    const Result<Manifest> manifest = readManifest(backup);
    if (!manifest)
        return manifest.error();
    const Result<BlobFolder::Blob> database = hashFile(backup / kDatabase);
    if (!database)
        return Error(database.error()).during("reading the backup");
    if (database->sha256 != manifest->database)
        return Error{ErrorCode::Corrupt, (backup / kDatabase).string() +
                                             " is damaged, or was changed since the backup was made; "
                                             "if it opens with --data, make another backup of it"};
    if (Status made = makeFolder(folder); !made)
        return std::move(made).error();

    std::error_code failed;
    const fs::path unfinished = folder / (std::string(kDatabase) + ".unfinished");
    fs::copy_file(backup / kDatabase, unfinished, fs::copy_options::overwrite_existing, failed);
    const Result<BlobFolder::Blob> copied =
        failed ? Result<BlobFolder::Blob>(fileFault("", failed)) : hashFile(unfinished);
    std::error_code ignored;
    if (failed || !copied || copied->sha256 != manifest->database) {
        fs::remove(unfinished, ignored);
        return failed ? fileFault("copying the conversations to " + folder.string(), failed)
                      : Error{ErrorCode::Io, "the copy in " + folder.string() + " did not become the same"};
    }
    BackupReport report;
    const Result<Json> media =
        copyNamedMedia(unfinished, BlobFolder(backup / "media"), BlobFolder(folder / "media"), step, report);
    if (!media) {
        fs::remove(unfinished, ignored);
        return media.error();
    }
    report.bytes += copied->bytes;
    fs::rename(unfinished, folder / kDatabase, failed);
    if (failed)
        return fileFault("naming the copy in " + folder.string(), failed);
    return report;
}

} // namespace perilune
