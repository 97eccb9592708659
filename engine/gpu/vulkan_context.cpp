#include "engine/gpu/vulkan_context.h"

namespace perilune {
namespace {

Status makeDevice(VulkanContext &context)
{
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = context.queueFamily;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkPhysicalDeviceVulkan12Features features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    features.bufferDeviceAddress = VK_TRUE;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    const VkResult made = vkCreateDevice(context.physical, &info, nullptr, &context.device);
    if (Status status = context.check(made, "opening it"); !status)
        return status;
    vkGetDeviceQueue(context.device, context.queueFamily, 0, &context.queue);
    return Done{};
}

void readTimestampUnit(VulkanContext &context)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(context.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(context.physical, &count, families.data());
    const std::uint32_t bits = families[context.queueFamily].timestampValidBits;
    if (bits == 0)
        return;
    context.timestampSeconds = 1e-9 * static_cast<double>(context.properties.limits.timestampPeriod);
    context.timestampMask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

} // namespace

Result<std::unique_ptr<VulkanContext>> VulkanContext::open(const DeviceOptions &options)
{
    auto context = std::make_unique<VulkanContext>();
    auto instance = VulkanInstance::create(options.validation, options.gpuAssistedValidation);
    if (!instance)
        return std::move(instance).error();
    context->instance = *std::move(instance);

    const std::vector<VkPhysicalDevice> devices = context->instance->devices();
    std::vector<DeviceInfo> infos;
    infos.reserve(devices.size());
    for (std::uint32_t i = 0; i < devices.size(); ++i)
        infos.push_back(describeDevice(devices[i], i));
    const Result<std::uint32_t> chosen = chooseDevice(infos, options.choice);
    if (!chosen)
        return chosen.error();

    context->physical = devices[*chosen];
    context->info = infos[*chosen];
    context->queueFamily = static_cast<std::uint32_t>(computeQueueFamily(context->physical));
    vkGetPhysicalDeviceProperties(context->physical, &context->properties);
    vkGetPhysicalDeviceMemoryProperties(context->physical, &context->memory);
    readTimestampUnit(*context);
    if (Status made = makeDevice(*context); !made)
        return std::move(made).error();
    return context;
}

VulkanContext::~VulkanContext()
{
    if (device)
        vkDestroyDevice(device, nullptr);
}

Status VulkanContext::check(VkResult result, const char *doing)
{
    if (result == VK_SUCCESS)
        return Done{};
    const std::string where = info.name + ": " + doing + ": ";
    switch (result) {
    case VK_ERROR_DEVICE_LOST: lost = true; return ready();
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: return Error{ErrorCode::OutOfMemory, where + "its memory is full"};
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return Error{ErrorCode::OutOfMemory, where + "the computer's memory is full"};
    default:
        return Error{ErrorCode::Unsupported, where + "the driver answered with Vulkan error " +
                                                 std::to_string(static_cast<int>(result))};
    }
}

Status VulkanContext::wait(VkFence fence, const char *doing)
{
    constexpr std::uint64_t kForever = ~std::uint64_t{0};
    VkResult result = vkWaitForFences(device, 1, &fence, VK_TRUE, kForever);
    if (result != VK_SUCCESS && vkQueueWaitIdle(queue) != VK_SUCCESS)
        result = VK_ERROR_DEVICE_LOST; // work that can't be waited for may write anywhere, at any time
    Status status = check(result, doing);
    if (lost)
        return status;
    Status reset = check(vkResetFences(device, 1, &fence), doing);
    return status ? std::move(reset) : std::move(status);
}

Status VulkanContext::ready() const
{
    if (lost)
        return Error{ErrorCode::DeviceLost, "the compute device " + info.name + " stopped answering"};
    return Done{};
}

} // namespace perilune
