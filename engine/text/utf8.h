#pragma once

#include "engine/base/utf8_step.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perilune {

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

} // namespace perilune
