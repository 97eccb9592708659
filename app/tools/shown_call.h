#pragma once

#include <string>
#include <string_view>

namespace perilune {

/// `text` as it can be shown to somebody who decides by it: what would turn it round or hide in it (marks of
/// direction, tags, control characters but tab and line feed), and what is no UTF-8, becomes `instead`. See
/// Disguise.
std::string unmasked(std::string_view text, std::string_view instead = "\uFFFD");

/// The arguments of a call, for reading: every sign as the model wrote it, laid out in lines where they are
/// JSON, and unmasked.
std::string shownArguments(std::string_view json);

} // namespace perilune
