#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace perilune {

/// The whole of a text file of at most `longest` bytes. NotFound, Io, or Corrupt where it is longer.
Result<std::string> readJsonFile(const std::string &path, std::uint64_t longest);

/// Whether `json` is one JSON object that has no key twice, at any depth. Corrupt, naming `file`, the key and
/// what stands there. Builds nothing.
Status checkJsonObject(std::string_view json, const std::string &file);

/// Whether brackets nest at most `deepest` times in `json`, counted without parsing: a parser that
/// builds a tree recurses as deep as its input when it frees it.
bool nestsAtMost(std::string_view json, int deepest);

} // namespace perilune
