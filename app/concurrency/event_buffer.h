#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace perilune {

/// Carries events from a thread that makes them fast to one that takes them in batches, at most one
/// batch an interval. Nobody polls: the append that finds the buffer unscheduled says when to drain.
template <typename Event>
class EventBuffer {
public:
    using Clock = std::chrono::steady_clock;

    explicit EventBuffer(std::chrono::milliseconds interval) : m_interval(interval) {}

    /// Adds `event`. Where a value comes back, the caller must see to it that drain() is called after that
    /// time (0: at once); where none does, that is under way already.
    [[nodiscard]] std::optional<std::chrono::milliseconds> append(Event event)
    {
        const std::lock_guard lock(m_mutex);
        m_events.push_back(std::move(event));
        if (std::exchange(m_scheduled, true))
            return std::nullopt;
        const auto next = m_lastDrain + m_interval;
        const auto now = Clock::now();
        if (next <= now)
            return std::chrono::milliseconds(0);
        return std::chrono::ceil<std::chrono::milliseconds>(next - now);
    }

    /// Everything appended since the last call, in order.
    std::vector<Event> drain()
    {
        const std::lock_guard lock(m_mutex);
        m_scheduled = false;
        m_lastDrain = Clock::now();
        return std::exchange(m_events, {});
    }

private:
    std::chrono::milliseconds m_interval;
    std::mutex m_mutex;
    std::vector<Event> m_events;
    bool m_scheduled = false;
    Clock::time_point m_lastDrain{}; // long ago: the first event is handed on at once
};

} // namespace perilune
