#pragma once

#include "engine/gpu/hazards.h"
#include "tests/support/null_device.h"

#include <string>
#include <vector>

/// Recorded calls and their barriers, for looking at without a GPU.
namespace perilune::test {

struct RecordedCall {
    std::string name;
    std::vector<ByteRange> reads;
    std::vector<ByteRange> writes;
    bool barrierBefore = false;
};

/// Places the barriers as the Vulkan device does.
inline void placeBarriers(std::vector<RecordedCall> &calls)
{
    HazardTracker tracker;
    for (RecordedCall &call : calls)
        call.barrierBefore = tracker.needsBarrier(call.reads, call.writes);
}

inline bool anyOverlap(const std::vector<ByteRange> &a, const std::vector<ByteRange> &b)
{
    for (const ByteRange x : a) {
        for (const ByteRange y : b) {
            if (x.bytes > 0 && y.bytes > 0 && x.address < y.address + y.bytes &&
                y.address < x.address + x.bytes)
                return true;
        }
    }
    return false;
}

/// The first two calls that touch the same bytes without a barrier between them, in words; empty
/// where there are none. Looks at every pair, and shares nothing with HazardTracker.
inline std::string firstHazard(const std::vector<RecordedCall> &calls)
{
    for (std::size_t later = 0; later < calls.size(); ++later) {
        const RecordedCall &b = calls[later];
        if (b.barrierBefore)
            continue;
        for (std::size_t earlier = later; earlier-- > 0;) {
            const RecordedCall &a = calls[earlier];
            const char *how = nullptr;
            if (anyOverlap(a.writes, b.reads))
                how = "reads what";
            else if (anyOverlap(a.writes, b.writes) || anyOverlap(a.reads, b.writes))
                how = "writes what";
            if (how)
                return b.name + " (" + std::to_string(later) + ") " + how + " " + a.name + " (" +
                       std::to_string(earlier) + ") " +
                       (anyOverlap(a.writes, b.reads) || anyOverlap(a.writes, b.writes) ? "writes" : "reads");
            if (a.barrierBefore)
                break;
        }
    }
    return {};
}

/// Keeps what is recorded and runs nothing. Addresses may be made up.
class RecordingDevice : public NullDevice {
public:
    const std::vector<RecordedCall> &calls() const { return m_calls; }
    void dispatch(const Dispatch &dispatch) override
    {
        m_calls.push_back({dispatch.name, dispatch.reads, dispatch.writes, false});
    }
    void copy(ByteRange source, std::uint64_t destination) override
    {
        m_calls.push_back({"copy", {source}, {{destination, source.bytes}}, false});
    }

private:
    std::vector<RecordedCall> m_calls;
};

} // namespace perilune::test
