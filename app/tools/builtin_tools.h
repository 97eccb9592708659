#pragma once

#include "app/tools/tool_registry.h"

namespace perilune {

/// The tools that come with the program. They change nothing and reach no network.
ToolRegistry builtinTools();

} // namespace perilune
