#include "engine/gpu/memory_blocks.h"

#include <algorithm>
#include <vector>

namespace perilune {

std::uint64_t bytesOfBlocks(std::span<const std::uint64_t> allocations)
{
    std::uint64_t total = 0;
    std::vector<std::uint64_t> room; // of each shared block
    for (const std::uint64_t bytes : allocations) {
        const std::uint64_t taken = alignedBytes(bytes);
        if (taken >= kOwnBlock) {
            total += taken;
            continue;
        }
        auto block = std::ranges::find_if(room, [&](std::uint64_t left) { return left >= taken; });
        if (block == room.end()) {
            total += kSharedBlock;
            block = room.insert(room.end(), kSharedBlock);
        }
        *block -= taken;
    }
    return total;
}

} // namespace perilune
