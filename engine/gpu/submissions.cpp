#include "engine/gpu/submissions.h"

namespace perilune {

Submissions::Submissions(VulkanContext &context) : m_context(context) {}

Status Submissions::start()
{
    VkDevice device = m_context.device;
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = m_context.queueFamily;
    Status status = m_context.check(vkCreateCommandPool(device, &pool, nullptr, &m_pool), "opening it");
    for (Slot &slot : m_slots) {
        VkCommandBufferAllocateInfo commands{};
        commands.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        commands.commandPool = m_pool;
        commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        commands.commandBufferCount = 1;
        if (status)
            status =
                m_context.check(vkAllocateCommandBuffers(device, &commands, &slot.commands), "opening it");
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
        if (status)
            status = m_context.check(vkCreateFence(device, &fence, nullptr, &slot.fence), "opening it");
        VkQueryPoolCreateInfo stamps{};
        stamps.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        stamps.queryType = VK_QUERY_TYPE_TIMESTAMP;
        stamps.queryCount = kLargest + 1;
        if (status && m_context.timestampSeconds > 0)
            status = m_context.check(vkCreateQueryPool(device, &stamps, nullptr, &slot.stamps), "opening it");
    }
    return status;
}

Submissions::~Submissions()
{
    if (m_context.queue)
        vkQueueWaitIdle(m_context.queue);
    for (const Slot &slot : m_slots) {
        if (slot.fence)
            vkDestroyFence(m_context.device, slot.fence, nullptr);
        if (slot.stamps)
            vkDestroyQueryPool(m_context.device, slot.stamps, nullptr);
    }
    if (m_pool)
        vkDestroyCommandPool(m_context.device, m_pool, nullptr);
}

Result<VkCommandBuffer> Submissions::commands()
{
    Slot &slot = m_slots[m_current];
    if (m_open)
        return slot.commands;
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (Status status = m_context.check(vkBeginCommandBuffer(slot.commands, &info), "recording"); !status)
        return std::move(status).error();
    slot.entries.clear();
    slot.stampCount = 0;
    m_open = true;
    if (slot.stamps)
        vkCmdResetQueryPool(slot.commands, slot.stamps, 0, kLargest + 1);
    stamp(slot);
    return slot.commands;
}

void Submissions::stamp(Slot &slot)
{
    if (slot.stamps && slot.stampCount <= kLargest)
        vkCmdWriteTimestamp(slot.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.stamps,
                            slot.stampCount++);
}

void Submissions::note(const char *name, Pace::Work work, bool timed)
{
    CHECK(m_open);
    Slot &slot = m_slots[m_current];
    Entry entry{name, work, -1};
    if (timed && slot.stamps) {
        entry.stamp = static_cast<int>(slot.stampCount);
        stamp(slot);
    }
    slot.entries.push_back(entry);
}

Status Submissions::submit()
{
    CHECK(m_open);
    Slot &slot = m_slots[m_current];
    m_open = false;
    // The last dispatch may go untimed, and the submission's own end must be known.
    if (slot.stampCount > 0 && (slot.entries.empty() || slot.entries.back().stamp < 0))
        stamp(slot);
    Status status = m_context.check(vkEndCommandBuffer(slot.commands), "recording");
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &slot.commands;
    if (status)
        status = m_context.check(vkQueueSubmit(m_context.queue, 1, &info, slot.fence), "submitting work");
    if (!status)
        return status;
    m_inFlight.push_back(m_current);
    m_current = (m_current + 1) % kSlots;
    while (status && m_inFlight.size() > kSlots - 1)
        status = waitForOldest();
    return status;
}

void Submissions::drop()
{
    if (!m_open)
        return;
    vkEndCommandBuffer(m_slots[m_current].commands);
    m_slots[m_current].entries.clear();
    m_open = false;
}

Status Submissions::waitForOldest()
{
    const Slot &slot = m_slots[m_inFlight.front()];
    m_inFlight.pop_front();
    Status status = m_context.wait(slot.fence, "waiting for work");
    if (status)
        m_finished.push_back(measure(slot));
    return status;
}

Status Submissions::waitForAll()
{
    Status status = Done{};
    while (!m_inFlight.empty()) { // all of them, so that no fence stays in use
        if (Status waited = waitForOldest(); status && !waited)
            status = std::move(waited);
    }
    return status;
}

Submissions::Finished Submissions::measure(const Slot &slot) const
{
    Finished finished;
    finished.seconds = -1;
    std::vector<std::uint64_t> stamps(slot.stampCount);
    if (slot.stampCount > 0) {
        const VkResult got = vkGetQueryPoolResults(m_context.device, slot.stamps, 0, slot.stampCount,
                                                   stamps.size() * sizeof(std::uint64_t), stamps.data(),
                                                   sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT);
        if (got != VK_SUCCESS)
            stamps.clear();
    }
    const auto between = [&](std::uint64_t from, std::uint64_t to) {
        return static_cast<double>((to - from) & m_context.timestampMask) * m_context.timestampSeconds;
    };
    if (stamps.size() >= 2)
        finished.seconds = between(stamps.front(), stamps.back());
    int previous = 0; // the stamp that the entry's time starts at, where the one before it was timed too
    for (const Entry &entry : slot.entries) {
        Measured measured{entry.name, entry.work, -1};
        if (entry.stamp >= 1 && previous >= 0 && !stamps.empty())
            measured.seconds = between(stamps[static_cast<std::size_t>(previous)],
                                       stamps[static_cast<std::size_t>(entry.stamp)]);
        previous = entry.stamp;
        finished.dispatches.push_back(measured);
    }
    return finished;
}

std::vector<Submissions::Finished> Submissions::takeFinished()
{
    return std::exchange(m_finished, {});
}

} // namespace perilune
