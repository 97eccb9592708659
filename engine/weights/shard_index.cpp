#include "engine/weights/shard_index.h"

#include "engine/weights/json_file.h"

#include <nlohmann/json.hpp>
#include <set>

namespace perilune {

namespace {

constexpr std::uint64_t kLongestIndex = 256ull << 20; // the real K2.5 index has 208,550 entries in 20 MB
constexpr int kDeepestIndex = 8;

/// A shard is a file of the same folder: a path could name anything on this machine.
bool isPlainFileName(const std::string &name)
{
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

} // namespace

Result<ShardIndex> readShardIndex(const std::string &path)
{
    const Result<std::string> text = readJsonFile(path, kLongestIndex);
    if (!text)
        return text.error();
    if (!nestsAtMost(*text, kDeepestIndex))
        return Error{ErrorCode::Corrupt,
                     path + " nests deeper than " + std::to_string(kDeepestIndex) + " levels"};
    const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_discarded() || !json.is_object())
        return Error{ErrorCode::Corrupt, path + " is not a JSON object"};
    const auto map = json.find("weight_map");
    if (map == json.end() || !map->is_object() || map->empty())
        return Error{ErrorCode::Corrupt,
                     path + ": weight_map must be an object that names a file for each tensor"};

    ShardIndex index;
    std::set<std::string> files;
    for (const auto &[name, file] : map->items()) {
        if (!file.is_string() || !isPlainFileName(file.get<std::string>()))
            return Error{ErrorCode::Corrupt, path + ": weight_map gives tensor " + name +
                                                 " no name of a file in the same folder"};
        files.insert(file.get<std::string>());
        index.fileOf.emplace(name, file.get<std::string>());
    }
    index.files.assign(files.begin(), files.end());
    if (const auto metadata = json.find("metadata"); metadata != json.end() && metadata->is_object()) {
        const auto size = metadata->find("total_size");
        if (size != metadata->end() && size->is_number_unsigned())
            index.totalSize = size->get<std::uint64_t>();
    }
    return index;
}

} // namespace perilune
