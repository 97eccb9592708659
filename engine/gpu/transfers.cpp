#include "engine/gpu/transfers.h"

#include <algorithm>
#include <cstring>

namespace perilune {
namespace {
constexpr std::uint64_t kStageBytes = kStagingBytes / 2; // two of them
} // namespace

Transfers::Transfers(VulkanContext &context, VulkanMemory &memory, bool alwaysStaged)
    : m_context(context),
      m_memory(memory),
      m_alwaysStaged(alwaysStaged)
{
}

Transfers::~Transfers()
{
    for (const Stage &stage : m_stages) {
        if (stage.fence)
            vkDestroyFence(m_context.device, stage.fence, nullptr);
    }
    if (m_pool)
        vkDestroyCommandPool(m_context.device, m_pool, nullptr);
}

Status Transfers::start()
{
    if (m_stages.back().buffer)
        return Done{};
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = m_context.queueFamily;
    VkDevice device = m_context.device;
    Status status = Done{};
    if (!m_pool)
        status = m_context.check(vkCreateCommandPool(device, &pool, nullptr, &m_pool), "preparing copies");
    for (Stage &stage : m_stages) {
        VkCommandBufferAllocateInfo commands{};
        commands.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        commands.commandPool = m_pool;
        commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        commands.commandBufferCount = 1;
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
        if (status && !stage.commands)
            status = m_context.check(vkAllocateCommandBuffers(device, &commands, &stage.commands),
                                     "preparing copies");
        if (status && !stage.fence)
            status =
                m_context.check(vkCreateFence(device, &fence, nullptr, &stage.fence), "preparing copies");
        if (!status)
            return status;
        auto buffer = m_memory.allocate(kStageBytes, MemoryKind::Host, "the buffer for copies");
        if (!buffer)
            return std::move(buffer).error();
        stage.buffer = *std::move(buffer);
    }
    return Done{};
}

Status Transfers::upload(std::uint64_t destination, std::span<const std::byte> bytes)
{
    if (Status ready = m_context.ready(); !ready || bytes.empty())
        return ready;
    if (std::byte *host = m_memory.find({destination, bytes.size()}).host; host && !m_alwaysStaged) {
        std::memcpy(host, bytes.data(), bytes.size());
        return Done{};
    }
    Status status = start();
    std::size_t turn = 0;
    for (std::uint64_t done = 0; status && done < bytes.size(); turn ^= 1) {
        Stage &stage = m_stages[turn];
        const std::uint64_t count = std::min<std::uint64_t>(kStageBytes, bytes.size() - done);
        if (status = wait(stage); !status)
            break;
        std::memcpy(stage.buffer->mapped(), bytes.data() + done, count);
        status = copy(stage, {stage.buffer->address(), count}, destination + done);
        done += count;
    }
    for (Stage &stage : m_stages) {
        if (Status waited = wait(stage); status && !waited)
            status = std::move(waited);
    }
    return status;
}

Status Transfers::download(ByteRange source, std::span<std::byte> bytes)
{
    CHECK(bytes.size() == source.bytes);
    if (Status ready = m_context.ready(); !ready || bytes.empty())
        return ready;
    if (const std::byte *host = m_memory.find(source).host; host && !m_alwaysStaged) {
        std::memcpy(bytes.data(), host, bytes.size());
        return Done{};
    }
    Status status = start();
    Stage &stage = m_stages.front();
    for (std::uint64_t done = 0; status && done < source.bytes;) {
        const std::uint64_t count = std::min(kStageBytes, source.bytes - done);
        status = copy(stage, {source.address + done, count}, stage.buffer->address());
        if (status)
            status = wait(stage);
        if (status)
            std::memcpy(bytes.data() + done, stage.buffer->mapped(), count);
        done += count;
    }
    return status;
}

Status Transfers::copy(Stage &stage, ByteRange source, std::uint64_t destination)
{
    const VulkanMemory::Place from = m_memory.find(source);
    const VulkanMemory::Place to = m_memory.find({destination, source.bytes});
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    Status status = m_context.check(vkBeginCommandBuffer(stage.commands, &begin), "copying");
    if (!status)
        return status;
    const VkBufferCopy region{from.offset, to.offset, source.bytes};
    vkCmdCopyBuffer(stage.commands, from.buffer, to.buffer, 1, &region);
    const VkMemoryBarrier toAll{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_READ_BIT |
                                    VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(stage.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &toAll, 0,
                         nullptr, 0, nullptr);
    if (status = m_context.check(vkEndCommandBuffer(stage.commands), "copying"); !status)
        return status;
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &stage.commands;
    status = m_context.check(vkQueueSubmit(m_context.queue, 1, &submit, stage.fence), "copying");
    stage.busy = status.has_value();
    return status;
}

Status Transfers::wait(Stage &stage)
{
    if (!stage.busy)
        return Done{};
    stage.busy = false;
    return m_context.wait(stage.fence, "copying");
}

} // namespace perilune
