#pragma once

#include "engine/gpu/device.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace perilune {

/// A device that runs nothing and remembers which shaders, with which constants, it was asked for. Its
/// buffers have addresses of their own; those of MemoryKind::Host also have memory.
class DispatchCollector : public Device {
public:
    explicit DispatchCollector(const DeviceInfo &info) : m_info(info) {}

    /// One for each shader and set of constants, with the most groups that were seen of it.
    const std::vector<Dispatch> &dispatches() const { return m_dispatches; }
    /// An address that may be named in a dispatch.
    std::uint64_t somewhere() const { return kFirstAddress; }

    const DeviceInfo &info() const override { return m_info; }
    Result<std::unique_ptr<Buffer>> allocate(std::uint64_t bytes, MemoryKind kind,
                                             std::string_view purpose) override;
    void setBudget(std::uint64_t, std::uint64_t) override {}
    std::uint64_t allocated(MemoryKind) const override { return 0; }
    void begin(std::stop_token) override {}
    void dispatch(const Dispatch &dispatch) override;
    void copy(ByteRange, std::uint64_t) override {}
    Status finish() override { return Done{}; }
    Status upload(std::uint64_t, std::span<const std::byte>) override { return Done{}; }
    Status download(ByteRange, std::span<std::byte>) override { return Done{}; }
    Status compile(std::span<const Dispatch>, const std::function<void(std::uint64_t, std::uint64_t)> &,
                   std::stop_token) override
    {
        return Done{};
    }
    void setTiming(bool) override {}
    std::vector<DispatchTime> takeTimes() override { return {}; }

private:
    static constexpr std::uint64_t kFirstAddress = std::uint64_t{1} << 40;

    DeviceInfo m_info;
    std::uint64_t m_next = kFirstAddress;
    std::map<std::pair<const std::uint32_t *, std::vector<std::uint32_t>>, std::size_t>
        m_seen; // where it stands
    std::vector<Dispatch> m_dispatches;
};

} // namespace perilune
