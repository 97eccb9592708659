#pragma once

#include "app/typeset/formula.h"

#include <QColor>
#include <QPainterPath>
#include <QString>

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

/// The formula as an <svg> element within HTML, which sits on the line and has the colour and size of the
/// text around it. `label` is read out in its place. `scale`: em of the formula for each of the text.
QString formulaSvg(const Formula &formula, const QString &label, double scale);

} // namespace perilune
