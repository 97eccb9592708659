#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perilune {

/// What a character that isn't seen itself may do to what stands around it.
enum class Disguise {
    None,
    Break,   ///< a tab or line feed: at home in a text, but not within a line
    Control, ///< any other control character
    Turn,   ///< ends a line or paragraph, or turns the direction of what follows: U+2028 to U+202E, U+2066 to
            ///< U+2069
    Unseen, ///< a mark of direction, a tag, or without width: at home in words, a hiding place in code
};

Disguise disguiseOf(std::uint32_t point);

/// A file's name, or a path, as it can be shown in a line of text: `instead` (U+FFFD) for each byte that is
/// no UTF-8 and each character that is a Break, Control or Turn, for "gpj.exe" could be made to look like
/// "exe.jpg".
std::string shownName(std::string_view name, std::string_view instead = "\xef\xbf\xbd");

} // namespace perilune
