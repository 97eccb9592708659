#include "app/pdf/flow.h"

#include "app/highlight/coloured_code.h"

#include <algorithm>
#include <array>

namespace perilune::pdf {

namespace {

using Node = MarkdownNode;

constexpr double kBodySize = 10, kCodeSize = 8.5;
constexpr double kBetween = 6; // blocks
constexpr double kItemIndent = 18, kQuoteIndent = 12;
constexpr auto kFormulaPlace = "\xEF\xBF\xBC"; // U+FFFC, a character for what is none
constexpr double kMostPicture = 400;           // points high; a page is about 700

// As the window's light palette, in the order of CodeKind.
constexpr std::array<Color, 10> kCodeColors = {
    Color{0.52, 0.19, 0.66},
    Color{0.04, 0.43, 0.51},
    Color{0.66, 0.29, 0.00},
    Color{0.66, 0.29, 0.00},
    Color{0.18, 0.44, 0.08},
    Color{0.42, 0.43, 0.47},
    Color{0.54, 0.35, 0.00},
    Color{0.17, 0.34, 0.72},
    Color{0.11, 0.48, 0.25},
    Color{0.70, 0.15, 0.12},
};

/// The first words in a block, for its direction.
std::string textOf(const Node &node)
{
    std::string text = plainText(node.spans);
    for (const Node &child : node.children) {
        if (!text.empty()) // the first letters decide
            break;
        text = textOf(child);
    }
    return text;
}

/// Pieces of a text that is long, each some hundred lines: a layout is laid out whole.
std::vector<std::string_view> portions(std::string_view text)
{
    constexpr std::size_t enough = 16'000;
    std::vector<std::string_view> pieces;
    while (text.size() > enough) {
        std::size_t end = text.find('\n', enough);
        if (end == std::string_view::npos || end > 2 * enough) {
            end = enough;
            while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
                --end;
            pieces.push_back(text.substr(0, end));
            text.remove_prefix(end);
            continue;
        }
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    pieces.push_back(text);
    return pieces;
}

} // namespace

StyledText styled(const std::vector<MarkdownSpan> &spans, const FormulaOf &formulas)
{
    StyledText styled;
    for (const MarkdownSpan &span : spans) {
        TextRange range;
        range.from = styled.text.size();
        if (span.formula && formulas) {
            const MarkedLatex marked = withoutMarks(span.text);
            if (Result<DrawnFormula> formula = formulas(marked.latex, marked.display))
                range.formula =
                    std::make_shared<const SetFormula>(SetFormula{std::move(*formula), span.text});
        }
        styled.text += range.formula ? kFormulaPlace : span.text;
        range.to = styled.text.size();
        range.bold = span.bold;
        range.italic = span.italic;
        range.struck = span.struck;
        range.monospace = !range.formula && (span.code || span.formula);
        if (range.monospace)
            range.background = ink::sunken;
        if (!span.link.empty()) {
            range.color = ink::link;
            range.link = span.link;
        }
        styled.ranges.push_back(std::move(range));
    }
    return styled;
}

void Flow::put(const StyledText &whole, const TextStyle &style)
{
    const StyledText text = withoutEndlessWords(whole);
    const Owned<PangoLayout> layout = m_paper.text().make(text, style, m_right - m_left);
    const Owned<PangoLayoutIter> at(pango_layout_get_iter(layout.get()));
    do {
        int top = 0;
        int bottom = 0;
        pango_layout_iter_get_line_yrange(at.get(), &top, &bottom);
        const double y = m_paper.band(points(bottom - top));
        paintMarker(y);
        m_paper.paintLine(at.get(), text.ranges, m_left, y);
    } while (m_paper.goesOn() && pango_layout_iter_next_line(at.get()));
}

void Flow::paintMarker(double y)
{
    if (!m_marker)
        return;
    const Marker marker = std::move(*m_marker);
    m_marker.reset();
    const Owned<PangoLayout> layout =
        m_paper.text().make({marker.text}, {.size = kBodySize, .color = ink::muted}, 0);
    PangoRectangle box;
    pango_layout_get_extents(layout.get(), nullptr, &box);
    const Owned<PangoLayoutIter> at(pango_layout_get_iter(layout.get()));
    m_paper.paintLine(at.get(), {}, marker.leftwards ? marker.x - points(box.width) : marker.x, y);
}

void Flow::paragraph(const std::vector<MarkdownSpan> &spans, TextStyle style)
{
    const StyledText text = styled(spans, m_formulas);
    style.language = languageOf(text.text);
    put(text, style);
}

void Flow::plain(const std::string &text, const TextStyle &style)
{
    for (const std::string_view portion : portions(text)) {
        if (!m_paper.goesOn())
            return;
        TextStyle own = style;
        own.language = languageOf(portion);
        put({std::string(portion)}, own);
    }
}

void Flow::heading(const Node &node)
{
    constexpr std::array<double, 6> sizes = {15, 13, 11.5, 10.5, 10, 10};
    m_paper.space(kBetween);
    m_paper.need(60); // with something of what it is the heading of
    paragraph(
        node.spans,
        {.size = sizes[std::clamp<std::size_t>(node.number, 1, 6) - 1], .bold = true, .color = ink::text});
}

void Flow::codeLines(const StyledText &text)
{
    const double padding = 7;
    m_paper.need(3 * kCodeSize * 1.3);
    m_paper.pushDecor({m_left, m_right, ink::sunken});
    indent(padding, padding);
    const double y = m_paper.band(padding - 1);
    paintMarker(y);
    put(text, {.size = kCodeSize, .leading = 1.25, .monospace = true, .code = true, .color = ink::text});
    m_paper.band(padding - 1);
    indent(-padding, -padding);
    m_paper.popDecor();
}

void Flow::code(std::string_view code, std::string_view language)
{
    const std::vector<std::vector<ColouredPiece>> lines = colouredLines(code, language);
    constexpr std::size_t atOnce = 200;
    for (std::size_t first = 0; first < lines.size() && m_paper.goesOn(); first += atOnce) {
        StyledText text;
        const std::size_t end = std::min(first + atOnce, lines.size());
        for (std::size_t i = first; i < end; ++i) {
            text.text += i == first ? "" : "\n";
            for (const ColouredPiece &piece : lines[i]) {
                const std::size_t from = text.text.size();
                text.text += piece.text;
                if (piece.kind)
                    text.ranges.push_back({.from = from,
                                           .to = text.text.size(),
                                           .color = kCodeColors[static_cast<std::size_t>(*piece.kind)]});
            }
        }
        codeLines(text);
    }
}

void Flow::quote(const Node &node)
{
    const bool leftwards = goesLeftwards(textOf(node));
    m_paper.pushDecor(leftwards ? Paper::Decor{m_right - 2, m_right, ink::line}
                                : Paper::Decor{m_left, m_left + 2, ink::line});
    indent(leftwards ? 0 : kQuoteIndent, leftwards ? kQuoteIndent : 0);
    blocks(node.children);
    indent(leftwards ? 0 : -kQuoteIndent, leftwards ? -kQuoteIndent : 0);
    m_paper.popDecor();
}

void Flow::list(const Node &node)
{
    std::uint32_t number = node.number;
    bool first = true;
    for (const Node &child : node.children) {
        if (!std::exchange(first, false))
            m_paper.space(kBetween / 3);
        std::string marker = node.ordered ? std::to_string(number++) + "." : "•";
        if (child.done)
            marker = *child.done ? "☑" : "☐";
        item(child, marker);
    }
}

void Flow::item(const Node &node, const std::string &marker)
{
    const bool leftwards = goesLeftwards(textOf(node));
    const double wide = std::max(kItemIndent, 5.0 + 6.0 * static_cast<double>(marker.size()));
    const double room = std::min(marker.size() > 3 ? wide : kItemIndent, (m_right - m_left) / 3);
    m_marker = Marker{marker, leftwards ? m_right - 4 : m_left + 4, leftwards};
    indent(leftwards ? 0 : room, leftwards ? room : 0);
    if (node.children.empty())
        put({" "}, {.size = kBodySize});
    else
        blocks(node.children);
    indent(leftwards ? 0 : -room, leftwards ? -room : 0);
}

void Flow::table(const Node &node)
{
    if (m_marker)
        paintMarker(m_paper.band(0));
    putTable(m_paper, node, m_formulas, m_left, m_right);
}

void Flow::formula(const std::string &latex)
{
    const Result<DrawnFormula> formula =
        m_formulas ? m_formulas(latex, true) : Result<DrawnFormula>(Error{ErrorCode::NotFound, "not drawn"});
    if (!formula || formula->width <= 0) {
        codeLines({latex});
        return;
    }
    constexpr double padding = 4;
    const double high = formula->ascent + formula->descent;
    // As large as the letters around it, smaller where it is too wide or higher than a page.
    const double em = std::min({kBodySize * kFormulaScale, (m_right - m_left) / formula->width,
                                (Paper::kBottom - Paper::kTop - 2 * padding) / std::max(high, 0.1)});
    const double y = m_paper.band(high * em + 2 * padding);
    paintMarker(y);
    m_paper.paintFormula({*formula, "$$" + latex + "$$"}, (m_left + m_right - formula->width * em) / 2,
                         y + padding + formula->ascent * em, em);
}

void Flow::block(const Node &node)
{
    switch (node.kind) {
    case Node::Kind::Heading: heading(node); break;
    case Node::Kind::Code: code(plainText(node.spans), node.language); break;
    case Node::Kind::Formula: formula(plainText(node.spans)); break;
    case Node::Kind::Quote: quote(node); break;
    case Node::Kind::List: list(node); break;
    case Node::Kind::Table: table(node); break;
    case Node::Kind::Rule: m_paper.paintRule(m_left, m_right, m_paper.band(9) + 4, ink::line); break;
    case Node::Kind::Item:
    case Node::Kind::Row: blocks(node.children); break;
    case Node::Kind::Paragraph:
    case Node::Kind::Cell: paragraph(node.spans, {.size = kBodySize, .color = ink::text}); break;
    }
}

void Flow::blocks(const std::vector<Node> &nodes)
{
    bool first = true;
    for (const Node &node : nodes) {
        if (!m_paper.goesOn())
            return;
        if (!std::exchange(first, false))
            m_paper.space(kBetween);
        block(node);
    }
}

void Flow::markdown(std::string_view text)
{
    // Nesting takes room from both sides, until a line has too little of it.
    blocks(markdownTree(text));
}

void Flow::picture(const EmbeddedPicture &picture)
{
    if (picture.width == 0 || picture.height == 0)
        return;
    // A pixel is as large as on a screen of 96 to the inch, or smaller.
    const double scale = std::min({0.75, (m_right - m_left) / picture.width, kMostPicture / picture.height});
    const double width = picture.width * scale;
    const double height = picture.height * scale;
    const double y = m_paper.band(height);
    m_paper.paintJpeg(picture, m_left, y, width, height);
}

} // namespace perilune::pdf
