#pragma once

#include "app/export/drawn_formula.h"

#include <stop_token>

namespace perilune {

/// Sets formulas for documents, as outlines. What makes them begins with the first one, on the thread that
/// asks for it, which is the only one to ask from then on and the one that lets the last copy go; without a
/// QGuiApplication, one that shows nothing is made there, so that has to be the main thread. Where formulas
/// take very long, or after `stop`, no more are set.
FormulaOf formulaDrawer(std::stop_token stop = {});

} // namespace perilune
