#pragma once

#include "app/tools/tool_registry.h"

#include <optional>
#include <string>
#include <vector>

namespace perilune::cli {

/// Which tools "builtin" stands for.
enum class BuiltinMeans { All, Usual };

/// The tools that a value of --tools names: "calculator,read_file", where "builtin" stands for those that
/// come with the program, or for those of them that are usually on. In the registry's order, each once. None
/// where it is the name of a file instead, which every value is that names no tool at all. InvalidInput where
/// some of it is no tool's name.
Result<std::optional<std::vector<std::string>>> namedTools(const std::string &value,
                                                           const ToolRegistry &tools, BuiltinMeans builtin);

} // namespace perilune::cli
