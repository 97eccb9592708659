#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A formula within the text of a block.
struct InlineFormula {
    std::size_t begin = 0, end = 0; ///< bytes of the text, marks included
    std::string latex;              ///< between the marks
    bool display = false;           ///< in $$ … $$ or \[ … \]: set large

    bool operator==(const InlineFormula &) const = default;
};

/// The formulas of a block's Markdown: $ … $, $$ … $$, \( … \), \[ … \]. Code is left alone, and so is money:
/// a dollar that opens has a letter or sign right after it and no letter or digit before it, one that closes
/// has no space before it and no digit after it, and a few words with a number in front are no formula. None
/// reaches over a blank line.
std::vector<InlineFormula> inlineFormulas(std::string_view markdown);

/// A block's Markdown with its formulas set aside, so that nothing in them is taken for Markdown.
struct SetAside {
    std::string markdown; ///< for each formula `mark`, its number, `mark`
    std::string mark;     ///< a character that the block has not; empty where there is no formula
    std::vector<InlineFormula> formulas;
};
SetAside setFormulasAside(std::string_view markdown);

} // namespace perilune
