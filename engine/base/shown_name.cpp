#include "engine/base/shown_name.h"

#include "engine/base/whole_characters.h"

#include <cstddef>
#include <cstdint>

namespace perilune {

namespace {

struct Character {
    std::uint32_t point = 0;
    std::size_t bytes = 1;
    bool whole = false;
};

/// The character at the beginning of `text`, which isn't empty.
Character first(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80)
        return {lead, 1, true};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes)
        return {};
    std::uint32_t point = lead & (0x7fu >> bytes);
    for (const char byte : text.substr(1, bytes - 1)) {
        if (!isInsideCharacter(byte))
            return {};
        point = point << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
    }
    const std::uint32_t least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
    const bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point < least || point > 0x10ffff || surrogate ? Character{} : Character{point, bytes, true};
}

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
        const Character character = first(name);
        shown += character.whole && !misleads(character.point) ? name.substr(0, character.bytes) : instead;
        name.remove_prefix(character.bytes);
    }
    return shown;
}

} // namespace perilune
