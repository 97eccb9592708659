#include "engine/base/shown_name.h"

#include "engine/base/utf8_step.h"

namespace perilune {

Disguise disguiseOf(std::uint32_t point)
{
    if (point == '\t' || point == '\n')
        return Disguise::Break;
    if (point < 0x20 || (point >= 0x7f && point < 0xa0))
        return Disguise::Control;
    if ((point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069))
        return Disguise::Turn;
    const bool mark = point == 0x061c || point == 0x200e || point == 0x200f;
    const bool hidden = point == 0x200b || point == 0xfeff || (point >= 0xe0000 && point <= 0xe007f);
    return mark || hidden ? Disguise::Unseen : Disguise::None;
}

std::string shownName(std::string_view name, std::string_view instead)
{
    std::string shown;
    shown.reserve(name.size());
    while (!name.empty()) {
        const Utf8Step step = utf8Step(name);
        const bool whole = step.kind == Utf8Step::Kind::Valid;
        const Disguise disguise = whole ? disguiseOf(step.point) : Disguise::None;
        const bool honest = whole && (disguise == Disguise::None || disguise == Disguise::Unseen);
        shown += honest ? name.substr(0, step.length) : instead;
        name.remove_prefix(whole ? step.length : 1); // each byte of a broken one is shown
    }
    return shown;
}

} // namespace perilune
