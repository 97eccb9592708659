#include "app/store/statement.h"

#include <sqlite3.h>

#include <utility>

namespace perilune {

void Statement::Finalize::operator()(sqlite3_stmt *statement) const
{
    sqlite3_finalize(statement);
}

Statement::Statement(Database &database, std::string_view sql) : m_database(&database)
{
    sqlite3_stmt *statement = nullptr;
    note(
        sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    m_statement.reset(statement);
}

bool Statement::row()
{
    if (!m_status)
        return false;
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        note(code);
    return false;
}

Status Statement::run()
{
    const bool more = row();
    CHECK(!more); // a statement with rows must be read with row()
    return m_status;
}

void Statement::reset()
{
    if (m_status)
        sqlite3_reset(m_statement.get());
}

Status Statement::status() const
{
    return m_status;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_statement.get(), column);
}

std::string Statement::text(int column) const
{
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_statement.get(), column));
    if (!bytes)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

void Statement::bindAt(int index, std::string_view text)
{
    if (m_status)
        note(sqlite3_bind_text64(m_statement.get(), index, text.data() ? text.data() : "", text.size(),
                                 SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bindAt(int index, std::int64_t number)
{
    if (m_status)
        note(sqlite3_bind_int64(m_statement.get(), index, number));
}

void Statement::bindAt(int index, double number)
{
    if (m_status)
        note(sqlite3_bind_double(m_statement.get(), index, number));
}

void Statement::bindAt(int index, std::nullptr_t)
{
    if (m_status)
        note(sqlite3_bind_null(m_statement.get(), index));
}

void Statement::note(int code)
{
    if (code != SQLITE_OK && m_status)
        m_status = m_database->lastError("reading or writing the conversations");
}

} // namespace perilune
