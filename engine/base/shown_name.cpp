#include "engine/base/shown_name.h"

#include "engine/base/utf8_step.h"

#include <cstdint>

namespace perilune {

namespace {

/// Whether a line with it would not be what it seems.
bool misleads(std::uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2066 && point <= 0x2069);
}

} // namespace

std::string shownName(std::string_view name, std::string_view instead)
{
    std::string shown;
    shown.reserve(name.size());
    while (!name.empty()) {
        const Utf8Step step = utf8Step(name);
        const bool whole = step.kind == Utf8Step::Kind::Valid;
        shown += whole && !misleads(step.point) ? name.substr(0, step.length) : instead;
        name.remove_prefix(whole ? step.length : 1); // each byte of a broken one is shown
    }
    return shown;
}

} // namespace perilune
