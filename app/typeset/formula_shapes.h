#pragma once

#include "app/typeset/formula.h"

#include <QColor>
#include <QPainterPath>

#include <vector>

namespace perilune {

/// Something to fill.
struct FormulaShape {
    QPainterPath path; ///< em, as Formula's marks; to be filled by the winding rule
    QColor color;      ///< invalid: the ink
};

/// The formula as shapes alone, for what has no fonts: letters are their outlines, lines are areas, and what
/// is cut off is cut off. Neighbours of one colour are one shape.
std::vector<FormulaShape> formulaShapes(const Formula &formula);

} // namespace perilune
