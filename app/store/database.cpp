#include "app/store/database.h"

#include "app/store/statement.h"

#include <sqlite3.h>

#include <cerrno>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace {

constexpr int kBusyTimeoutMs = 10'000;

std::string uriPath(const std::string &path)
{
    std::string escaped;
    for (const char c : path) {
        if (c == '%')
            escaped += "%25";
        else if (c == '?')
            escaped += "%3f";
        else if (c == '#')
            escaped += "%23";
        else
            escaped += c;
    }
    return escaped;
}

/// Whether the operating system's last word to `handle`, or of its disk, is that there is no space. SQLite
/// has a code of its own only for some of the calls that fail then.
bool isFull(sqlite3 *handle)
{
    const int code = sqlite3_system_errno(handle);
    if (code == ENOSPC || code == EDQUOT)
        return true;
    const char *file = sqlite3_db_filename(handle, "main");
    struct statvfs disk = {};
    return file && *file && ::statvfs(file, &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0;
}

} // namespace

void Database::Close::operator()(sqlite3 *handle) const
{
    sqlite3_close_v2(handle);
}

Result<Database> Database::open(const std::filesystem::path &path, Mode mode)
{
    // SQLite would wait for somebody to write into a pipe.
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        return Error{ErrorCode::Corrupt, path.string() + " is not a file, but a folder, a pipe or a device"};
    const int access =
        mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    // Without the right to make its -shm file SQLite reads a database only where it is told that nobody
    // writes.
    const bool still = mode == Mode::ReadOnly && !std::filesystem::exists(path.string() + "-wal", ignored) &&
                       ::access(path.parent_path().c_str(), W_OK) != 0;
    const std::string name = still ? "file:" + uriPath(path.string()) + "?immutable=1" : path.string();
    sqlite3 *handle = nullptr;
    const int status = sqlite3_open_v2(name.c_str(), &handle,
                                       access | SQLITE_OPEN_NOMUTEX | (still ? SQLITE_OPEN_URI : 0), nullptr);
    Database database(handle);
    if (!handle)
        return Error{ErrorCode::OutOfMemory, "opening " + path.string() + ": main memory is full"};
    if (status != SQLITE_OK)
        return database.lastError("opening " + path.string());

    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyTimeoutMs);
    // FULL: in WAL mode only then does a commit survive a loss of power, and we commit once a second at most.
    const std::string settings =
        mode == Mode::ReadOnly ? "PRAGMA foreign_keys = ON; PRAGMA query_only = ON;"
        : mode == Mode::ReadAlone
            // What programs share is kept in memory then.
            ? "PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = ON; PRAGMA query_only = ON;"
            : "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
    if (Status set = database.run(settings); !set)
        return std::move(set).error().during("opening " + path.string());
    return database;
}

Status Database::run(const std::string &sql)
{
    if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return lastError("running SQL");
    return Done{};
}

Result<std::int64_t> Database::integer(const std::string &sql)
{
    Statement statement(*this, sql);
    const std::int64_t value = statement.row() ? statement.integer(0) : 0;
    if (Status read = statement.status(); !read)
        return std::move(read).error();
    return value;
}

std::int64_t Database::lastInsertId() const
{
    return sqlite3_last_insert_rowid(handle());
}

std::int64_t Database::changes() const
{
    return sqlite3_changes64(handle());
}

Error Database::lastError(std::string_view doing) const
{
    const auto fail = [doing](ErrorCode code, std::string message) {
        return Error{code, std::move(message)}.during(doing);
    };
    switch (sqlite3_errcode(handle()) & 0xff) { // the low byte is the kind, the rest says more
    case SQLITE_IOERR:
        if (isFull(handle()))
            return fail(ErrorCode::NoSpace, "the disk is full");
        return fail(ErrorCode::Io, sqlite3_errmsg(handle()));
    case SQLITE_FULL: return fail(ErrorCode::NoSpace, "the disk is full");
    case SQLITE_NOTADB:
        return fail(ErrorCode::Corrupt, "the file is not a database of conversations, or it is damaged");
    case SQLITE_CORRUPT: return fail(ErrorCode::Corrupt, "the database of conversations is damaged");
    case SQLITE_BUSY:
        return fail(ErrorCode::Io,
                    "another program has kept the conversations locked for too long; try again");
    case SQLITE_READONLY: return fail(ErrorCode::Io, "the database of conversations can't be written");
    case SQLITE_CANTOPEN:
        if (const int code = sqlite3_system_errno(handle()); code == ENOSPC || code == EDQUOT)
            return fail(ErrorCode::NoSpace, "the disk is full");
        return fail(ErrorCode::Io, "the file can't be opened");
    case SQLITE_NOMEM: return fail(ErrorCode::OutOfMemory, "main memory is full");
    default: return fail(ErrorCode::Io, sqlite3_errmsg(handle()));
    }
}

Result<Transaction> Transaction::begin(Database &database)
{
    if (Status begun = database.run("BEGIN IMMEDIATE"); !begun)
        return std::move(begun).error();
    return Transaction(database);
}

Transaction::~Transaction()
{
    // Some failures (disk full) have rolled back already; a second time does no harm.
    if (m_database)
        (void)m_database->run("ROLLBACK");
}

Status Transaction::commit()
{
    CHECK(m_database);
    Status done = m_database->run("COMMIT");
    if (done)
        m_database = nullptr;
    return done;
}

Status copyDatabase(Database &from, Database &to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
    if (!backup)
        return to.lastError("copying the conversations");
    int code = SQLITE_OK;
    do {
        code = sqlite3_backup_step(backup,
                                   -1); // in one go, so that writing meanwhile can't begin it anew for ever
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
            sqlite3_sleep(50);
    } while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
    if (const int finished = sqlite3_backup_finish(backup); finished != SQLITE_OK)
        return to.lastError("copying the conversations");
    return Done{};
}

} // namespace perilune
