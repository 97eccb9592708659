#pragma once

#include <QColor>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <variant>
#include <vector>

class QPainter;

namespace perilune {

/// A formula that has been laid out: what stands where. Lengths are in em of the formula's font, x to the
/// right from its left end, y down from its baseline. A value; painting it needs no engine.
class Formula {
public:
    /// Letters of one font.
    struct Glyphs {
        QString text;
        QString family;
        bool bold = false, italic = false;
        double size = 1; ///< of the font
        QPointF at;      ///< left end of the baseline
        QColor color;    ///< invalid: the ink that the formula is painted with
    };
    /// A bar: of a fraction, a root, a table. Never painted thinner than a pixel.
    struct Bar {
        QRectF rect;
        QColor color;
        bool dashed = false;
    };
    /// A drawn shape: a root, a brace, an arrow, a line through something.
    struct Shape {
        QPainterPath path;
        QRectF clip;       ///< what lies outside isn't shown
        double stroke = 0; ///< width of the line; 0: filled
        QColor color;
    };
    using Mark = std::variant<Glyphs, Bar, Shape>;

    double width = 0, ascent = 0, descent = 0;
    std::vector<Mark> marks;

    /// Paints it with its baseline's left end at `origin`; one em is `pixels` of the painter's units.
    void paint(QPainter &painter, QPointF origin, double pixels, const QColor &ink) const;
};

} // namespace perilune
