#pragma once

#include <string>
#include <string_view>

namespace perilune {

/// A file's name, or a path, as it can be shown in a line of text: `instead` (U+FFFD) for each byte that is
/// no UTF-8, each control character, each end of a line or paragraph, and each character that turns the
/// direction of what follows (U+202A to U+202E, U+2066 to U+2069), for "gpj.exe" could be made to look like
/// "exe.jpg".
std::string shownName(std::string_view name, std::string_view instead = "\xef\xbf\xbd");

} // namespace perilune
