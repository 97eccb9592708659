#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>

namespace perilune {

/// The bytes of a file. NotFound, or Io where it can't be read, with its path; InvalidInput where it is
/// larger than `limit` bytes.
Result<std::string> readTextFile(const std::string &path, std::uint64_t limit);

/// Whether there is a file at `path`.
bool fileExists(const std::string &path);

} // namespace perilune
