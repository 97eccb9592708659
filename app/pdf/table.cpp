// A table of Markdown on paper.
#include "app/pdf/flow.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace perilune::pdf {

namespace {

using Node = MarkdownNode;

constexpr double kPadding = 4;
constexpr double kLeastColumn = 36; // with its padding: some letters on a line
constexpr double kBetweenGroups = 8;

struct Cell {
    StyledText text;
    Owned<PangoLayout> layout{};
    Owned<PangoLayoutIter> at{}; ///< the line that comes next; null once all are on paper
};

TextStyle styleOf(const Node &cell, double size)
{
    TextStyle style{.size = size, .leading = 1.2, .bold = cell.header, .color = ink::text};
    if (cell.align == Node::Align::Center)
        style.align = TextStyle::Align::Center;
    else if (cell.align == Node::Align::End)
        style.align = TextStyle::Align::End;
    return style;
}

/// The widths of columns that want `wanted` and have `room` together: who wants less than its share gets it,
/// the others divide what is left by what they want.
std::vector<double> shared(const std::vector<double> &wanted, double room)
{
    const double all = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    if (all <= room)
        return wanted;
    std::vector<double> widths(wanted.size(), -1);
    double left = room;
    std::size_t open = wanted.size();
    for (bool changed = true; changed && open > 0;) {
        changed = false;
        const double share = left / static_cast<double>(open);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (widths[i] >= 0 || wanted[i] > share)
                continue;
            widths[i] = wanted[i];
            left -= wanted[i];
            --open;
            changed = true;
            break; // the share of the others has grown
        }
    }
    double rest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        rest += widths[i] < 0 ? wanted[i] : 0;
    const double least = open > 0 ? left / static_cast<double>(open) * 0.5 : 0;
    const double beyond = left - least * static_cast<double>(open);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (widths[i] < 0)
            widths[i] = least + beyond * wanted[i] / rest;
    }
    return widths;
}

TextStyle cellStyle(const Node &cell, double size)
{
    TextStyle style = styleOf(cell, size);
    style.language = languageOf(plainText(cell.spans));
    return style;
}

/// Some columns of a table, between two edges.
class Table {
public:
    Table(Paper &paper, const Node &node, const FormulaOf &formulas, double left,
          std::vector<std::size_t> columns, std::vector<double> widths, double size)
        : m_paper(paper),
          m_node(node),
          m_formulas(formulas),
          m_columns(std::move(columns)),
          m_widths(std::move(widths)),
          m_left(left),
          m_right(left + std::accumulate(m_widths.begin(), m_widths.end(), 0.0)),
          m_size(size)
    {
    }

    void put()
    {
        for (std::size_t i = 0; i < m_node.children.size() && m_paper.goesOn(); ++i) {
            std::vector<Cell> cells = cellsOf(m_node.children[i]);
            const double height = heightOf(cells);
            const bool fits = height <= Paper::kBottom - Paper::kTop - 40;
            if (fits && height > m_paper.left()) {
                m_paper.need(height);
                if (i > 0 && isHeader(m_node.children.front())) {
                    std::vector<Cell> again = cellsOf(m_node.children.front());
                    putRow(again, true);
                }
            }
            putRow(cells, isHeader(m_node.children[i]));
        }
    }

private:
    static bool isHeader(const Node &row) { return !row.children.empty() && row.children.front().header; }

