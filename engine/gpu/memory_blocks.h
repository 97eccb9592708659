#pragma once

#include <cstdint>
#include <span>

namespace perilune {

// How allocations become blocks of the driver's memory: what a budget is held against, and so what a plan has
// to count too.

/// What an allocation of `bytes` takes. Each starts at a multiple of 256: more than any load or atom needs, a
/// cache line at least.
constexpr std::uint64_t alignedBytes(std::uint64_t bytes)
{
    constexpr std::uint64_t kStep = 256;
    return (bytes + kStep - 1) / kStep * kStep;
}

/// An allocation of so many bytes, or more, is a block of its own and of its very size; smaller ones share.
constexpr std::uint64_t kOwnBlock = std::uint64_t{16} << 10;
constexpr std::uint64_t kSharedBlock = std::uint64_t{64} << 10;

/// The bytes of the blocks that allocations of these sizes take in this order, none of them freed.
std::uint64_t bytesOfBlocks(std::span<const std::uint64_t> allocations);

} // namespace perilune
