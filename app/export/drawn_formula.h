#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A formula as areas to fill, for documents, which have none of its fonts. Lengths are in em of its letters,
/// x to the right from its left end, y down from its baseline.
struct DrawnFormula {
    struct Step {
        enum class Kind { Move, Line, Curve };
        Kind kind = Kind::Move;
        std::array<double, 6> at{}; ///< x and y; of a curve both points that bend it, then its end
    };
    /// Inside is what the outline winds round, in either direction.
    struct Area {
        std::vector<Step> outline;
        std::optional<std::uint32_t> rgb{}; ///< 0xRRGGBB; none: the colour of the text
    };
    double width = 0, ascent = 0, descent = 0;
    std::vector<Area> areas{};
};

/// Sets LaTeX, for within a line or (`display`) large; an Error where it can't be: then a document shows the
/// LaTeX itself. An empty function sets none.
using FormulaOf = std::function<Result<DrawnFormula>(const std::string &latex, bool display)>;

/// What stands between the marks of "$…$", "$$…$$", "\(…\)" and "\[…\]".
struct MarkedLatex {
    std::string latex;
    bool display = false;
};
MarkedLatex withoutMarks(std::string_view formula);

/// em of a formula for each of the text around it: its letters are small for their size.
inline constexpr double kFormulaScale = 1.15;

/// The formula as an <svg> element within HTML, which sits on the line and has the colour and size of the
/// text around it. It has no words: what stands for it in a search or a reader's mouth goes beside it.
std::string svgOf(const DrawnFormula &formula);

} // namespace perilune
