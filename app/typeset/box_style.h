#pragma once

#include "app/typeset/box_node.h"

#include <QColor>
#include <QString>

namespace perilune {

/// What a box has from those around it.
struct BoxStyle {
    enum class Align { Left, Center, Right };

    QString family = QStringLiteral("KaTeX_Main");
    bool bold = false, italic = false;
    double size = 1; ///< of the font, in em of the formula's
    QColor color;    ///< invalid: the ink
    Align align = Align::Left;
};

/// The style inside `node`, which stands where `outer` holds: what KaTeX's style sheet says of its classes,
/// and its own colour.
BoxStyle styleInside(const BoxNode &node, const BoxStyle &outer);

} // namespace perilune
