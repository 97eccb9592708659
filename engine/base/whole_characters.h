#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace perilune {

// Where UTF-8 can be cut without cutting a character in two. Bytes that are no UTF-8 are passed over as far
// as they look like the inside of a character; nothing is read outside of `text`.

/// Whether `byte` of UTF-8 stands inside a character, not at its beginning.
constexpr bool isInsideCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// The most bytes up to `most` that end with a whole character.
constexpr std::size_t wholeUpTo(std::string_view text, std::size_t most)
{
    if (most >= text.size())
        return text.size();
    while (most > 0 && isInsideCharacter(text[most]))
        --most;
    return most;
}

/// The fewest bytes from `least` on that end with a whole character; all where there are fewer.
constexpr std::size_t wholeFrom(std::string_view text, std::size_t least)
{
    while (least < text.size() && isInsideCharacter(text[least]))
        ++least;
    return std::min(least, text.size());
}

/// The bytes of the first `count` characters; all where there are fewer.
constexpr std::size_t bytesOfCharacters(std::string_view text, std::size_t count)
{
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        if (!isInsideCharacter(text[at]) && count-- == 0)
            break;
    }
    return at;
}

} // namespace perilune
