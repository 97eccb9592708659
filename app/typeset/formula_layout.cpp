#include "app/typeset/formula_layout.h"

#include "app/typeset/box_style.h"
#include "app/typeset/glyph_run.h"
#include "app/typeset/svg_path.h"

#include <QTransform>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

namespace perilune {

namespace {

using Marks = std::vector<Formula::Mark>;

constexpr double kTagGap = 2;   // em between a formula and its number
constexpr double kLineGap = .3; // em between lines that \\ parts

struct Padding {
    const char *name;
    double left, right; ///< em
};
constexpr std::array kPaddings = {
    Padding{"boxpad",       .3,     .3    },
    Padding{"cancel-pad",   .2,     .2    },
    Padding{"cancel-lap",   -.2,    -.2   },
    Padding{"x-arrow-pad",  .5,     .5    },
    Padding{"cd-arrow-pad", .27778, .55556},
    Padding{"anglpad",      .03889, .03889},
};

/// What a drawing takes of its parent's width.
struct Part {
    const char *name;
    double from, width;
};
constexpr std::array kParts = {
    Part{"brace-left",      0,    .251},
    Part{"brace-center",    .25,  .5  },
    Part{"brace-right",     .749, .251},
    Part{"halfarrow-left",  0,    .502},
    Part{"halfarrow-right", .498, .502},
};

constexpr std::array kBars = {"frac-line", "overline-line", "underline-line", "hline", "hdashline", "sout"};

bool hasAny(const BoxNode &node, const auto &names)
{
    return std::ranges::any_of(names, [&](const char *name) { return node.has(name); });
}

bool holdsDrawing(const BoxNode &node)
{
    return std::ranges::any_of(node.children, [](const BoxNode &child) { return child.drawing.has_value(); });
}

/// Whether the box is as wide as the list that it stands in.
bool stretches(const BoxNode &node)
{
    if (node.has("vlist-t"))
        return false; // as wide as its own widest
    if (node.has("stretchy") || node.has("hide-tail") || hasAny(node, kBars) || holdsDrawing(node))
        return true;
    return std::ranges::any_of(node.children, stretches);
}

struct Move {
    double x = 0, y = 0;
    void operator()(Formula::Glyphs &glyphs) const { glyphs.at += QPointF(x, y); }
    void operator()(Formula::Bar &bar) const { bar.rect.translate(x, y); }
    void operator()(Formula::Shape &shape) const
    {
        shape.path.translate(x, y);
        shape.clip.translate(x, y);
    }
};

void shift(std::span<Formula::Mark> marks, double x, double y)
{
    for (Formula::Mark &mark : marks)
        std::visit(Move{x, y}, mark);
}

/// Where a drawing's view box goes in `place`, by its preserveAspectRatio.
QTransform drawingTransform(const BoxNode::Drawing &drawing, const QRectF &place)
{
    const QStringList view = drawing.attributes.value(QStringLiteral("viewBox")).split(QLatin1Char(' '));
    const double width = view.value(2).toDouble(), height = view.value(3).toDouble();
    if (width <= 0 || height <= 0)
        return {};
    const QString aspect = drawing.attributes.value(QStringLiteral("preserveAspectRatio"));
    double across = place.width() / width, down = place.height() / height;
    if (aspect != QLatin1String("none"))
        across = down =
            aspect.endsWith(QLatin1String("slice")) ? std::max(across, down) : std::min(across, down);
    double left = place.left();
    if (aspect.startsWith(QLatin1String("xMid")))
        left += (place.width() - width * across) / 2;
    else if (aspect.startsWith(QLatin1String("xMax")))
        left += place.width() - width * across;
    return QTransform::fromScale(across, down) * QTransform::fromTranslate(left, place.top());
}

class FormulaLayout {
public:
    /// Puts the marks of `node` at the end, with its baseline's left end at the origin. `room` is the width
    /// of the list around it, as far as it is known. Returns its width.
    double place(const BoxNode &node, const BoxStyle &outer, double room);

    /// The boxes of the root, which may be several lines and have a number. Returns the width.
    double placeLines(const BoxNode &node, const BoxStyle &outer);

