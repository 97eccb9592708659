#include "engine/gpu/vulkan_instance.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <mutex>

namespace perilune {
namespace {

constexpr const char *kValidationLayer = "VK_LAYER_KHRONOS_validation";

// The layers speak on whatever thread calls Vulkan, and of instances that are gone by the time
// that a test asks: the one list of the process, behind its lock.
struct MessageList {
    std::mutex mutex;
    std::vector<std::string> messages;
};

MessageList &messageList()
{
    static MessageList list;
    return list;
}

VKAPI_ATTR VkBool32 VKAPI_CALL keepMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                           VkDebugUtilsMessageTypeFlagsEXT,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *)
{
    // Newer layers report what they change about the device to instrument kernels: not about us.
    const std::string_view id = data->pMessageIdName ? data->pMessageIdName : "";
    if (id.starts_with("WARNING-Setting") || id.starts_with("WARNING-GPU-Assisted"))
        return VK_FALSE;
    MessageList &list = messageList();
    const std::lock_guard lock(list.mutex);
    list.messages.emplace_back(data->pMessage);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo()
{
    VkDebugUtilsMessengerCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    info.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType =
        VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    info.pfnUserCallback = keepMessage;
    return info;
}

bool hasValidationLayer()
{
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties &layer) {
        return std::strcmp(layer.layerName, kValidationLayer) == 0;
    });
}

const char *kindOf(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return "cpu";
    default: return "other";
    }
}

// What the device lacks, in a sentence; empty where nothing.
std::string whyUnusable(VkPhysicalDevice device, const VkPhysicalDeviceProperties &properties)
{
    const VkPhysicalDeviceLimits &limits = properties.limits;
    if (properties.apiVersion < VK_API_VERSION_1_2)
        return "its driver offers Vulkan 1." + std::to_string(VK_API_VERSION_MINOR(properties.apiVersion)) +
               ", and 1.2 is needed";
    VkPhysicalDeviceVulkan12Features features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features, {}};
    vkGetPhysicalDeviceFeatures2(device, &all);
    if (!features.bufferDeviceAddress)
        return "its driver has no buffer device addresses";
    if (computeQueueFamily(device) < 0)
        return "it has no queue that computes";
    if (limits.maxComputeWorkGroupInvocations < 256 || limits.maxComputeWorkGroupSize[0] < 256)
        return "its workgroups are smaller than 256";
    if (limits.maxComputeSharedMemorySize < 32768)
        return "its workgroups share less than 32 KiB";
    if (limits.maxPushConstantsSize < 128)
        return "it takes fewer than 128 bytes of push constants";
    return {};
}

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// The devices, for the sentence that says which there are.
std::string listed(const std::vector<DeviceInfo> &devices)
{
    std::string text;
    for (const DeviceInfo &device : devices) {
        text += (text.empty() ? "" : "; ") + std::to_string(device.index) + " " + device.name;
        if (!device.usable)
            text += " (unusable: " + device.why + ")";
    }
    return text;
}

int rankOf(const DeviceInfo &device)
{
    constexpr std::array<const char *, 4> kFastestFirst{"discrete", "integrated", "virtual", "cpu"};
    const auto found = std::find(kFastestFirst.begin(), kFastestFirst.end(), device.kind);
    return static_cast<int>(found - kFastestFirst.begin());
}

} // namespace

Result<std::unique_ptr<VulkanInstance>> VulkanInstance::create(bool validation, bool gpuAssisted)
{
    if (validation && !hasValidationLayer())
        return Error{ErrorCode::Unsupported, "the Vulkan validation layer is not installed"};
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "perilune";
    application.apiVersion = VK_API_VERSION_1_2;

    VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo();
    constexpr std::array<VkValidationFeatureEnableEXT, 2> kGpuAssisted{
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT};
    VkValidationFeaturesEXT features{};
    features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
    features.pNext = &messenger;
    features.enabledValidationFeatureCount = gpuAssisted ? 2 : 0;
    features.pEnabledValidationFeatures = kGpuAssisted.data();
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;

    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    if (validation) {
        info.pNext = &features;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &kValidationLayer;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &extension;
    }
    std::unique_ptr<VulkanInstance> instance(new VulkanInstance);
    const VkResult made = vkCreateInstance(&info, nullptr, &instance->m_instance);
    if (made != VK_SUCCESS)
        return Error{ErrorCode::NoDevice, "no Vulkan driver is installed"};
    if (validation)
        instance->listenToValidation();
    return instance;
}

