#pragma once

#include "app/typeset/box_node.h"
#include "app/typeset/formula.h"

namespace perilune {

/// Lays KaTeX's boxes out as a browser does by KaTeX's style sheet: a formula is one line of boxes, and a box
/// is letters, a row of boxes, or a list of boxes above one another. `height` and `depth` are the root's, in
/// em.
Formula layOutFormula(const BoxNode &root, double height, double depth);

} // namespace perilune
