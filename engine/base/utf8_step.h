#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perilune {

/// How a stretch of bytes begins.
struct Utf8Step {
    enum class Kind {
        Valid,      ///< a whole character
        Invalid,    ///< a maximal sub-part that no continuation can make valid
        Incomplete, ///< the text ends within a character that more bytes could complete
    };
    Kind kind = Kind::Invalid;
    std::uint32_t point = 0xFFFD; ///< for Valid
    std::size_t length = 0;       ///< bytes, at least 1
};

/// Looks at the first character of `text`, which may not be empty.
Utf8Step utf8Step(std::string_view text);

/// The code point at `position` of valid UTF-8 and its length in bytes.
struct Utf8Point {
    std::uint32_t point, length;
};
inline Utf8Point utf8PointAt(const char *position)
{
    const auto byte = [position](int i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(position[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    if (lead < 0xE0)
        return {(lead & 0x1F) << 6 | (byte(1) & 0x3F), 2};
    if (lead < 0xF0)
        return {(lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
    return {(lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

} // namespace perilune
