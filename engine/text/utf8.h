#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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

bool isValidUtf8(std::string_view text);

/// `text` with one U+FFFD for each maximal invalid sub-part, as Python and the WHATWG decoder do.
std::string repairedUtf8(std::string_view text);

/// Bytes at the end of `text` that begin a character and could be completed: 0 to 3.
std::size_t incompleteUtf8Tail(std::string_view text);

/// Appends `point`, which must be a Unicode scalar value.
void appendUtf8(std::string &text, std::uint32_t point);

/// White-space as Python's str.isspace has it: White_Space and U+001C to U+001F.
bool isPythonSpace(std::uint32_t point);

/// Bytes of white-space at the beginning and at the end of `text`, which may end within a character.
std::size_t leadingSpace(std::string_view text);
std::size_t trailingSpace(std::string_view text);
std::string_view trimmed(std::string_view text);

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
