#include "engine/gpu/pipelines.h"

#include "engine/base/output_file.h"
#include "engine/base/read_file.h"

#include <cstdio>
#include <cstring>

namespace perilune {

Pipelines::Pipelines(VulkanContext &context, std::string cacheFolder)
    : m_context(context),
      m_folder(std::move(cacheFolder))
{
    const std::vector<char> stored = readCacheFile();
    VkPipelineCacheCreateInfo cache{};
    cache.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    cache.initialDataSize = stored.size();
    cache.pInitialData = stored.empty() ? nullptr : stored.data();
    vkCreatePipelineCache(m_context.device, &cache, nullptr, &m_cache);

    const VkPushConstantRange params{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &params;
    vkCreatePipelineLayout(m_context.device, &layout, nullptr, &m_layout);
}

Pipelines::~Pipelines()
{
    save();
    for (const auto &[key, pipeline] : m_pipelines)
        vkDestroyPipeline(m_context.device, pipeline.handle, nullptr);
    if (m_layout)
        vkDestroyPipelineLayout(m_context.device, m_layout, nullptr);
    if (m_cache)
        vkDestroyPipelineCache(m_context.device, m_cache, nullptr);
}

bool Pipelines::has(const Dispatch &dispatch) const
{
    return m_pipelines.count({dispatch.code.data(), dispatch.constants}) > 0;
}

Result<Pipelines::Pipeline> Pipelines::get(const Dispatch &dispatch)
{
    Key key{dispatch.code.data(), dispatch.constants};
    if (const auto found = m_pipelines.find(key); found != m_pipelines.end())
        return found->second;
    Result<VkPipeline> made = make(dispatch);
    if (!made)
        return std::move(made).error().during(std::string("preparing the kernel ") + dispatch.name);
    const Pipeline pipeline{*made, static_cast<std::uint32_t>(m_pipelines.size())};
    m_pipelines.emplace(std::move(key), pipeline);
    m_unsaved = true;
    return pipeline;
}

Result<VkPipeline> Pipelines::make(const Dispatch &dispatch)
{
    VkShaderModuleCreateInfo code{};
    code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    code.codeSize = dispatch.code.size_bytes();
    code.pCode = dispatch.code.data();
    VkShaderModule module = nullptr;
    Status status =
        m_context.check(vkCreateShaderModule(m_context.device, &code, nullptr, &module), "reading its code");
    if (!status)
        return std::move(status).error();

    std::vector<VkSpecializationMapEntry> entries;
    entries.reserve(dispatch.constants.size());
    for (std::uint32_t i = 0; i < dispatch.constants.size(); ++i)
        entries.push_back({i, i * 4, 4});
    const VkSpecializationInfo constants{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                         dispatch.constants.size() * 4, dispatch.constants.data()};
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT; // long dispatches are cut into ranges of groups
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &constants;
    info.layout = m_layout;
    VkPipeline pipeline = nullptr;
    const VkResult made = vkCreateComputePipelines(m_context.device, m_cache, 1, &info, nullptr, &pipeline);
    vkDestroyShaderModule(m_context.device, module, nullptr);
    if (status = m_context.check(made, "compiling it"); !status)
        return std::move(status).error();
    return pipeline;
}

std::string Pipelines::cacheFile() const
{
    if (m_folder.empty())
        return {};
    const VkPhysicalDeviceProperties &device = m_context.properties;
    std::string name;
    for (const std::uint8_t byte : device.pipelineCacheUUID) {
        char hex[3];
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(byte));
        name += hex;
    }
    return m_folder + "/pipelines-" + name + ".bin";
}

// The file's bytes where its header is this driver's; drivers may crash on others.
std::vector<char> Pipelines::readCacheFile() const
{
    if (m_folder.empty())
        return {};
    constexpr std::uint64_t longest = 1 << 30;
    const Result<std::string> stored = readFile(cacheFile(), longest);
    if (!stored)
        return {};
    std::vector<char> bytes(stored->begin(), stored->end());
    VkPipelineCacheHeaderVersionOne header{};
    if (bytes.size() < sizeof header)
        return {};
    std::memcpy(&header, bytes.data(), sizeof header);
    const VkPhysicalDeviceProperties &device = m_context.properties;
    const bool ours = header.headerSize == sizeof header &&
                      header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
                      header.vendorID == device.vendorID && header.deviceID == device.deviceID &&
                      std::memcmp(header.pipelineCacheUUID, device.pipelineCacheUUID, VK_UUID_SIZE) == 0;
    return ours ? bytes : std::vector<char>{};
}

void Pipelines::save()
{
    if (m_folder.empty() || !m_unsaved || !m_cache || m_context.lost)
        return;
    std::size_t bytes = 0;
    if (vkGetPipelineCacheData(m_context.device, m_cache, &bytes, nullptr) != VK_SUCCESS || bytes == 0)
        return;
    std::vector<char> data(bytes);
    if (vkGetPipelineCacheData(m_context.device, m_cache, &bytes, data.data()) != VK_SUCCESS)
        return;
    // Another process never reads half a file. A cache that can't be kept is no loss.
    (void)replaceFile(cacheFile(), {data.data(), bytes});
    m_unsaved = false;
}

} // namespace perilune
