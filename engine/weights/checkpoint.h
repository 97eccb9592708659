#pragma once

#include "engine/weights/safetensors.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perilune {

struct ShardIndex;

/// The tensors of a Hugging Face folder: one model.safetensors, or shards named by
/// model.safetensors.index.json. Files stay open as long as a copy of this lives.
class Checkpoint {
public:
    /// Reads the index and the headers. An unreadable or missing file, a tensor that stands in two
    /// shards, and one that isn't where the index says are errors; where `problems` is given they are
    /// listed there instead, with every smaller difference, and what can be read is.
    static Result<Checkpoint> open(const std::string &folder, std::vector<std::string> *problems = nullptr);

    const std::string &folder() const { return m_folder; }
    /// Null where there is none of that name.
    const StoredTensor *find(std::string_view name) const;
    /// Every tensor, file by file.
    const std::vector<const StoredTensor *> &tensors() const { return m_tensors; }
    /// Whether some shard is missing or unreadable; only where open() was given `problems`.
    bool isBroken() const { return m_broken; }
    const std::vector<std::shared_ptr<const SafetensorsFile>> &files() const { return m_files; }
    /// The name of the file that holds `tensor`.
    std::string fileOf(const StoredTensor &tensor) const;

private:
    struct Place {
        const StoredTensor *tensor = nullptr;
        std::size_t file = 0; // in m_files
    };
    Status addShard(const std::string &path);
    Status compare(const ShardIndex &index, std::vector<std::string> *problems) const;
    void compareUnread(const std::string &indexPath, std::vector<std::string> &problems) const;

    std::string m_folder;
    bool m_broken = false;
    std::vector<std::shared_ptr<const SafetensorsFile>> m_files;
    std::vector<const StoredTensor *> m_tensors;
    std::unordered_map<std::string_view, Place> m_byName; // keys live in the files
};

} // namespace perilune
