#pragma once

#include <QPainterPath>
#include <QString>

namespace perilune {

/// The path that SVG path data describes, in its own units: moves, lines, curves of both degrees and
/// closings, absolute and relative; no arcs, which KaTeX doesn't use. What follows a fault is left out.
QPainterPath svgPath(const QString &data);

} // namespace perilune
