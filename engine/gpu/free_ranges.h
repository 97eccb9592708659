#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace perilune {

/// Hands out pieces of one block of memory: first fit, neighbours merge when they are freed.
class FreeRanges {
public:
    explicit FreeRanges(std::uint64_t bytes);

    /// Offset of a piece of `bytes` (not 0); none where no gap is long enough. Give the sizes as
    /// multiples of the alignment that the offsets need.
    std::optional<std::uint64_t> take(std::uint64_t bytes);
    void give(std::uint64_t offset, std::uint64_t bytes);
    bool allFree() const;

private:
    std::uint64_t m_bytes = 0;
    std::map<std::uint64_t, std::uint64_t> m_gaps; // offset → bytes
};

} // namespace perilune
