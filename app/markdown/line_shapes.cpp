#include "app/markdown/line_shapes.h"

#include <algorithm>

namespace perilune {

namespace {

constexpr std::size_t kLongestRow = 1000; // bytes of a table's row; so that an endless line costs nothing

bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isBlank(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return isSpace(c) || c == '\r'; });
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (isSpace(text.back()) || text.back() == '\r'))
        text.remove_suffix(1);
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    return text;
}

std::size_t runOf(std::string_view text, char c)
{
    return std::min(text.find_first_not_of(c), text.size());
}

/// The line is marks of one kind and white space: the number of marks, else 0.
std::size_t onlyMarks(std::string_view text, char mark)
{
    std::size_t marks = 0;
    for (const char c : text) {
        if (c == mark)
            ++marks;
        else if (!isSpace(c) && c != '\r')
            return 0;
    }
    return marks;
}

} // namespace

std::size_t LineCursor::indent() const
{
    std::size_t columns = m_tabLeft;
    std::size_t column = m_column + m_tabLeft;
    for (std::size_t at = m_at; at < m_line.size() && isSpace(m_line[at]); ++at) {
        const std::size_t width = m_line[at] == '\t' ? 4 - column % 4 : 1;
        columns += width;
        column += width;
    }
    return columns;
}

std::string_view LineCursor::rest() const
{
    std::size_t at = m_at;
    while (at < m_line.size() && isSpace(m_line[at]))
        ++at;
    return m_line.substr(at);
}

char LineCursor::first() const
{
    const std::string_view left = rest();
    return left.empty() || left == "\r" ? '\0' : left.front();
}

void LineCursor::skipColumns(std::size_t count)
{
    while (count > 0) {
        if (m_tabLeft > 0) {
            --m_tabLeft;
        } else if (m_at < m_line.size() && m_line[m_at] == '\t') {
            m_tabLeft = 3 - m_column % 4;
            ++m_at;
        } else {
            m_at = std::min(m_at + 1, m_line.size());
        }
        ++m_column;
        --count;
    }
}

void LineCursor::skipQuoteMark()
{
    skipColumns(indent() + 1);
    if (indent() > 0)
        skipColumns(1);
}

std::optional<ListMarker> listMarker(const LineCursor &cursor)
{
    const std::string_view text = cursor.rest();
    if (text.empty() || cursor.indent() > 3)
        return std::nullopt;
    ListMarker marker;
    std::size_t width = 1;
    if (text[0] == '-' || text[0] == '+' || text[0] == '*') {
        if (isRule(cursor))
            return std::nullopt;
        marker.mark = text[0];
    } else {
        std::size_t digits = 0;
        while (digits < text.size() && digits < 10 && isDigit(text[digits]))
            marker.number = 10 * marker.number + static_cast<std::uint64_t>(text[digits++] - '0');
        if (digits == 0 || digits > 9 || digits == text.size() ||
            (text[digits] != '.' && text[digits] != ')'))
            return std::nullopt;
        marker.mark = text[digits];
        marker.ordered = true;
        width = digits + 1;
    }
    if (width < text.size() && !isSpace(text[width]) && text[width] != '\r')
        return std::nullopt;

    LineCursor after = cursor;
    after.skipColumns(cursor.indent() + width);
    marker.empty = after.blank();
    const std::size_t gap = after.indent();
    // Five columns and more begin with indented code, one column after the marker.
    marker.contentColumns = cursor.indent() + width + (marker.empty || gap > 4 ? 1 : gap);
    return marker;
}

std::optional<Fence> openingFence(const LineCursor &cursor)
{
    const char mark = cursor.first();
    if ((mark != '`' && mark != '~') || cursor.indent() > 3)
        return std::nullopt;
    const std::string_view text = cursor.rest();
    const std::size_t length = runOf(text, mark);
    if (length < 3)
        return std::nullopt;
    const std::string_view info = trimmed(text.substr(length));
    if (mark == '`' && info.find('`') != std::string_view::npos)
        return std::nullopt;
    return Fence{mark, length, info.substr(0, info.find_first_of(" \t"))};
}

bool closesFence(const LineCursor &cursor, char mark, std::size_t length)
{
    if (cursor.first() != mark || cursor.indent() > 3)
        return false;
    const std::string_view text = cursor.rest();
    const std::size_t run = runOf(text, mark);
    return run >= length && isBlank(text.substr(run));
}

std::uint32_t headingLevel(const LineCursor &cursor)
{
    if (cursor.first() != '#')
        return 0;
    const std::string_view text = cursor.rest();
    const std::size_t level = runOf(text, '#');
    if (level > 6 || (level < text.size() && !isSpace(text[level]) && text[level] != '\r'))
        return 0;
    return static_cast<std::uint32_t>(level);
}

bool isRule(const LineCursor &cursor)
{
    const char mark = cursor.first();
    return (mark == '-' || mark == '*' || mark == '_') && onlyMarks(cursor.rest(), mark) >= 3;
}

bool isSetextUnderline(const LineCursor &cursor)
{
    const char mark = cursor.first();
    if (mark != '=' && mark != '-')
        return false;
    const std::string_view text = cursor.rest();
    return isBlank(text.substr(runOf(text, mark)));
}

std::size_t delimiterCells(const LineCursor &cursor)
{
    std::string_view text = cursor.rest();
    if (text.size() > kLongestRow)
        return 0;
    text = trimmed(text);
    bool pipe = false;
    if (text.starts_with('|')) {
        pipe = true;
        text.remove_prefix(1);
    }
    std::size_t cells = 0;
    while (!text.empty()) {
        const std::size_t bar = text.find('|');
        std::string_view cell = trimmed(text.substr(0, bar));
        if (cell.starts_with(':'))
            cell.remove_prefix(1);
        if (cell.ends_with(':'))
            cell.remove_suffix(1);
        if (cell.empty() || runOf(cell, '-') != cell.size())
            return 0;
        ++cells;
        pipe |= bar != std::string_view::npos;
        text = bar == std::string_view::npos ? std::string_view{} : text.substr(bar + 1);
    }
    return pipe ? cells : 0;
}

std::size_t rowCells(const LineCursor &cursor)
{
    std::string_view text = cursor.rest();
    if (text.size() > kLongestRow)
        return 0;
    text = trimmed(text);
    if (text.starts_with('|'))
        text.remove_prefix(1);
    std::size_t cells = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '|' && i + 1 < text.size())
            ++cells;
    }
    return cells;
}

std::string_view mathOpener(std::string_view rest)
{
    if (rest.starts_with("$$"))
        return "$$";
    if (rest.starts_with("\\["))
        return "\\]";
    return {};
}

MathLine mathLine(std::string_view rest, std::string_view end)
{
    const std::size_t at = rest.find(end);
    if (at == std::string_view::npos)
        return MathLine::Inside;
    const std::string_view after = trimmed(rest.substr(at + end.size()));
    return after.find_first_not_of(".,;") == std::string_view::npos ? MathLine::EndsHere
                                                                    : MathLine::EndsWithin;
}

} // namespace perilune
