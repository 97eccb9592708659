#include "engine/text/text_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace perilune {

Result<std::string> readTextFile(const std::string &path, std::uint64_t limit)
{
    std::error_code fault;
    if (!std::filesystem::exists(path, fault))
        return Error{ErrorCode::NotFound, "there is no file " + path};
    if (std::filesystem::is_directory(path, fault))
        return Error{ErrorCode::InvalidInput, path + " is a folder, not a file"};
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::string block(1 << 16, '\0');
    while (file) { // by blocks: a pipe has no size to ask for
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block, 0, static_cast<std::size_t>(file.gcount()));
        if (text.size() > limit)
            return Error{ErrorCode::InvalidInput,
                         path + " is larger than the " + std::to_string(limit >> 20) + " MiB allowed for it"};
    }
    if (!file.eof())
        return Error{ErrorCode::Io, path + " can't be read"};
    return text;
}

bool fileExists(const std::string &path)
{
    std::error_code fault;
    return std::filesystem::is_regular_file(path, fault);
}

} // namespace perilune
