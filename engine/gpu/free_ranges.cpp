#include "engine/gpu/free_ranges.h"

#include "engine/base/check.h"

#include <iterator>

namespace perilune {

FreeRanges::FreeRanges(std::uint64_t bytes) : m_bytes(bytes)
{
    m_gaps.emplace(0, bytes);
}

std::optional<std::uint64_t> FreeRanges::take(std::uint64_t bytes)
{
    CHECK(bytes > 0);
    for (auto gap = m_gaps.begin(); gap != m_gaps.end(); ++gap) {
        if (gap->second < bytes)
            continue;
        const auto [offset, length] = *gap;
        m_gaps.erase(gap);
        if (length > bytes)
            m_gaps.emplace(offset + bytes, length - bytes);
        return offset;
    }
    return std::nullopt;
}

void FreeRanges::give(std::uint64_t offset, std::uint64_t bytes)
{
    auto next = m_gaps.lower_bound(offset);
    CHECK(next == m_gaps.end() || offset + bytes <= next->first);
    if (next != m_gaps.end() && next->first == offset + bytes) {
        bytes += next->second;
        next = m_gaps.erase(next);
    }
    if (next != m_gaps.begin()) {
        const auto before = std::prev(next);
        CHECK(before->first + before->second <= offset);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    m_gaps.emplace(offset, bytes);
}

bool FreeRanges::allFree() const
{
    return m_gaps.size() == 1 && m_gaps.begin()->second == m_bytes;
}

} // namespace perilune
