#pragma once

#include <filesystem>
#include <string>

namespace perilune {

/// What people call the model in `folder`: the folder's own name, but for the places where that says nothing.
///
/// In Hugging Face's cache (models--OWNER--NAME/snapshots/REVISION) it is NAME; a folder that is called
/// "model" is named for the folder around it. The demo model is "Perilune demo". Never empty.
std::string modelNameOf(const std::filesystem::path &folder);

} // namespace perilune
