#pragma once

#include <string>
#include <string_view>

namespace perilune {

/// `text` as the name of a file on any system: without separators, control characters and what Windows keeps
/// for itself, at most 100 bytes, never empty, never hidden.
std::string safeFileName(std::string_view text);

} // namespace perilune