    std::vector<Cell> cellsOf(const Node &row) const
    {
        static const Node none{.kind = Node::Kind::Cell};
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const Node &node = m_columns[i] < row.children.size() ? row.children[m_columns[i]] : none;
            Cell cell;
            cell.text = withoutEndlessWords(styled(node.spans, m_formulas));
            cell.layout = m_paper.text().make(cell.text, cellStyle(node, m_size),
                                              std::max(m_widths[i] - 2 * kPadding, 4.0));
            cell.at.reset(pango_layout_get_iter(cell.layout.get()));
            cells.push_back(std::move(cell));
        }
        return cells;
    }

    static double heightOf(const std::vector<Cell> &cells)
    {
        double height = 0;
        for (const Cell &cell : cells) {
            PangoRectangle box;
            pango_layout_get_extents(cell.layout.get(), nullptr, &box);
            height = std::max(height, points(box.height));
        }
        return height + 2 * kPadding;
    }

    /// The cells' next lines, as many as the page has room for; gives whether there are more.
    bool putPart(std::vector<Cell> &cells, bool header)
    {
        const double room = std::max(m_paper.left() - 2 * kPadding, 1.0);
        double height = 0;
        for (Cell &cell : cells)
            height = std::max(height, heightIn(cell, room));
        if (header)
            m_paper.pushDecor({m_left, m_right, ink::sunken});
        const double top = m_paper.band(height + 2 * kPadding);
        if (header)
            m_paper.popDecor();
        bool more = false;
        double x = m_left;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            putLines(cells[i], x + kPadding, top + kPadding, height);
            more = more || cells[i].at;
            x += m_widths[i];
        }
        paintFrame(top, height + 2 * kPadding);
        return more;
    }

    void putRow(std::vector<Cell> &cells, bool header)
    {
        while (putPart(cells, header) && m_paper.goesOn()) {
            m_paper.need(Paper::kBottom - Paper::kTop); // the rest on a new page
        }
    }

    /// How high those of the cell's next lines are that fit into `room`, at least one.
    static double heightIn(const Cell &cell, double room)
    {
        double height = 0;
        if (!cell.at)
            return height;
        const Owned<PangoLayoutIter> at(pango_layout_iter_copy(cell.at.get()));
        do {
            int top = 0;
            int bottom = 0;
            pango_layout_iter_get_line_yrange(at.get(), &top, &bottom);
            const double line = points(bottom - top);
            if (height > 0 && height + line > room)
                break;
            height += line;
        } while (pango_layout_iter_next_line(at.get()));
        return height;
    }

    void putLines(Cell &cell, double x, double y, double height)
    {
        const double end = y + height + 0.01;
        while (cell.at) {
            int top = 0;
            int bottom = 0;
            pango_layout_iter_get_line_yrange(cell.at.get(), &top, &bottom);
            if (y + points(bottom - top) > end)
                return;
            m_paper.paintLine(cell.at.get(), cell.text.ranges, x, y);
            y += points(bottom - top);
            if (!pango_layout_iter_next_line(cell.at.get()))
                cell.at.reset();
        }
    }

    void paintFrame(double top, double height)
    {
        constexpr double thin = 0.6;
        m_paper.paintBox(m_left, top, m_right - m_left, thin, ink::line);
        m_paper.paintBox(m_left, top + height - thin, m_right - m_left, thin, ink::line);
        double x = m_left;
        m_paper.paintBox(x, top, thin, height, ink::line);
        for (const double width : m_widths) {
            x += width;
            m_paper.paintBox(x - thin, top, thin, height, ink::line);
        }
    }

    Paper &m_paper;
    const Node &m_node;
    const FormulaOf &m_formulas;
    std::vector<std::size_t> m_columns; // their places in the table
    std::vector<double> m_widths;       // points, of each of them
    double m_left, m_right, m_size;
};

/// How wide each column would be on one line, in points.
std::vector<double> wantedBy(Paper &paper, const Node &table, const FormulaOf &formulas, double size)
{
    std::size_t columns = 0;
    for (const Node &row : table.children)
        columns = std::max(columns, row.children.size());
    std::vector<double> wanted(columns, 2 * kPadding + 8);
    for (const Node &row : table.children) {
        for (std::size_t i = 0; i < row.children.size(); ++i) {
            if (!paper.goesOn())
                return wanted;
            const Owned<PangoLayout> layout =
                paper.text().make(withoutEndlessWords(styled(row.children[i].spans, formulas)),
                                  styleOf(row.children[i], size), 0);
            PangoRectangle box;
            pango_layout_get_extents(layout.get(), nullptr, &box);
            wanted[i] = std::max(wanted[i], points(box.width) + 2 * kPadding + 1);
        }
    }
    return wanted;
}

/// Columns that have room beside each other, each wide enough to be read; those that have none make another
/// table below, which begins with the first column again.
std::vector<std::vector<std::size_t>> groupsOf(const std::vector<double> &wanted, double room)
{
    std::vector<std::vector<std::size_t>> groups(1);
    double used = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double least = std::min(wanted[i], kLeastColumn);
        if (used + least > room && groups.back().size() > 1) {
            groups.push_back({0});
            used = std::min(wanted[0], kLeastColumn);
        }
        groups.back().push_back(i);
        used += least;
    }
    return groups;
}

} // namespace

void putTable(Paper &paper, const Node &table, const FormulaOf &formulas, double left, double right)
{
    std::size_t columns = 0;
    for (const Node &row : table.children)
        columns = std::max(columns, row.children.size());
    const double size = columns > 8 ? 7 : columns > 5 ? 8 : 9;
    const std::vector<double> wanted = wantedBy(paper, table, formulas, size);
    bool first = true;
    for (const std::vector<std::size_t> &group : groupsOf(wanted, right - left)) {
        if (group.empty() || !paper.goesOn())
            return;
        if (!std::exchange(first, false))
            paper.space(kBetweenGroups);
        std::vector<double> own;
        for (const std::size_t column : group)
            own.push_back(wanted[column]);
        Table(paper, table, formulas, left, group, shared(own, right - left), size).put();
    }
}

} // namespace perilune::pdf
