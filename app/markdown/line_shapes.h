#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace perilune {

/// A line being read from the left, counting columns: a tab goes on to the next multiple of four.
class LineCursor {
public:
    explicit LineCursor(std::string_view line) : m_line(line) {}

    /// Columns of white space ahead.
    std::size_t indent() const;
    /// The first character that is not white space; 0 where there is none.
    char first() const;
    bool blank() const { return first() == 0; }
    /// From the first character that is not white space to the end.
    std::string_view rest() const;

    /// Passes `count` columns of white space, or characters that are one column each.
    void skipColumns(std::size_t count);
    /// Passes the indent, '>' and the one column of white space that belongs to it.
    void skipQuoteMark();

private:
    std::string_view m_line;
    std::size_t m_at = 0;
    std::size_t m_column = 0;
    std::size_t m_tabLeft = 0; // columns of a tab passed in part
};

/// What a line looks like to CommonMark; each function reads no further than it must to know.
struct ListMarker {
    char mark = 0; ///< - + * . )
    bool ordered = false;
    std::uint64_t number = 0;
    std::size_t contentColumns = 0; ///< from here to where the item's content begins
    bool empty = false;             ///< nothing follows the marker
};
std::optional<ListMarker> listMarker(const LineCursor &cursor);

struct Fence {
    char mark = 0;
    std::size_t length = 0;
    std::string_view language;
};
std::optional<Fence> openingFence(const LineCursor &cursor);
bool closesFence(const LineCursor &cursor, char mark, std::size_t length);

std::uint32_t headingLevel(const LineCursor &cursor); ///< of # headings; 0 for anything else
bool isRule(const LineCursor &cursor);
bool isSetextUnderline(const LineCursor &cursor);
/// Cells of the line under a table's head ("|---|:-:|"); 0 for anything else.
std::size_t delimiterCells(const LineCursor &cursor);
/// Cells of a table's row. Lines beyond 1,000 bytes are none.
std::size_t rowCells(const LineCursor &cursor);

/// What ends the formula that `rest` begins with "$$" or "\["; empty where it begins none.
std::string_view mathOpener(std::string_view rest);
enum class MathLine {
    Inside,
    EndsHere,   ///< with the end of the line
    EndsWithin, ///< words follow: it belongs to a paragraph
};
MathLine mathLine(std::string_view rest, std::string_view end);

} // namespace perilune
