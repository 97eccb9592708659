#include "engine/session/model_name.h"

#include <string_view>

namespace perilune {

namespace {

/// NAME of models--OWNER--NAME; empty for other names.
std::string nameInCache(const std::string &folder)
{
    constexpr std::string_view prefix = "models--";
    const std::size_t cut = folder.rfind("--");
    if (!folder.starts_with(prefix) || cut < prefix.size() || cut + 2 == folder.size())
        return {};
    return folder.substr(cut + 2);
}

} // namespace

std::string modelNameOf(const std::filesystem::path &folder)
{
    std::error_code ignored;
    std::filesystem::path path = std::filesystem::absolute(folder, ignored).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path(); // "model/" ends in an empty name
    if (path.parent_path().filename() == "snapshots") {
        if (std::string name = nameInCache(path.parent_path().parent_path().filename().string());
            !name.empty())
            return name;
    }
    if (path.filename() == "model" && path.parent_path().has_filename())
        path = path.parent_path();
    const std::string name = path.filename().string();
    if (name == "demo-model")
        return "Perilune demo";
    return name.empty() ? "model" : name;
}

} // namespace perilune
