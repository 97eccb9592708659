#pragma once

#include "app/typeset/formula.h"

#include <QFont>

namespace perilune {

/// The font of `glyphs` at a size of kGlyphPixels: fonts have whole sizes, and a large one that is scaled
/// down has every size.
QFont glyphFont(const Formula::Glyphs &glyphs);
inline constexpr int kGlyphPixels = 64;

/// How far `glyphs` reach, in em of the formula.
double glyphWidth(const Formula::Glyphs &glyphs);

} // namespace perilune
