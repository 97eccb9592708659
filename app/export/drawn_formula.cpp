#include "app/export/drawn_formula.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace perilune {

namespace {

constexpr double kUnits = 1000; // of an SVG in an em

std::string units(double length)
{
    return std::to_string(std::lround(length * kUnits));
}

std::string em(double length)
{
    std::array<char, 48> text{}; // without the person's decimal comma
    const auto end = std::to_chars(text.data(), text.data() + text.size(), length * kFormulaScale,
                                   std::chars_format::fixed, 4);
    return std::string(text.data(), end.ptr) + "em";
}

/// "M0 0L10 0Z"
std::string pathData(const std::vector<DrawnFormula::Step> &outline)
{
    using Kind = DrawnFormula::Step::Kind;
    std::string data;
    for (const DrawnFormula::Step &step : outline) {
        if (step.kind == Kind::Move)
            data += data.empty() ? "M" : "ZM";
        else
            data += step.kind == Kind::Line ? 'L' : 'C';
        const std::size_t numbers = step.kind == Kind::Curve ? 6 : 2;
        for (std::size_t i = 0; i < numbers; ++i)
            data += (i == 0 ? "" : " ") + units(step.at[i]);
    }
    return data + 'Z';
}

std::string colorOf(const DrawnFormula::Area &area)
{
    if (!area.rgb)
        return "currentColor";
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "#%06x", static_cast<unsigned>(*area.rgb & 0xFFFFFF));
    return text.data();
}

} // namespace

MarkedLatex withoutMarks(std::string_view formula)
{
    const auto between = [&formula](std::string_view begin, std::string_view end) {
        return formula.size() >= begin.size() + end.size() && formula.starts_with(begin) &&
               formula.ends_with(end);
    };
    const auto inner = [&formula](std::size_t mark) {
        return std::string(formula.substr(mark, formula.size() - 2 * mark));
    };
    if (between("$$", "$$") || between("\\[", "\\]"))
        return {inner(2), true};
    if (between("\\(", "\\)"))
        return {inner(2), false};
    return between("$", "$") ? MarkedLatex{inner(1), false} : MarkedLatex{std::string(formula), false};
}

std::string svgOf(const DrawnFormula &formula)
{
    const double height = formula.ascent + formula.descent;
    std::string svg = "<svg aria-hidden=\"true\" style=\"width:" + em(formula.width) +
                      ";height:" + em(height) + ";vertical-align:" + em(-formula.descent) +
                      "\" viewBox=\"0 " + units(-formula.ascent) + ' ' + units(formula.width) + ' ' +
                      units(height) + "\" overflow=\"visible\">";
    for (const DrawnFormula::Area &area : formula.areas)
        svg += "<path fill=\"" + colorOf(area) + "\" d=\"" + pathData(area.outline) + "\"/>";
    return svg + "</svg>";
}

} // namespace perilune
