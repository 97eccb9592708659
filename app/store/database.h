#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;

namespace perilune {

/// One SQLite connection. Lives on, and is touched by, one thread.
class Database {
public:
    enum class Mode {
        ReadWrite,
        ReadOnly,
        ReadAlone, ///< for reading where not even the file that programs share can be made: the disk is full
    };

    /// Opens or (ReadWrite) creates `path`; ":memory:" works. Foreign keys and write-ahead logging are on, a
    /// commit is on the disk when it returns, and another program's write is waited for (10 s at most).
    static Result<Database> open(const std::filesystem::path &path, Mode mode = Mode::ReadWrite);

    /// Runs one or more statements that return no rows.
    Status run(const std::string &sql);

    /// The first column of the first row, or 0 where there is none.
    Result<std::int64_t> integer(const std::string &sql);

    std::int64_t lastInsertId() const;
    std::int64_t changes() const; ///< rows that the last statement changed

    /// What the connection last complained of, as a sentence: "DOING: …".
    Error lastError(std::string_view doing) const;

    sqlite3 *handle() const { return m_handle.get(); }

private:
    struct Close {
        void operator()(sqlite3 *handle) const;
    };
    explicit Database(sqlite3 *handle) : m_handle(handle) {}

    std::unique_ptr<sqlite3, Close> m_handle;
};

/// BEGIN IMMEDIATE … COMMIT; rolls back where commit() wasn't reached.
class Transaction {
public:
    static Result<Transaction> begin(Database &database);
    ~Transaction();
    Transaction(Transaction &&other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
    Transaction &operator=(Transaction &&) = delete;

    Status commit();

private:
    explicit Transaction(Database &database) : m_database(&database) {}

    Database *m_database; // null once over
};

/// All of `from` into `to`, which is emptied. Other programs may go on writing into `from`; `to` gets one
/// state of it.
Status copyDatabase(Database &from, Database &to);

} // namespace perilune
