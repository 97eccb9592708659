#pragma once

#include "engine/gpu/pace.h"
#include "engine/gpu/vulkan_context.h"

#include <deque>

namespace perilune {

/// Command buffers on their way to the queue: one being recorded, at most two in flight.
class Submissions {
public:
    explicit Submissions(VulkanContext &context);
    ~Submissions();
    Submissions(const Submissions &) = delete;
    Submissions &operator=(const Submissions &) = delete;

    Status start(); ///< makes the Vulkan objects; once

    /// The command buffer to record into; begins one where none is open.
    Result<VkCommandBuffer> commands();
    bool open() const { return m_open; }
    /// Notes the end of a dispatch; with `timed`, a time stamp is recorded behind it.
    void note(const char *name, Pace::Work work, bool timed);
    std::size_t dispatches() const { return m_slots[m_current].entries.size(); }
    /// No more dispatches fit into the open one.
    bool full() const { return dispatches() >= kLargest; }
    std::size_t inFlight() const { return m_inFlight.size(); }

    /// Submits the open one, then waits until at most one other is in flight.
    Status submit();
    /// Throws the open one away.
    void drop();
    Status waitForAll();

    struct Measured {
        const char *name = "";
        Pace::Work work;
        double seconds = 0; ///< of the dispatch; negative where it wasn't timed
    };
    struct Finished {
        std::vector<Measured> dispatches;
        double seconds = 0; ///< of the whole submission; negative where unknown
    };
    /// What has finished since the last call.
    std::vector<Finished> takeFinished();

private:
    static constexpr std::size_t kSlots = 3;
    static constexpr std::size_t kLargest = 1000; // dispatches in a submission

    struct Entry {
        const char *name = "";
        Pace::Work work;
        int stamp = -1; // number of the time stamp behind it; -1 without
    };
    struct Slot {
        VkCommandBuffer commands = nullptr;
        VkFence fence = nullptr;
        VkQueryPool stamps = nullptr;
        std::uint32_t stampCount = 0;
        std::vector<Entry> entries;
    };

    void stamp(Slot &slot);
    Status waitForOldest();
    Finished measure(const Slot &slot) const;

    VulkanContext &m_context;
    VkCommandPool m_pool = nullptr;
    std::array<Slot, kSlots> m_slots;
    std::size_t m_current = 0;
    bool m_open = false;
    std::deque<std::size_t> m_inFlight; // slots, oldest first
    std::vector<Finished> m_finished;
};

} // namespace perilune
