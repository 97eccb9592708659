#pragma once

#include "app/export/drawn_formula.h"

#include <string>
#include <string_view>

namespace perilune {

/// Markdown of a model as HTML; every tag in it is ours. What `formulas` can't set is its LaTeX.
std::string htmlOfMarkdown(std::string_view markdown, const FormulaOf &formulas);

/// Code in a box, coloured.
std::string htmlOfCode(std::string_view code, std::string_view language);

/// Text as it was written, in one paragraph.
std::string htmlOfPlainText(std::string_view text);

/// ` dir="auto"`, and a language where letters depend on it.
std::string htmlDirection(std::string_view text);

} // namespace perilune
