#pragma once

#include "engine/gpu/vulkan_context.h"

#include <map>
#include <utility>

namespace perilune {

/// Compute pipelines by (code, constants), made on first use and kept on disk between runs.
class Pipelines {
public:
    /// `cacheFolder` may be empty; a cache file that is damaged or another driver's is ignored.
    Pipelines(VulkanContext &context, std::string cacheFolder);
    ~Pipelines();
    Pipelines(const Pipelines &) = delete;
    Pipelines &operator=(const Pipelines &) = delete;

    struct Pipeline {
        VkPipeline handle = nullptr;
        std::uint32_t id = 0; ///< counts from 0; what measured times are kept by
    };
    Result<Pipeline> get(const Dispatch &dispatch);
    bool has(const Dispatch &dispatch) const;
    /// The one layout of all kernels: 128 bytes of push constants, no descriptors.
    VkPipelineLayout layout() const { return m_layout; }
    /// Writes what was compiled since the last save. Failing to is no error: it costs time only.
    void save();

private:
    using Key = std::pair<const std::uint32_t *, std::vector<std::uint32_t>>;
    std::string cacheFile() const;
    std::vector<char> readCacheFile() const;
    Result<VkPipeline> make(const Dispatch &dispatch);

    VulkanContext &m_context;
    std::string m_folder;
    VkPipelineCache m_cache = nullptr;
    VkPipelineLayout m_layout = nullptr;
    std::map<Key, Pipeline> m_pipelines;
    bool m_unsaved = false;
};

} // namespace perilune
