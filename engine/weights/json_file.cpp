#include "engine/weights/json_file.h"

#include "engine/base/read_file.h"

#include <filesystem>

namespace perilune {

namespace fs = std::filesystem;

Result<std::string> readJsonFile(const std::string &path, std::uint64_t longest)
{
    std::error_code failed;
    if (!fs::exists(path, failed))
        return Error{ErrorCode::NotFound, path + " is not there"};
    const std::uint64_t size = fs::is_regular_file(path, failed) ? fs::file_size(path, failed) : 0;
    if (failed || !fs::is_regular_file(path, failed))
        return Error{ErrorCode::Io, path + " is not a readable file"};
    if (size > longest)
        return Error{ErrorCode::Corrupt, path + " has " + std::to_string(size) + " bytes, more than the " +
                                             std::to_string(longest) + " expected at most"};
    return readFile(path, longest);
}

bool nestsAtMost(std::string_view json, int deepest)
{
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest)
                return false;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return true;
}

} // namespace perilune
