#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perilune::helper {

using Bytes = std::span<const std::uint8_t>;

/// The file to decode, open for reading. Read, never mapped: a file that shrinks meanwhile gives fewer bytes,
/// not a signal.
class SourceFile {
public:
    explicit SourceFile(int descriptor);

    std::uint64_t size() const { return m_size; }

    /// Up to `size` bytes from `offset`; 0 at the end, -1 where reading fails.
    std::int64_t read(std::uint64_t offset, std::uint8_t *bytes, std::size_t size) const;

    /// The first bytes, enough to tell kinds apart.
    std::vector<std::uint8_t> head() const;

    /// All of it; an error where it is larger than a picture may be, or can't be read.
    Result<std::vector<std::uint8_t>> all() const;

private:
    int m_descriptor;
    std::uint64_t m_size = 0;
};

} // namespace perilune::helper
