#pragma once

#include "engine/gpu/hazards.h"
#include "engine/gpu/pipelines.h"
#include "engine/gpu/submissions.h"
#include "engine/gpu/transfers.h"

#include <optional>

namespace perilune {

/// Device over Vulkan. Its parts do the work: memory, pipelines, submissions, transfers, hazards, pace.
class VulkanDevice : public Device {
public:
    static Result<std::unique_ptr<Device>> open(const DeviceOptions &options);
    ~VulkanDevice() override;

    const DeviceInfo &info() const override { return m_context->info; }
    Result<std::unique_ptr<Buffer>> allocate(std::uint64_t bytes, MemoryKind kind,
                                             std::string_view purpose) override;
    void setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes) override;
    std::uint64_t allocated(MemoryKind kind) const override;
    void begin(std::stop_token stop) override;
    void dispatch(const Dispatch &dispatch) override;
    void copy(ByteRange source, std::uint64_t destination) override;
    Status finish() override;
    Status upload(std::uint64_t destination, std::span<const std::byte> bytes) override;
    Status download(ByteRange source, std::span<std::byte> bytes) override;
    Status compile(std::span<const Dispatch> dispatches,
                   const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                   std::stop_token stop) override;
    void setTiming(bool on) override { m_timing = on; }
    std::vector<DispatchTime> takeTimes() override;

private:
    /// Unsupported where the device can't run so many workgroups.
    Status takes(const Dispatch &dispatch) const;
    VulkanDevice(std::unique_ptr<VulkanContext> context, const std::string &cacheFolder);

    bool mayRecord();
    Status recordDispatch(const Dispatch &dispatch);
    Status recordPieces(const Dispatch &dispatch, const Pipelines::Pipeline &pipeline);
    Status recordPiece(const Dispatch &dispatch, const Pipelines::Pipeline &pipeline,
                       std::array<std::uint32_t, 3> first, std::array<std::uint32_t, 3> groups);
    Status makeRoom(double seconds);
    Status submit();
    std::optional<Error> submitLast();
    void learn();
    bool timedNow(std::uint32_t pipeline) const;

    std::unique_ptr<VulkanContext> m_context;
    VulkanMemory m_memory;
    Transfers m_transfers;
    Pipelines m_pipelines;
    Submissions m_submissions;
    HazardTracker m_hazards;
    Pace m_pace;

    bool m_recording = false;
    std::stop_token m_stop;
    std::optional<Error> m_failure; // the first since begin(); told by finish()
    double m_recordedSeconds = 0;   // estimate of the open submission
    std::uint64_t m_submissionCount = 0;
    bool m_recordedAny = false; // since begin()
    bool m_barrierPending = false;
    bool m_timing = false;
    std::vector<DispatchTime> m_times;
};

} // namespace perilune
