#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// model.safetensors.index.json.
struct ShardIndex {
    std::map<std::string, std::string, std::less<>> fileOf; ///< by the tensor's name
    std::vector<std::string> files;                         ///< each once, in alphabetical order
    std::optional<std::uint64_t> totalSize;                 ///< bytes of all tensors, where it is given
};

/// NotFound, Io or Corrupt, naming the file and the entry. Shards must lie in the index's own folder.
Result<ShardIndex> readShardIndex(const std::string &path);

} // namespace perilune
