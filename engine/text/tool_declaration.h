#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace perilune {

struct ToolDeclaration {
    std::string text;          ///< TypeScript, or compact JSON where TypeScript can't express the tools
    bool jsonFallback = false; ///< `text` is JSON because some schema could not be expressed
};

/// What K2.5 and K2.6 read of a JSON array of OpenAI tool schemas. Keys are sorted first, at every depth.
/// Empty text where nothing in the array is a function. InvalidInput where `toolsJson` is not a JSON array.
Result<ToolDeclaration> declareTools(std::string_view toolsJson);

/// The array as compact JSON with sorted keys: what the other families read. Empty for an empty array.
Result<std::string> compactTools(std::string_view toolsJson);

} // namespace perilune
