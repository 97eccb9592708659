#include "engine/gpu/vulkan_memory.h"

#include "engine/base/check.h"
#include "engine/gpu/memory_blocks.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace perilune {
namespace {

std::string mebibytes(std::uint64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
    return text;
}

VkBufferCreateInfo bufferInfo(std::uint64_t bytes)
{
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return info;
}

// The first allowed type that has all of `flags` and none of `without`.
std::optional<std::uint32_t> memoryType(const VkPhysicalDeviceMemoryProperties &memory, std::uint32_t allowed,
                                        VkMemoryPropertyFlags flags, VkMemoryPropertyFlags without = 0)
{
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const VkMemoryPropertyFlags has = memory.memoryTypes[i].propertyFlags;
        if ((allowed >> i & 1u) && (has & flags) == flags && (has & without) == 0)
            return i;
    }
    return std::nullopt;
}

} // namespace

/// One piece of a block, as the engine sees it.
class VulkanMemory::Piece : public Buffer {
public:
    Piece(VulkanMemory &memory, std::uint64_t address, std::uint64_t bytes, std::byte *mapped)
        : m_memory(memory),
          m_address(address),
          m_bytes(bytes),
          m_mapped(mapped)
    {
    }
    ~Piece() override { m_memory.release(m_address, alignedBytes(m_bytes)); }
    Piece(const Piece &) = delete;
    Piece &operator=(const Piece &) = delete;
    std::uint64_t address() const override { return m_address; }
    std::uint64_t bytes() const override { return m_bytes; }
    std::byte *mapped() const override { return m_mapped; }

private:
    VulkanMemory &m_memory;
    std::uint64_t m_address;
    std::uint64_t m_bytes;
    std::byte *m_mapped;
};

VulkanMemory::VulkanMemory(VulkanContext &context) : m_context(context)
{
    chooseTypes();
}

VulkanMemory::~VulkanMemory()
{
    for (auto &[address, block] : m_blocks)
        destroy(block);
}

void VulkanMemory::chooseTypes()
{
    std::uint32_t allowed = ~0u;
    const VkBufferCreateInfo info = bufferInfo(alignedBytes(1));
    VkBuffer probe = nullptr;
    if (vkCreateBuffer(m_context.device, &info, nullptr, &probe) == VK_SUCCESS) {
        VkMemoryRequirements requirements{};
        vkGetBufferMemoryRequirements(m_context.device, probe, &requirements);
        allowed = requirements.memoryTypeBits;
        vkDestroyBuffer(m_context.device, probe, nullptr);
    }
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags kOdd =
        VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT;
    const auto find = [&](VkMemoryPropertyFlags flags, VkMemoryPropertyFlags without = 0) {
        return memoryType(m_context.memory, allowed, flags, without | kOdd);
    };
    const std::uint32_t mapped = find(kMapped).value_or(0); // Vulkan promises one
    // Where device and host share their memory, the host may as well write into it directly.
    const bool shared = m_context.info.kind == "cpu" || m_context.info.kind == "integrated";
    std::optional<std::uint32_t> local = shared ? find(kLocal | kMapped) : std::nullopt;
    if (!local)
        local = find(kLocal, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
    if (!local)
        local = find(kLocal);
    pool(MemoryKind::Device).type = local.value_or(mapped);
    pool(MemoryKind::Host).type = find(kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT).value_or(mapped);
}

void VulkanMemory::setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes)
{
    pool(MemoryKind::Device).budget = deviceBytes;
    pool(MemoryKind::Host).budget = hostBytes;
}

std::string VulkanMemory::fullSentence(std::uint64_t bytes, MemoryKind kind, std::string_view purpose) const
{
    const Pool &from = pool(kind);
    const char *which = kind == MemoryKind::Device ? "the memory of " : "the computer's memory shared with ";
    std::string text = which + m_context.info.name + " does not hold " + std::string(purpose) + ": " +
                       mebibytes(bytes) + " are needed, " + mebibytes(from.committed) + " are in use";
    if (from.budget > 0)
        text += ", and the limit is " + mebibytes(from.budget);
    return text;
}

Result<std::unique_ptr<Buffer>> VulkanMemory::allocate(std::uint64_t bytes, MemoryKind kind,
                                                       std::string_view purpose)
{
    if (Status ready = m_context.ready(); !ready)
        return std::move(ready).error();
    CHECK(bytes > 0);
    const std::uint64_t taken = alignedBytes(bytes);
    Block *block = nullptr;
    std::optional<std::uint64_t> offset;
    for (auto &[address, candidate] : m_blocks) {
        if (taken >= kOwnBlock)
            break;
        if (candidate.kind == kind)
            offset = candidate.free.take(taken);
        if (offset) {
            block = &candidate;
            break;
        }
    }
    if (!block) {
        Result<Block *> made = makeBlock(taken, kind, purpose);
        if (!made)
            return std::move(made).error();
        block = *made;
        offset = block->free.take(taken);
    }
    CHECK(offset.has_value()); // a new block holds what it was made for
    std::byte *mapped = kind == MemoryKind::Host ? block->mapped + *offset : nullptr;
    return std::unique_ptr<Buffer>(new Piece(*this, block->address + *offset, bytes, mapped));
}