void VulkanInstance::listenToValidation()
{
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(m_instance, "vkCreateDebugUtilsMessengerEXT"));
    const VkDebugUtilsMessengerCreateInfoEXT info = messengerInfo();
    if (create)
        create(m_instance, &info, nullptr, &m_messenger);
}

VulkanInstance::~VulkanInstance()
{
    if (m_messenger) {
        const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
            vkGetInstanceProcAddr(m_instance, "vkDestroyDebugUtilsMessengerEXT"));
        destroy(m_instance, m_messenger, nullptr);
    }
    if (m_instance)
        vkDestroyInstance(m_instance, nullptr);
}

std::vector<VkPhysicalDevice> VulkanInstance::devices() const
{
    std::uint32_t count = 0;
    vkEnumeratePhysicalDevices(m_instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(m_instance, &count, devices.data());
    devices.resize(count);
    return devices;
}

DeviceInfo describeDevice(VkPhysicalDevice device, std::uint32_t index)
{
    VkPhysicalDeviceMaintenance3Properties allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &allocation, {}};
    VkPhysicalDeviceProperties old{};
    vkGetPhysicalDeviceProperties(device, &old);
    if (old.apiVersion >= VK_API_VERSION_1_1)
        vkGetPhysicalDeviceProperties2(device, &properties);

    DeviceInfo info;
    info.index = index;
    info.name = old.deviceName;
    info.kind = kindOf(old.deviceType);
    info.largestAllocation = allocation.maxMemoryAllocationSize;
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            info.memory = std::max<std::uint64_t>(info.memory, memory.memoryHeaps[i].size);
    }
    info.why = whyUnusable(device, old);
    info.usable = info.why.empty();
    return info;
}

int computeQueueFamily(VkPhysicalDevice device)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    int found = -1;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        if (!(families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT))
            return static_cast<int>(i);
        if (found < 0)
            found = static_cast<int>(i);
    }
    return found;
}

Result<std::uint32_t> chooseDevice(const std::vector<DeviceInfo> &devices, const std::string &choice)
{
    if (devices.empty())
        return Error{ErrorCode::NoDevice, "Vulkan finds no compute device on this machine"};
    std::uint32_t wantedIndex = 0;
    const char *end = choice.data() + choice.size();
    const bool isIndex = !choice.empty() && std::from_chars(choice.data(), end, wantedIndex).ptr == end;
    const std::string wantedName = lowerCase(choice);
    const DeviceInfo *best = nullptr;
    for (const DeviceInfo &device : devices) {
        const bool named = isIndex ? device.index == wantedIndex
                                   : lowerCase(device.name).find(wantedName) != std::string::npos;
        if (named && device.usable && (!best || rankOf(device) < rankOf(*best)))
            best = &device;
    }
    if (best)
        return best->index;
    if (choice.empty())
        return Error{ErrorCode::NoDevice, "no compute device can run the engine: " + listed(devices)};
    return Error{ErrorCode::NoDevice,
                 "no usable compute device is called \"" + choice + "\"; there are: " + listed(devices)};
}

std::vector<DeviceInfo> listDevices()
{
    const auto instance = VulkanInstance::create(false, false);
    std::vector<DeviceInfo> infos;
    if (!instance)
        return infos;
    std::uint32_t index = 0;
    for (VkPhysicalDevice device : (*instance)->devices())
        infos.push_back(describeDevice(device, index++));
    return infos;
}

std::vector<std::string> validationMessages()
{
    MessageList &list = messageList();
    const std::lock_guard lock(list.mutex);
    return list.messages;
}

} // namespace perilune
