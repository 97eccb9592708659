#pragma once

#include "engine/gpu/device.h"

namespace perilune::test {

/// A device that does nothing and has no memory: what test devices without a GPU start from.
class NullDevice : public Device {
public:
    const DeviceInfo &info() const override { return m_info; }
    Result<std::unique_ptr<Buffer>> allocate(std::uint64_t, MemoryKind, std::string_view) override
    {
        return Error{ErrorCode::OutOfMemory, "this device has no memory"};
    }
    void setBudget(std::uint64_t, std::uint64_t) override {}
    std::uint64_t allocated(MemoryKind) const override { return 0; }
    void begin(std::stop_token) override {}
    void dispatch(const Dispatch &) override {}
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
    DeviceInfo m_info{0, "no device", "discrete", 0, 0, true, ""};
};

} // namespace perilune::test
