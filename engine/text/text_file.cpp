#include "engine/text/text_file.h"

#include "engine/base/read_file.h"

#include <filesystem>

namespace perilune {

Result<std::string> readTextFile(const std::string &path, std::uint64_t limit)
{
    std::error_code fault;
    if (!std::filesystem::exists(path, fault))
        return Error{ErrorCode::NotFound, "there is no file " + path};
    if (std::filesystem::is_directory(path, fault))
        return Error{ErrorCode::InvalidInput, path + " is a folder, not a file"};
    Result<std::string> text = readFile(path, limit);
    if (!text && text.error().code == ErrorCode::Corrupt)
        return Error{ErrorCode::InvalidInput,
                     path + " is larger than the " + std::to_string(limit >> 20) + " MiB allowed for it"};
    return text;
}

bool fileExists(const std::string &path)
{
    std::error_code fault;
    return std::filesystem::is_regular_file(path, fault);
}

} // namespace perilune
