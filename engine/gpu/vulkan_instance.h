#pragma once

#include "engine/base/result.h"
#include "engine/gpu/device.h"

#include <memory>
#include <vector>
#include <vulkan/vulkan.h>

namespace perilune {

/// The Vulkan loader's instance, with the validation layers where they are asked for.
class VulkanInstance {
public:
    /// NoDevice without a Vulkan 1.2 loader and driver; Unsupported where validation is asked for
    /// and the layer isn't installed.
    static Result<std::unique_ptr<VulkanInstance>> create(bool validation, bool gpuAssisted);
    ~VulkanInstance();
    VulkanInstance(const VulkanInstance &) = delete;
    VulkanInstance &operator=(const VulkanInstance &) = delete;

    VkInstance handle() const { return m_instance; }
    std::vector<VkPhysicalDevice> devices() const;

private:
    VulkanInstance() = default;
    void listenToValidation();

    VkInstance m_instance = nullptr;
    VkDebugUtilsMessengerEXT m_messenger = nullptr;
};

/// What a device is and whether the engine can run on it: Vulkan 1.2 with buffer
/// device addresses, workgroups of 256, 32 KiB of shared memory, 128 bytes of push constants.
DeviceInfo describeDevice(VkPhysicalDevice device, std::uint32_t index);

/// Index of the first queue family that computes; one that doesn't draw is taken first, as it
/// runs beside the desktop. -1 where none does.
int computeQueueFamily(VkPhysicalDevice device);

/// Which of `devices` to open: by index or by a part of the name in any case, else the first of the fastest
/// kind that is usable (discrete, integrated, virtual, cpu, other). NoDevice, with a sentence.
Result<std::uint32_t> chooseDevice(const std::vector<DeviceInfo> &devices, const std::string &choice);

} // namespace perilune
