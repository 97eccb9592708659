#include "app/markdown/line_scanner.h"

#include "app/markdown/line_shapes.h"

#include <algorithm>
#include <utility>

namespace perilune {

using Kind = MarkdownBlock::Kind;

// Beyond this depth markers count as text: a line must not cost more than its length.
constexpr std::size_t kDeepest = 60;

struct LineScanner::Line {
    LineCursor cursor;
    std::size_t begin; // in the text
    std::size_t end;
};

void LineScanner::take(std::string_view text, std::size_t begin, std::vector<MarkdownBlock> &closed)
{
    m_closed = &closed;
    Line line{LineCursor(text), begin, begin + text.size()};
    std::size_t matched = matchContainers(line);
    const bool allMatched = matched == m_containers.size();
    if (!line.cursor.blank()) {
        for (std::size_t i = 0; i < matched; ++i)
            m_containers[i].empty = false;
    }

    if (!continueLeaf(line, allMatched)) {
        const bool opened = openContainers(line, matched);
        if (line.cursor.blank())
            takeBlank(matched);
        else if (!openLeaf(line, matched))
            takeText(line, matched, opened);
    }
    const bool inFence = m_leaf == Leaf::Fence && m_containers.empty();
    if (m_hasTop && (inFence || !LineCursor(text).blank()))
        m_top.end = line.end;
    if (m_hasTop && m_leaf == Leaf::None && m_containers.empty() && m_top.kind != Kind::List)
        close();
    m_closed = nullptr;
}

/// How many of the open containers the line goes on with; reads past their marks.
std::size_t LineScanner::matchContainers(Line &line) const
{
    LineCursor &cursor = line.cursor;
    std::size_t matched = 0;
    for (const Container &container : m_containers) {
        if (container.quote) {
            if (cursor.indent() > 3 || cursor.first() != '>')
                break;
            cursor.skipQuoteMark();
        } else if (cursor.blank()) {
            if (container.empty)
                break; // an item may begin with one blank line, not two
        } else if (cursor.indent() >= container.indent) {
            cursor.skipColumns(container.indent);
        } else {
            break;
        }
        ++matched;
    }
    return matched;
}

/// Lines inside code and formulas are not looked at for anything else. True where the line is used up.
bool LineScanner::continueLeaf(Line &line, bool allMatched)
{
    if (!allMatched)
        return false;
    const LineCursor &cursor = line.cursor;
    if (m_leaf == Leaf::Fence) {
        if (closesFence(cursor, m_fenceMark, m_fenceLength))
            m_leaf = Leaf::None;
        return true;
    }
    if (m_leaf == Leaf::Indented) {
        if (cursor.blank() || cursor.indent() >= 4)
            return true;
        m_leaf = Leaf::None;
    }
    if (m_leaf != Leaf::Math)
        return false;
    const MathLine found = mathLine(cursor.rest(), m_mathEnd);
    if (!cursor.blank() && found == MathLine::Inside)
        return true;
    if (found == MathLine::EndsHere) {
        m_leaf = Leaf::None;
        return true;
    }
    m_top.kind = Kind::Paragraph; // it was no formula after all
    m_leaf = Leaf::Paragraph;
    m_headCells = 0;
    return false;
}

/// Opens quotes and list items at the start of what is left of the line. Returns whether there were any.
bool LineScanner::openContainers(Line &line, std::size_t &matched)
{
    bool opened = false;
    while (!line.cursor.blank() && line.cursor.indent() <= 3 && m_containers.size() < kDeepest &&
           (openQuote(line, matched) || openItem(line, matched)))
        opened = true;
    return opened;
}

bool LineScanner::openQuote(Line &line, std::size_t &matched)
{
    if (line.cursor.first() != '>')
        return false;
    closeTo(matched);
    if (m_containers.empty())
        start(Kind::Quote, line);
    line.cursor.skipQuoteMark();
    m_leaf = Leaf::None;
    m_containers.push_back({.quote = true});
    matched = m_containers.size();
    return true;
}

bool LineScanner::openItem(Line &line, std::size_t &matched)
{
    const std::optional<ListMarker> marker = listMarker(line.cursor);
    if (!marker)
        return false;
    const bool inParagraph = m_leaf == Leaf::Paragraph && matched == m_containers.size();
    if (inParagraph && isSetextUnderline(line.cursor))
        return false;
    if (inParagraph && (marker->empty || (marker->ordered && marker->number != 1)))
        return false; // "in the year\n1986. What a great season"
    closeTo(matched);
    if (m_containers.empty() && !(m_hasTop && m_top.kind == Kind::List && m_topMarker == marker->mark)) {
        start(Kind::List, line);
        m_topMarker = marker->mark;
    }
    line.cursor.skipColumns(marker->contentColumns);
    m_leaf = Leaf::None;
    m_containers.push_back(
        {.quote = false, .indent = marker->contentColumns, .marker = marker->mark, .empty = marker->empty});
    matched = m_containers.size();
    return true;
}

/// Headings, rules, fences, formulas, tables, indented code. True where the line is used up.
bool LineScanner::openLeaf(Line &line, std::size_t matched)
{
    const LineCursor &cursor = line.cursor;
    const bool inParagraph = m_leaf == Leaf::Paragraph && matched == m_containers.size();
    if (cursor.indent() >= 4) {
        if (m_leaf == Leaf::Paragraph)
            return false; // it goes on, lazily or not
        closeTo(matched);
        if (m_containers.empty())
            start(Kind::Code, line);
        m_leaf = Leaf::Indented;
        return true;
    }
    if (openFence(line, matched) || openMath(line, matched))
        return true;
    if (inParagraph && isSetextUnderline(cursor)) {
        if (m_containers.empty()) {
            m_top.kind = Kind::Heading;
            m_top.level = cursor.first() == '=' ? 1 : 2;
        }
        m_leaf = Leaf::None;
        return true;
    }
    if (inParagraph && m_headCells > 0 && delimiterCells(cursor) == m_headCells) {
        startTable(line);
        return true;
    }
    const std::uint32_t level = headingLevel(cursor);
    if (level == 0 && !isRule(cursor))
        return false;
    closeTo(matched);
    if (m_containers.empty()) {
        start(level > 0 ? Kind::Heading : Kind::Rule, line);
        m_top.level = level;
    }
    m_leaf = Leaf::None;
    return true;
}

bool LineScanner::openFence(Line &line, std::size_t matched)
{
    const std::optional<Fence> fence = openingFence(line.cursor);
    if (!fence)
        return false;
    closeTo(matched);
    if (m_containers.empty()) {
        start(Kind::Code, line);
        m_top.language = std::string(fence->language);
    }
    m_leaf = Leaf::Fence;
    m_fenceMark = fence->mark;
    m_fenceLength = fence->length;
    return true;
}

bool LineScanner::openMath(Line &line, std::size_t matched)
{
    if (matched > 0) // inside quotes and items a formula is part of their text
        return false;
    const std::string_view rest = line.cursor.rest();
    const std::string_view end = mathOpener(rest);
    if (end.empty())
        return false;
    const MathLine found = mathLine(rest.substr(2), end);
    if (found == MathLine::EndsWithin)
        return false;
    closeTo(0);
    start(Kind::Math, line);
    m_mathEnd = end;
    m_leaf = found == MathLine::Inside ? Leaf::Math : Leaf::None;
    return true;
}

void LineScanner::takeText(Line &line, std::size_t matched, bool opened)
{
    const bool lazy = !opened && matched < m_containers.size() && m_leaf == Leaf::Paragraph;
    if (lazy) {
        m_headCells = 0;
        return;
    }
    closeTo(matched);
    if (m_leaf == Leaf::Table)
        return;
    if (m_leaf != Leaf::Paragraph && m_containers.empty())
        start(Kind::Paragraph, line);
    m_leaf = Leaf::Paragraph;
    m_headCells = rowCells(line.cursor);
    m_headBegin = line.begin;
    m_endBeforeHead = m_top.end;
}

/// The line before this one turns out to be the head of a table, and what was before that a paragraph.
void LineScanner::startTable(const Line &line)
{
    m_leaf = Leaf::Table;
    if (!m_containers.empty())
        return;
    const std::size_t begin = m_headBegin;
    if (begin == m_top.begin) {
        m_top.kind = Kind::Table;
        return;
    }
    m_top.end = m_endBeforeHead;
    start(Kind::Table, line);
    m_top.begin = begin;
}

void LineScanner::takeBlank(std::size_t matched)
{
    closeTo(matched);
    m_leaf = Leaf::None;
}

/// Closes the containers beyond the first `depth`, and with them the leaf in the innermost.
void LineScanner::closeTo(std::size_t depth)
{
    if (m_containers.size() <= depth)
        return;
    m_containers.resize(depth);
    m_leaf = Leaf::None;
}

void LineScanner::start(Kind kind, const Line &line)
{
    close();
    m_top = MarkdownBlock{.kind = kind, .level = 0, .language = {}, .begin = line.begin, .end = line.end};
    m_hasTop = true;
}

void LineScanner::close()
{
    if (std::exchange(m_hasTop, false))
        m_closed->push_back(std::move(m_top));
}

} // namespace perilune
