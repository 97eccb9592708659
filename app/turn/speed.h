#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <utility>

namespace perilune {

/// Tokens a second over the last few batches.
class Speed {
public:
    double add(std::size_t pieces)
    {
        const Clock::time_point now = Clock::now();
        m_total += pieces;
        m_samples.emplace_back(now, m_total);
        while (m_samples.size() > 2 && now - m_samples.front().first > std::chrono::seconds(3))
            m_samples.pop_front();
        const std::chrono::duration<double> span = now - m_samples.front().first;
        const auto counted = static_cast<double>(m_total - m_samples.front().second);
        return span.count() > 0 ? counted / span.count() : 0;
    }
    std::size_t total() const { return m_total; }

private:
    using Clock = std::chrono::steady_clock;
    std::size_t m_total = 0;
    std::list<std::pair<Clock::time_point, std::size_t>> m_samples;
};

} // namespace perilune
