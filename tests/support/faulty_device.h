#pragma once

#include "engine/gpu/device.h"

#include <memory>
#include <optional>
#include <string>

namespace perilune::test {

/// What is to go wrong, shared by a test and the devices that it opens.
struct Faults {
    int opened = 0;                      ///< devices so far
    std::uint64_t largestAllocation = 0; ///< where not 0, devices give no more at once
    int finishes = 0;                    ///< calls of finish() until `onFinish` happens
    std::optional<Error> onFinish;       ///< once; a DeviceLost lasts until the device is opened anew
    std::optional<std::pair<std::string, Error>> onAllocate; ///< once, for this purpose
};

/// A real device that fails when it is told to.
class FaultyDevice : public Device {
public:
    static Result<std::unique_ptr<Device>> open(const DeviceOptions &options, std::shared_ptr<Faults> faults)
    {
        auto device = openDevice(options);
        if (!device)
            return std::move(device).error();
        ++faults->opened;
        return std::unique_ptr<Device>(new FaultyDevice(*std::move(device), std::move(faults)));
    }

    const DeviceInfo &info() const override { return m_info; }
    Result<std::unique_ptr<Buffer>> allocate(std::uint64_t bytes, MemoryKind kind,
                                             std::string_view purpose) override
    {
        if (m_lost)
            return *m_lost;
        if (bytes > m_info.largestAllocation)
            return Error{ErrorCode::OutOfMemory, std::string(purpose) + " needs too much in one piece"};
        if (m_faults->onAllocate && m_faults->onAllocate->first == purpose) {
            const Error error = m_faults->onAllocate->second;
            m_faults->onAllocate.reset();
            return error;
        }
        return m_device->allocate(bytes, kind, purpose);
    }
    void setBudget(std::uint64_t device, std::uint64_t host) override { m_device->setBudget(device, host); }
    std::uint64_t allocated(MemoryKind kind) const override { return m_device->allocated(kind); }
    void begin(std::stop_token stop) override { m_device->begin(std::move(stop)); }
    void dispatch(const Dispatch &dispatch) override { m_device->dispatch(dispatch); }
    void copy(ByteRange source, std::uint64_t destination) override { m_device->copy(source, destination); }
    Status finish() override
    {
        Status done = m_device->finish();
        if (m_lost)
            return *m_lost;
        if (!m_faults->onFinish || m_faults->finishes-- > 0)
            return done;
        const Error error = *m_faults->onFinish;
        m_faults->onFinish.reset();
        if (error.code == ErrorCode::DeviceLost)
            m_lost = error;
        return error;
    }
    Status upload(std::uint64_t destination, std::span<const std::byte> bytes) override
    {
        return m_lost ? Status(*m_lost) : m_device->upload(destination, bytes);
    }
    Status download(ByteRange source, std::span<std::byte> bytes) override
    {
        return m_lost ? Status(*m_lost) : m_device->download(source, bytes);
    }
    Status compile(std::span<const Dispatch> dispatches,
                   const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                   std::stop_token stop) override
    {
        return m_device->compile(dispatches, progress, std::move(stop));
    }
    void setTiming(bool on) override { m_device->setTiming(on); }
    std::vector<DispatchTime> takeTimes() override { return m_device->takeTimes(); }

private:
    FaultyDevice(std::unique_ptr<Device> device, std::shared_ptr<Faults> faults)
        : m_device(std::move(device)),
          m_faults(std::move(faults)),
          m_info(m_device->info())
    {
        if (m_faults->largestAllocation > 0)
            m_info.largestAllocation = m_faults->largestAllocation;
    }

    std::unique_ptr<Device> m_device;
    std::shared_ptr<Faults> m_faults;
    DeviceInfo m_info;
    std::optional<Error> m_lost;
};

} // namespace perilune::test
