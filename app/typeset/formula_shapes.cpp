#include "app/typeset/formula_shapes.h"

#include "app/typeset/glyph_run.h"

#include <QPainterPathStroker>

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

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

} // namespace perilune
