#pragma once

#include "app/typeset/formula.h"

class QPainter;

namespace perilune {

/// How far `glyphs` reach, in em of the formula.
double glyphWidth(const Formula::Glyphs &glyphs);

/// Paints them with one em being `pixels` of the painter's units, in `ink` unless they have a colour.
void paintGlyphs(QPainter &painter, const Formula::Glyphs &glyphs, QPointF origin, double pixels,
                 const QColor &ink);

/// Their outlines, in em of the formula and where they stand in it.
QPainterPath glyphOutline(const Formula::Glyphs &glyphs);

} // namespace perilune