Result<VulkanMemory::Block *> VulkanMemory::makeBlock(std::uint64_t bytes, MemoryKind kind,
                                                      std::string_view purpose)
{
    Pool &from = pool(kind);
    if (bytes > m_context.info.largestAllocation)
        return Error{ErrorCode::OutOfMemory, std::string(purpose) + " needs " + mebibytes(bytes) +
                                                 " in one piece, and " + m_context.info.name +
                                                 " gives at most " +
                                                 mebibytes(m_context.info.largestAllocation)};
    if (!from.holds(bytes))
        return Error{ErrorCode::OutOfMemory, fullSentence(bytes, kind, purpose)};
    // Of its very size where it is large or the budget is short.
    std::uint64_t size = bytes;
    if (bytes < kOwnBlock && from.holds(kSharedBlock))
        size = std::min(kSharedBlock, m_context.info.largestAllocation);
    for (;;) {
        Block block;
        block.bytes = size;
        block.kind = kind;
        block.free = FreeRanges(size);
        const Status filled = fill(block);
        if (filled) {
            from.committed += block.committed;
            const std::uint64_t address = block.address;
            return &m_blocks.emplace(address, std::move(block)).first->second;
        }
        destroy(block);
        if (filled.error().code != ErrorCode::OutOfMemory)
            return filled.error();
        if (size == bytes)
            return Error{ErrorCode::OutOfMemory, fullSentence(bytes, kind, purpose)};
        size = bytes;
    }
}

Status VulkanMemory::fill(Block &block)
{
    const VkBufferCreateInfo info = bufferInfo(block.bytes);
    VkDevice device = m_context.device;
    Status status = m_context.check(vkCreateBuffer(device, &info, nullptr, &block.buffer), "making a buffer");
    if (!status)
        return status;
    VkMemoryRequirements requirements{};
    vkGetBufferMemoryRequirements(device, block.buffer, &requirements);
    block.committed = requirements.size; // a driver may want more than was asked for
    if (!pool(block.kind).holds(block.committed))
        return Error{ErrorCode::OutOfMemory, "the budget is short of what the driver takes"};

    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.pNext = &flags;
    allocation.allocationSize = requirements.size;
    allocation.memoryTypeIndex = pool(block.kind).type;
    status = m_context.check(vkAllocateMemory(device, &allocation, nullptr, &block.memory), "taking memory");
    if (!status)
        return status;
    status = m_context.check(vkBindBufferMemory(device, block.buffer, block.memory, 0), "binding a buffer");
    if (!status)
        return status;

    const std::uint32_t type = pool(block.kind).type;
    if (m_context.memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) {
        void *mapped = nullptr;
        status = m_context.check(vkMapMemory(device, block.memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                                 "mapping memory");
        if (!status)
            return status;
        block.mapped = static_cast<std::byte *>(mapped);
    }
    const VkBufferDeviceAddressInfo where{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr,
                                          block.buffer};
    block.address = vkGetBufferDeviceAddress(device, &where);
    return Done{};
}

void VulkanMemory::destroy(Block &block)
{
    if (block.buffer)
        vkDestroyBuffer(m_context.device, block.buffer, nullptr);
    if (block.memory)
        vkFreeMemory(m_context.device, block.memory, nullptr);
}

VulkanMemory::Block &VulkanMemory::blockAt(std::uint64_t address)
{
    auto after = m_blocks.upper_bound(address);
    CHECK(after != m_blocks.begin());
    return std::prev(after)->second;
}

void VulkanMemory::release(std::uint64_t address, std::uint64_t bytes)
{
    Block &block = blockAt(address);
    block.free.give(address - block.address, bytes);
    if (!block.free.allFree())
        return;
    pool(block.kind).committed -= block.committed;
    const std::uint64_t key = block.address;
    destroy(block);
    m_blocks.erase(key);
}

VulkanMemory::Place VulkanMemory::find(ByteRange range) const
{
    auto after = m_blocks.upper_bound(range.address);
    CHECK(after != m_blocks.begin());
    const Block &block = std::prev(after)->second;
    const std::uint64_t offset = range.address - block.address;
    CHECK(offset <= block.bytes && range.bytes <= block.bytes - offset);
    return {block.buffer, offset, block.mapped ? block.mapped + offset : nullptr};
}

} // namespace perilune
