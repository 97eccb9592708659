#pragma once

#include "engine/gpu/tensor.h"

#include <cstdint>
#include <map>
#include <span>

namespace perilune {

/// A set of bytes, kept as merged ranges. Finding an overlap takes logarithmic time.
class RangeSet {
public:
    void add(ByteRange range);
    bool overlaps(ByteRange range) const;
    void clear() { m_ends.clear(); }

private:
    std::map<std::uint64_t, std::uint64_t> m_ends; // begin → end, disjoint and not touching
};

/// Decides before which calls a barrier must stand. A barrier makes everything recorded before it
/// finish first, so only what was recorded since the last one counts: a call needs a barrier where
/// it reads what was written, writes what was written or writes what was read since then. It
/// is placed as late as possible, which makes their number the smallest.
class HazardTracker {
public:
    /// Takes note of the next call; true where a barrier must stand before it.
    bool needsBarrier(std::span<const ByteRange> reads, std::span<const ByteRange> writes);

    /// After a barrier for another reason, or when the device has become idle.
    void clear();

private:
    bool conflicts(std::span<const ByteRange> reads, std::span<const ByteRange> writes) const;

    RangeSet m_read;
    RangeSet m_written;
};

} // namespace perilune
