#include "app/typeset/formula_shapes.h"

#include "app/typeset/glyph_run.h"

#include <QPainterPathStroker>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

constexpr double kUnits = 1000;   // of an SVG in an em
constexpr double kThinnest = .02; // em of a bar, which would vanish otherwise
constexpr double kDash = .12;     // em

class Outline {
public:
    QPainterPath operator()(const Formula::Glyphs &glyphs) const { return glyphOutline(glyphs); }

    QPainterPath operator()(const Formula::Bar &bar) const
    {
        QRectF rect = bar.rect;
        if (rect.height() < kThinnest)
            rect.setTop(rect.bottom() - kThinnest);
        if (rect.width() < kThinnest)
            rect.setWidth(kThinnest);
        QPainterPath path;
        if (!bar.dashed) {
            path.addRect(rect);
            return path;
        }
        const bool level = rect.width() > rect.height();
        for (double at = 0; at < std::max(rect.width(), rect.height()); at += 2 * kDash) {
            const QRectF dash = level ? QRectF(rect.left() + at, rect.top(), kDash, rect.height())
                                      : QRectF(rect.left(), rect.top() + at, rect.width(), kDash);
            path.addRect(dash & rect);
        }
        return path;
    }

    QPainterPath operator()(const Formula::Shape &shape) const
    {
        QPainterPath path = shape.path;
        if (shape.stroke > 0) {
            QPainterPathStroker stroker;
            stroker.setWidth(shape.stroke);
            stroker.setCapStyle(Qt::FlatCap);
            path = stroker.createStroke(path);
        }
        QPainterPath clip;
        clip.addRect(shape.clip);
        return shape.clip.contains(path.boundingRect()) ? path : path.intersected(clip);
    }
};

/// "M0 0L10 0Z" in thousandths of an em.
QString pathData(const QPainterPath &path)
{
    QString data;
    const auto point = [&](const QPainterPath::Element &element) {
        data += QString::number(std::lround(element.x * kUnits)) + QLatin1Char(' ') +
                QString::number(std::lround(element.y * kUnits));
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        switch (element.type) {
        case QPainterPath::MoveToElement: data += i ? QLatin1String("ZM") : QLatin1String("M"); break;
        case QPainterPath::LineToElement: data += QLatin1Char('L'); break;
        case QPainterPath::CurveToElement: data += QLatin1Char('C'); break;
        case QPainterPath::CurveToDataElement: data += QLatin1Char(' '); break;
        }
        point(element);
    }
    return data + QLatin1Char('Z');
}

} // namespace

std::vector<FormulaShape> formulaShapes(const Formula &formula)
{
    std::vector<FormulaShape> shapes;
    for (const Formula::Mark &mark : formula.marks) {
        QPainterPath path = std::visit(Outline(), mark);
        if (path.isEmpty())
            continue;
        path.setFillRule(Qt::WindingFill);
        const QColor color = std::visit([](const auto &each) { return each.color; }, mark);
        if (!shapes.empty() && shapes.back().color == color)
            shapes.back().path.addPath(path);
        else
            shapes.push_back({.path = path, .color = color});
    }
    return shapes;
}

QString formulaSvg(const Formula &formula, const QString &label, double scale)
{
    const auto em = [&](double length) {
        return QString::number(length * scale, 'f', 4) + QLatin1String("em");
    };
    const auto units = [](double length) { return QString::number(std::lround(length * kUnits)); };
    const double height = formula.ascent + formula.descent;
    QString svg =
        QStringLiteral("<svg class=\"formula\" role=\"img\" aria-label=\"%1\" style=\"width:%2;height:%3;"
                       "vertical-align:-%4\" viewBox=\"0 -%5 %6 %7\" overflow=\"visible\">")
            .arg(label.toHtmlEscaped(), em(formula.width), em(height), em(formula.descent),
                 units(formula.ascent), units(formula.width), units(height));
    for (const FormulaShape &shape : formulaShapes(formula))
        svg += QStringLiteral("<path fill=\"%1\" d=\"%2\"/>")
                   .arg(shape.color.isValid() ? shape.color.name() : QStringLiteral("currentColor"),
                        pathData(shape.path));
    return svg + QStringLiteral("</svg>");
}

} // namespace perilune
