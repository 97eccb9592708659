#pragma once

#include "engine/gpu/device.h"

#include <list>

namespace perilune::test {

/// A device that runs every dispatch by itself and checks what the dispatch declares:
/// - no byte outside the declared writes changes, in any allocation made through this device nor
///   in the guard bytes around each of them;
/// - whatever is not declared as read may hold NaN without changing what is written.
/// What it finds stands in reports(). Slow: it copies all memory several times for each dispatch.
class CheckingDevice : public Device {
public:
    explicit CheckingDevice(Device &device) : m_device(device) {}

    const std::vector<std::string> &reports() const { return m_reports; }
    void clearReports() { m_reports.clear(); }
    /// Names of the kernels that were checked.
    const std::vector<std::string> &checked() const { return m_checked; }
    std::uint64_t bytes() const;

    /// The contents of all allocations, and back. Outside a recording.
    using Image = std::vector<std::vector<std::byte>>;
    Image save();
    void restore(const Image &image);

    const DeviceInfo &info() const override { return m_device.info(); }
    Result<std::unique_ptr<Buffer>> allocate(std::uint64_t bytes, MemoryKind kind,
                                             std::string_view purpose) override;
    void setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes) override;
    std::uint64_t allocated(MemoryKind kind) const override { return m_device.allocated(kind); }
    void begin(std::stop_token stop = {}) override;
    void dispatch(const Dispatch &dispatch) override;
    void copy(ByteRange source, std::uint64_t destination) override;
    Status finish() override;
    Status upload(std::uint64_t destination, std::span<const std::byte> bytes) override;
    Status download(ByteRange source, std::span<std::byte> bytes) override;
    Status compile(std::span<const Dispatch> dispatches,
                   const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                   std::stop_token stop) override;
    void setTiming(bool on) override { m_device.setTiming(on); }
    std::vector<DispatchTime> takeTimes() override { return m_device.takeTimes(); }

private:
    class Guarded;
    struct Area {
        ByteRange range;  ///< with its guards
        ByteRange usable; ///< without
    };

    void check(const std::string &name, std::span<const ByteRange> reads, std::span<const ByteRange> writes,
               const std::function<void()> &record);
    bool run(const std::function<void()> &record);
    bool declarationsFit(const std::string &name, std::span<const ByteRange> ranges);
    void comparePlaces(const std::string &name, std::span<const ByteRange> writes, const Image &before,
                       const Image &after);
    void compareResults(const std::string &name, std::span<const ByteRange> writes, const Image &before,
                        const Image &after, const Image &poisoned);
    Image poison(const Image &before, std::span<const ByteRange> reads) const;
    void report(const std::string &text);

    Device &m_device;
    std::list<Area> m_areas;
    std::vector<std::string> m_reports;
    std::vector<std::string> m_checked;
    std::stop_token m_stop;
    Status m_status = Done{};
    bool m_recording = false;
};

} // namespace perilune::test
