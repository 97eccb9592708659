#include "engine/gpu/hazards.h"

#include <algorithm>
#include <iterator>

namespace perilune {

void RangeSet::add(ByteRange range)
{
    if (range.bytes == 0)
        return;
    std::uint64_t begin = range.address;
    std::uint64_t end = range.address + range.bytes;
    auto next = m_ends.lower_bound(begin);
    if (next != m_ends.begin()) {
        const auto before = std::prev(next);
        if (before->second >= begin) {
            begin = before->first;
            end = std::max(end, before->second);
            m_ends.erase(before);
        }
    }
    while (next != m_ends.end() && next->first <= end) {
        end = std::max(end, next->second);
        next = m_ends.erase(next);
    }
    m_ends.emplace(begin, end);
}

bool RangeSet::overlaps(ByteRange range) const
{
    if (range.bytes == 0)
        return false;
    const auto next = m_ends.lower_bound(range.address);
    if (next != m_ends.end() && next->first < range.address + range.bytes)
        return true;
    return next != m_ends.begin() && std::prev(next)->second > range.address;
}

bool HazardTracker::conflicts(std::span<const ByteRange> reads, std::span<const ByteRange> writes) const
{
    const auto written = [this](ByteRange range) { return m_written.overlaps(range); };
    const auto touched = [this](ByteRange range) {
        return m_written.overlaps(range) || m_read.overlaps(range);
    };
    return std::any_of(reads.begin(), reads.end(), written) ||
           std::any_of(writes.begin(), writes.end(), touched);
}

bool HazardTracker::needsBarrier(std::span<const ByteRange> reads, std::span<const ByteRange> writes)
{
    const bool needed = conflicts(reads, writes);
    if (needed)
        clear();
    for (const ByteRange range : reads)
        m_read.add(range);
    for (const ByteRange range : writes)
        m_written.add(range);
    return needed;
}

void HazardTracker::clear()
{
    m_read.clear();
    m_written.clear();
}

} // namespace perilune
