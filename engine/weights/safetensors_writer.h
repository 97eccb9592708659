#pragma once

#include "engine/base/output_file.h"
#include "engine/weights/safetensors.h"

#include <span>
#include <string>
#include <vector>

namespace perilune {

/// Collects tensors and writes them as one safetensors file, in the order of their adding.
class SafetensorsWriter {
public:
    void add(std::string name, std::vector<std::uint64_t> shape, std::span<const float> values);
    void add(std::string name, std::vector<std::uint64_t> shape, std::span<const std::int64_t> values);
    void add(std::string name, std::vector<std::uint64_t> shape, std::span<const std::uint8_t> values);

    /// Writes beside `path` and renames, so that a broken dump never has its name. Io.
    Status write(const std::string &path) const;
    /// The same, into a file that was made before there was anything to write.
    Status write(OutputFile file) const;

private:
    struct Entry {
        std::string name;
        StoredType type;
        std::vector<std::uint64_t> shape;
        std::vector<std::byte> bytes;
    };
    void addBytes(std::string name, StoredType type, std::vector<std::uint64_t> shape,
                  std::span<const std::byte> bytes);

    std::vector<Entry> m_entries;
};

} // namespace perilune