    Marks take() { return std::move(m_marks); }
    /// How far the last line reaches below the first one's baseline.
    double below() const { return m_below; }

private:
    double placeContent(const BoxNode &node, const BoxStyle &style, double room);
    double placeRow(const BoxNode &node, const BoxStyle &style, double room);
    double placeText(const BoxNode &node, const BoxStyle &style);
    double placeBar(const BoxNode &node, const BoxStyle &style, double room);
    double placeRule(const BoxNode &node, const BoxStyle &style);
    double placeSeparator(const BoxNode &node, const BoxStyle &style);
    double placeDrawing(const BoxNode &node, const BoxStyle &style, double room);
    double placeParts(const BoxNode &node, const BoxStyle &style, double room);
    double placeFrame(const BoxNode &node, const BoxStyle &style, double room);
    double placeList(const BoxNode &node, const BoxStyle &style);
    void draw(const BoxNode::Drawing &drawing, const BoxStyle &style, const QRectF &place);
    void bar(const QRectF &rect, const QColor &color, bool dashed = false)
    {
        m_marks.emplace_back(Formula::Bar{.rect = rect, .color = color, .dashed = dashed});
    }
    std::span<Formula::Mark> since(std::size_t begin) { return std::span(m_marks).subspan(begin); }

    Marks m_marks;
    double m_below = 0;
};

double FormulaLayout::place(const BoxNode &node, const BoxStyle &outer, double room)
{
    if (node.drawing || node.has("pstrut") || node.has("strut") || node.has("vlist-s"))
        return 0;
    const BoxStyle style = styleInside(node, outer);
    const double em = style.size;
    const std::size_t begin = m_marks.size();
    double left = node.length("paddingLeft") * em, right = node.length("paddingRight") * em;
    for (const Padding &padding : kPaddings) {
        if (node.has(padding.name)) {
            left += padding.left * em;
            right += padding.right * em;
        }
    }
    left += node.length("marginLeft") * em;
    right += node.length("marginRight") * em + node.italic * em;
    if (node.has("root")) { // the number of a root, which reaches over the root's beginning
        left += .27777778 * em;
        right -= .55555556 * em;
    }
    double width = placeContent(node, style, room);

    const bool moved = node.has("delimcenter") || node.has("op-symbol") || node.has("accent-body") ||
                       node.style.value(QStringLiteral("position")) == QLatin1String("relative");
    if (moved)
        shift(since(begin), node.length("left") * em, node.length("top") * em);
    if (node.has("llap"))
        shift(since(begin), -width, 0);
    if (node.has("clap"))
        shift(since(begin), -width / 2, 0);
    if (node.has("llap") || node.has("rlap") || node.has("clap") ||
        (node.has("accent-body") && !node.has("accent-full")))
        width = 0;
    if (left != 0)
        shift(since(begin), left, 0);
    return left + width + right;
}

double FormulaLayout::placeContent(const BoxNode &node, const BoxStyle &style, double room)
{
    if (node.has("vlist-t"))
        return placeList(node, style);
    if (node.has("nulldelimiter"))
        return .12 * style.size;
    if (hasAny(node, kBars))
        return placeBar(node, style, room);
    if (node.has("rule"))
        return placeRule(node, style);
    if (node.has("vertical-separator"))
        return placeSeparator(node, style);
    if (holdsDrawing(node))
        return placeDrawing(node, style, room);
    if (node.has("stretchy"))
        return node.children.empty() ? placeFrame(node, style, room) : placeParts(node, style, room);
    if (!node.text.isEmpty())
        return placeText(node, style);
    const double width = placeRow(node, style, room);
    return node.style.contains(QStringLiteral("width")) ? node.length("width", room) * style.size : width;
}

double FormulaLayout::placeRow(const BoxNode &node, const BoxStyle &style, double room)
{
    double x = 0;
    for (const BoxNode &child : node.children) {
        const std::size_t begin = m_marks.size();
        const double width = place(child, style, room);
        shift(since(begin), x, 0);
        x += width;
    }
    return x;
}

double FormulaLayout::placeText(const BoxNode &node, const BoxStyle &style)
{
    Formula::Glyphs glyphs{.text = node.text,
                           .family = style.family,
                           .bold = style.bold,
                           .italic = style.italic,
                           .size = style.size,
                           .at = {},
                           .color = style.color};
    const double width = glyphWidth(glyphs);
    m_marks.emplace_back(std::move(glyphs));
    return width;
}

double FormulaLayout::placeBar(const BoxNode &node, const BoxStyle &style, double room)
{
    const double thick = (node.has("sout") ? .08 : node.length("borderBottomWidth")) * style.size;
    bar(QRectF(0, -thick, room, thick), style.color, node.has("hdashline"));
    return room;
}

double FormulaLayout::placeRule(const BoxNode &node, const BoxStyle &style)
{
    const double em = style.size;
    const double width = node.length("borderRightWidth") * em, height = node.length("borderTopWidth") * em;
    bar(QRectF(0, -height - node.length("bottom") * em, width, height), style.color);
    return width;
}

double FormulaLayout::placeSeparator(const BoxNode &node, const BoxStyle &style)
{
    const double em = style.size;
    const double width = node.length("borderRightWidth") * em, height = node.length("height") * em;
    const double bottom = -node.length("verticalAlign") * em;
    // Its margins of minus half its width leave the columns where they would be without it.
    bar(QRectF(-width / 2, bottom - height, width, height), style.color,
        node.style.value(QStringLiteral("borderRightStyle")) == QLatin1String("dashed"));
    return 0;
}

double FormulaLayout::placeDrawing(const BoxNode &node, const BoxStyle &style, double room)
{
    const double height = node.length("height") * style.size;
    double width =
        node.style.contains(QStringLiteral("width")) ? node.length("width", room) * style.size : room;
    width = std::max(width, node.length("minWidth") * style.size);
    for (const BoxNode &child : node.children) {
        if (child.drawing)
            draw(*child.drawing, style, QRectF(0, -height, width, height));
    }
    return width;
}

double FormulaLayout::placeParts(const BoxNode &node, const BoxStyle &style, double room)
{
    const double height = node.length("height") * style.size;
    const double width = std::max(room, node.length("minWidth") * style.size);
    for (const BoxNode &child : node.children) {
        for (const Part &part : kParts) {
            if (!child.has(part.name))
                continue;
            const QRectF place(part.from * width, -height, part.width * width, height);
            for (const BoxNode &inner : child.children) {
                if (inner.drawing)
                    draw(*inner.drawing, style, place);
            }
        }
    }
    return width;
}

double FormulaLayout::placeFrame(const BoxNode &node, const BoxStyle &style, double room)
{
    const double em = style.size, height = node.length("height") * em;
    const auto background = node.style.find(QStringLiteral("backgroundColor"));
    if (background != node.style.end())
        bar(QRectF(0, -height, room, height), QColor(*background));
    const double thick = (node.has("angl") ? .049 : node.length("borderWidth")) * em;
    if (thick <= 0)
        return room;
    const auto named = node.style.find(QStringLiteral("borderColor"));
    const QColor color = named != node.style.end() ? QColor(*named) : style.color;
    bar(QRectF(0, -height, room, thick), color);
    bar(QRectF(room - thick, -height, thick, height), color);
    if (!node.has("angl")) {
        bar(QRectF(0, -thick, room, thick), color);
        bar(QRectF(0, -height, thick, height), color);
    }
    return room;
}

void FormulaLayout::draw(const BoxNode::Drawing &drawing, const BoxStyle &style, const QRectF &place)
{
    QRectF rect = place;
    const QString own = drawing.attributes.value(QStringLiteral("style")); // "width:0.471em"
    if (own.startsWith(QLatin1String("width:")))
        rect.setWidth(cssLength(own.mid(6), 0) * style.size);
    const QTransform transform = drawingTransform(drawing, rect);
    for (const QString &data : drawing.paths)
        m_marks.emplace_back(Formula::Shape{
            .path = transform.map(svgPath(data)), .clip = rect, .stroke = 0, .color = style.color});
    for (const QHash<QString, QString> &line : drawing.lines) {
        const auto point = [&](const char *x, const char *y) {
            return rect.topLeft() + QPointF(cssLength(line.value(QLatin1String(x)), rect.width()),
                                            cssLength(line.value(QLatin1String(y)), rect.height()));
        };
        QPainterPath path(point("x1", "y1"));
        path.lineTo(point("x2", "y2"));
        const double stroke = cssLength(line.value(QStringLiteral("stroke-width")), 0) * style.size;
        m_marks.emplace_back(
            Formula::Shape{.path = path, .clip = rect, .stroke = stroke, .color = style.color});
    }
}

/// A list is as wide as its widest box; then those that stretch are placed, and all are aligned.
double FormulaLayout::placeList(const BoxNode &node, const BoxStyle &style)
{
    if (node.children.empty() || node.children.front().children.empty())
        return 0;
    struct Row {
        const BoxNode *box;
        BoxStyle style;
        Marks marks;
        double width = 0, before = 0, after = 0;
    };
    std::vector<Row> rows;
    double widest = 0;
    const auto placeAlone = [&](Row &row, double room) {
        const Marks kept = std::exchange(m_marks, {});
        row.width = placeRow(*row.box, row.style, room);
        row.marks = std::exchange(m_marks, kept);
    };
    for (const BoxNode &box : node.children.front().children.front().children) {
        const BoxStyle inside = styleInside(box, style);
        Row row{.box = &box, .style = inside, .marks = {}};
        row.before = box.length("marginLeft") * inside.size;
        row.after = box.length("marginRight") * inside.size;
        placeAlone(row, 0);
        widest = std::max(widest, row.before + row.width + row.after);
        rows.push_back(std::move(row));
    }
    for (Row &row : rows) {
        const BoxNode &box = *row.box;
        double room = widest - row.before - row.after;
        if (box.style.contains(QStringLiteral("width")))
            room = box.length("width", widest) * row.style.size;
        if (stretches(box))
            placeAlone(row, room);
        double x = row.before, strut = 0;
        if (row.style.align != BoxStyle::Align::Left && room > row.width)
            x += (room - row.width) / (row.style.align == BoxStyle::Align::Center ? 2 : 1);
        for (const BoxNode &child : box.children) {
            if (child.has("pstrut"))
                strut = child.length("height");
        }
        shift(row.marks, x, (box.length("top") + strut) * row.style.size);
        std::ranges::move(row.marks, std::back_inserter(m_marks));
    }
    return widest;
}

double FormulaLayout::placeLines(const BoxNode &node, const BoxStyle &outer)
{
    const BoxStyle style = styleInside(node, outer);
    if (!node.has("katex-html")) {
        double widest = 0;
        for (const BoxNode &child : node.children)
            widest = std::max(widest, placeLines(child, style));
        return widest;
    }
    double x = 0, y = 0, widest = 0, depth = 0;
    bool fresh = false; // a line was begun
    for (const BoxNode &child : node.children) {
        if (child.has("newline")) {
            x = 0;
            fresh = true;
            continue;
        }
        for (const BoxNode &strut : child.children) {
            if (!strut.has("strut"))
                continue;
            const double below = -strut.length("verticalAlign"), above = strut.length("height") - below;
            if (std::exchange(fresh, false)) {
                y += depth + kLineGap + above;
                depth = 0;
            }
            depth = std::max(depth, below);
        }
        if (child.has("tag"))
            x += kTagGap;
        const std::size_t begin = m_marks.size();
        const double width = place(child, style, 0);
        shift(since(begin), x, y);
        x += width;
        widest = std::max(widest, x);
    }
    m_below = y + depth;
    return widest;
}

} // namespace

Formula layOutFormula(const BoxNode &root, double height, double depth)
{
    FormulaLayout layout;
    Formula formula;
    formula.width = layout.placeLines(root, {});
    formula.ascent = height;
    formula.descent = std::max(depth, layout.below());
    formula.marks = layout.take();
    return formula;
}

} // namespace perilune
