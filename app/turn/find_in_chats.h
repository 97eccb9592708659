#pragma once

#include "app/tools/search_chats.h"

#include <filesystem>

namespace perilune {

/// Finds words in the store of `folder` by a connection of its own that only reads, so that it may run on any
/// thread and as long as it likes.
SearchChats::Find findInChats(std::filesystem::path folder);

} // namespace perilune
