#pragma once

#include "engine/gpu/free_ranges.h"
#include "engine/gpu/vulkan_context.h"

#include <map>

namespace perilune {

/// Gives out blocks of memory, and pieces of shared blocks where they are small, since drivers bound the
/// number of blocks (4096); finds the Vulkan buffer behind an address. What counts is what the driver gave
/// out.
class VulkanMemory {
public:
    explicit VulkanMemory(VulkanContext &context);
    ~VulkanMemory();
    VulkanMemory(const VulkanMemory &) = delete;
    VulkanMemory &operator=(const VulkanMemory &) = delete;

    /// OutOfMemory names `purpose`. The buffer must not outlive this object.
    Result<std::unique_ptr<Buffer>> allocate(std::uint64_t bytes, MemoryKind kind, std::string_view purpose);
    void setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes);
    std::uint64_t allocated(MemoryKind kind) const { return pool(kind).committed; }

    struct Place {
        VkBuffer buffer = nullptr;
        std::uint64_t offset = 0;
        std::byte *host = nullptr; ///< null where the host can't reach it
    };
    /// CHECKs that the range lies in one allocation.
    Place find(ByteRange range) const;

private:
    class Piece;
    struct Block {
        VkDeviceMemory memory = nullptr;
        VkBuffer buffer = nullptr;
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        std::uint64_t committed = 0; // by the driver: at least `bytes`
        std::byte *mapped = nullptr;
        MemoryKind kind = MemoryKind::Device;
        FreeRanges free{0};
    };
    struct Pool {
        std::uint32_t type = 0;
        std::uint64_t committed = 0; // by blocks
        std::uint64_t budget = 0;    // 0 for none

        bool holds(std::uint64_t bytes) const
        {
            return budget == 0 || (committed <= budget && bytes <= budget - committed);
        }
    };

    Pool &pool(MemoryKind kind) { return m_pools[static_cast<std::size_t>(kind)]; }
    const Pool &pool(MemoryKind kind) const { return m_pools[static_cast<std::size_t>(kind)]; }
    void chooseTypes();
    Result<Block *> makeBlock(std::uint64_t bytes, MemoryKind kind, std::string_view purpose);
    Status fill(Block &block);
    void destroy(Block &block);
    void release(std::uint64_t address, std::uint64_t bytes);
    Block &blockAt(std::uint64_t address);
    std::string fullSentence(std::uint64_t bytes, MemoryKind kind, std::string_view purpose) const;

    VulkanContext &m_context;
    std::array<Pool, 2> m_pools;
    std::map<std::uint64_t, Block> m_blocks; // by address
};

} // namespace perilune
