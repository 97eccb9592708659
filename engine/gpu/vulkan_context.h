#pragma once

#include "engine/gpu/vulkan_instance.h"

namespace perilune {

/// The logical device and what the parts of VulkanDevice need to know of it. Destroyed last.
struct VulkanContext {
    /// NoDevice or Unsupported, with a sentence.
    static Result<std::unique_ptr<VulkanContext>> open(const DeviceOptions &options);
    VulkanContext() = default;
    ~VulkanContext();
    VulkanContext(const VulkanContext &) = delete;
    VulkanContext &operator=(const VulkanContext &) = delete;

    /// Done for VK_SUCCESS, else the sentence for a person; notes a lost device.
    Status check(VkResult result, const char *doing);
    Status ready() const; ///< DeviceLost once the device is lost
    /// Waits for a fence and resets it. Where that fails, for want of memory say, nothing is in flight any
    /// more and the fences in use have to be reset; a device that can't even get idle counts as lost.
    Status wait(VkFence fence, const char *doing);

    std::unique_ptr<VulkanInstance> instance;
    VkPhysicalDevice physical = nullptr;
    VkDevice device = nullptr;
    VkQueue queue = nullptr;
    std::uint32_t queueFamily = 0;
    DeviceInfo info;
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceMemoryProperties memory{};
    double timestampSeconds = 0; ///< of one tick; 0 where the queue has no timestamps
    std::uint64_t timestampMask = 0;
    bool lost = false;
};

} // namespace perilune
