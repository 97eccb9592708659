#pragma once

#include "app/tools/read_file.h"
#include "app/tools/search_chats.h"
#include "app/tools/tool_registry.h"

#include <optional>

namespace perilune {

/// Where the built-in tools look.
struct ToolPlaces {
    ReadFile::Places files;
    SearchChats::Find find; ///< empty: conversations can't be searched
};

/// The tools that come with the program. They change nothing and reach no network. Without places: those that
/// need none, which are the usual ones too.
ToolRegistry builtinTools(std::optional<ToolPlaces> places = std::nullopt);

} // namespace perilune
