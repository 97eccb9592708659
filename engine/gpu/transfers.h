#pragma once

#include "engine/gpu/vulkan_memory.h"

namespace perilune {

/// Bytes between the host and device memory, outside any recording; every call waits. Memory that the host
/// can reach is copied to directly, other through two staging buffers in turn.
class Transfers {
public:
    /// `alwaysStaged` uses the staging buffers for all memory, so that tests reach them on any device.
    Transfers(VulkanContext &context, VulkanMemory &memory, bool alwaysStaged = false);
    ~Transfers();
    Transfers(const Transfers &) = delete;
    Transfers &operator=(const Transfers &) = delete;

    Status upload(std::uint64_t destination, std::span<const std::byte> bytes);
    Status download(ByteRange source, std::span<std::byte> bytes);

private:
    struct Stage {
        std::unique_ptr<Buffer> buffer;
        VkCommandBuffer commands = nullptr;
        VkFence fence = nullptr;
        bool busy = false;
    };

    Status start(); // makes the staging buffers, on first use
    Status copy(Stage &stage, ByteRange source, std::uint64_t destination);
    Status wait(Stage &stage);

    VulkanContext &m_context;
    VulkanMemory &m_memory;
    bool m_alwaysStaged;
    VkCommandPool m_pool = nullptr;
    std::array<Stage, 2> m_stages;
};

} // namespace perilune
