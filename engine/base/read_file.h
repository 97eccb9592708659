#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>

namespace perilune {

/// The bytes of a regular file. Never waits on a pipe or a device; what can't be read to its end is an error
/// that names the file: NotFound, Corrupt where it has more than `longest` bytes, else Io.
Result<std::string> readFile(const std::string &path, std::uint64_t longest);

} // namespace perilune
