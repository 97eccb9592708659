#pragma once

#include "app/store/database.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace perilune {

/// A prepared statement. Parameters count from 1, columns from 0, as SQLite has it.
///
/// Errors stick: after the first one, row() gives false, run() gives it, and status() tells. So a query is
/// read in a plain loop and asked once at its end whether it went well.
class Statement {
public:
    Statement(Database &database, std::string_view sql);

    /// Binds the values in order, from parameter 1.
    template <typename... Values>
    Statement &bind(const Values &...values)
    {
        int index = 0;
        (bindAt(++index, values), ...);
        return *this;
    }

    /// Steps to the next row. False at the end or on failure.
    bool row();
    /// Steps a statement that returns no rows.
    Status run();
    /// Makes it ready to be bound and run again.
    void reset();
    Status status() const;

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    bool isNull(int column) const;

private:
    void bindAt(int index, std::string_view text);
    void bindAt(int index, std::int64_t number);
    void bindAt(int index, double number);
    void bindAt(int index, std::nullptr_t);
    void bindAt(int index, const std::string &text) { bindAt(index, std::string_view(text)); }
    void bindAt(int index, const char *text) { bindAt(index, std::string_view(text)); }
    void bindAt(int index, std::uint32_t number) { bindAt(index, std::int64_t{number}); }
    void bindAt(int index, std::uint64_t number) { bindAt(index, static_cast<std::int64_t>(number)); }
    void bindAt(int index, int number) { bindAt(index, std::int64_t{number}); }
    template <typename T>
    void bindAt(int index, const std::optional<T> &value)
    {
        value ? bindAt(index, *value) : bindAt(index, nullptr);
    }
    void bindAt(int index, bool flag) { bindAt(index, std::int64_t{flag}); }
    void note(int code);

    struct Finalize {
        void operator()(sqlite3_stmt *statement) const;
    };
    Database *m_database;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    Status m_status = Done{};
};

} // namespace perilune
