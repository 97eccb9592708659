#include "engine/gpu/vulkan_device.h"

#include <algorithm>
#include <cmath>

namespace perilune {
namespace {

// Stop is looked at between submissions and two are in flight: 100 ms each keeps a stop within 300.
constexpr double kLongestSubmission = 0.1;
// With nothing in flight, the device starts on this many dispatches while the rest is recorded.
constexpr std::size_t kFirstDispatches = 48;
// Once every pipeline is known, every so many submissions are timed, as stamps cost a little.
constexpr std::uint64_t kTimedEvery = 16;

// Seconds per unit of work before anything was measured: a slow device of the kind.
double carefulRate(const DeviceInfo &info)
{
    return info.kind == "cpu" ? 2e-9 : 2e-11;
}

double unitsOf(const Dispatch &dispatch)
{
    if (dispatch.work > 0)
        return dispatch.work;
    double units = 1;
    for (const std::uint32_t groups : dispatch.groups)
        units *= groups;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, dispatch.constants.size()); ++i)
        units *= dispatch.constants[i];
    return units;
}

void orderAfterAll(VkCommandBuffer commands)
{
    constexpr VkPipelineStageFlags kStages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                  VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                  VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, kStages, kStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void showToHost(VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                  VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                  VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

} // namespace

Result<std::unique_ptr<Device>> openDevice(const DeviceOptions &options)
{
    return VulkanDevice::open(options);
}

Result<std::unique_ptr<Device>> VulkanDevice::open(const DeviceOptions &options)
{
    auto context = VulkanContext::open(options);
    if (!context)
        return std::move(context).error();
    std::unique_ptr<VulkanDevice> device(new VulkanDevice(*std::move(context), options.cacheFolder));
    if (Status started = device->m_submissions.start(); !started)
        return std::move(started).error();
    return std::unique_ptr<Device>(std::move(device));
}

VulkanDevice::VulkanDevice(std::unique_ptr<VulkanContext> context, const std::string &cacheFolder)
    : m_context(std::move(context)),
      m_memory(*m_context),
      m_transfers(*m_context, m_memory),
      m_pipelines(*m_context, cacheFolder),
      m_submissions(*m_context),
      m_pace(carefulRate(m_context->info))
{
}

VulkanDevice::~VulkanDevice() = default;

Result<std::unique_ptr<Buffer>> VulkanDevice::allocate(std::uint64_t bytes, MemoryKind kind,
                                                       std::string_view purpose)
{
    return m_memory.allocate(bytes, kind, purpose);
}

void VulkanDevice::setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes)
{
    m_memory.setBudget(deviceBytes, hostBytes);
}

std::uint64_t VulkanDevice::allocated(MemoryKind kind) const
{
    return m_memory.allocated(kind);
}

void VulkanDevice::begin(std::stop_token stop)
{
    CHECK(!m_recording);
    m_recording = true;
    m_stop = std::move(stop);
    m_failure.reset();
    m_hazards.clear();
    m_recordedSeconds = 0;
    m_recordedAny = false;
    m_barrierPending = false;
    if (Status ready = m_context->ready(); !ready)
        m_failure = std::move(ready).error();
}

bool VulkanDevice::mayRecord()
{
    CHECK(m_recording);
    return !m_failure;
}

void VulkanDevice::dispatch(const Dispatch &dispatch)
{
    CHECK(dispatch.params.size() <= 128 && dispatch.params.size() % 4 == 0);
    const bool empty =
        std::any_of(dispatch.groups.begin(), dispatch.groups.end(), [](std::uint32_t n) { return n == 0; });
    if (!mayRecord() || empty)
        return;
    if (Status fits = takes(dispatch); !fits) {
        m_failure = std::move(fits).error();
        return;
    }
    m_recordedAny = true;
    if (Status recorded = recordDispatch(dispatch); !recorded)
        m_failure = std::move(recorded).error();
}

Status VulkanDevice::takes(const Dispatch &dispatch) const
{
    for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t most = m_context->properties.limits.maxComputeWorkGroupCount[i];
        if (dispatch.groups[i] > most)
            return Error{ErrorCode::Unsupported,
                         std::string("the model is too wide for ") + m_context->info.name + ": " +
                             dispatch.name + " needs " + std::to_string(dispatch.groups[i]) +
                             " workgroups in a row, and there are at most " + std::to_string(most)};
    }
    return Done{};
}

Status VulkanDevice::recordDispatch(const Dispatch &dispatch)
{
    Result<Pipelines::Pipeline> pipeline = m_pipelines.get(dispatch);
    if (!pipeline)
        return std::move(pipeline).error();
    m_barrierPending |= m_hazards.needsBarrier(dispatch.reads, dispatch.writes);
    return recordPieces(dispatch, *pipeline);
}

// A dispatch that would take too long is cut along its longest side into ranges of workgroups. They don't
// depend on each other, so no barrier stands between them.
Status VulkanDevice::recordPieces(const Dispatch &dispatch, const Pipelines::Pipeline &pipeline)
{
    const auto side = static_cast<std::size_t>(
        std::max_element(dispatch.groups.begin(), dispatch.groups.end()) - dispatch.groups.begin());
    const std::uint32_t total = dispatch.groups[side];
    const double unitsPerStep = unitsOf(dispatch) / total;
    std::uint32_t done = 0;
    while (done < total) {
        const double secondsPerStep = m_pace.seconds({pipeline.id, unitsPerStep});
        const double fitting =
            std::max(1.0, std::floor(kLongestSubmission / std::max(secondsPerStep, 1e-12)));
        const std::uint32_t count =
            fitting >= total - done ? total - done : static_cast<std::uint32_t>(fitting);
        if (Status room = makeRoom(secondsPerStep * count); !room)
            return room;
        std::array<std::uint32_t, 3> first{};
        std::array<std::uint32_t, 3> groups = dispatch.groups;
        first[side] = done;
        groups[side] = count;
        if (Status recorded = recordPiece(dispatch, pipeline, first, groups); !recorded)
            return recorded;
        done += count;
    }
    return Done{};
}

Status VulkanDevice::recordPiece(const Dispatch &dispatch, const Pipelines::Pipeline &pipeline,
                                 std::array<std::uint32_t, 3> first, std::array<std::uint32_t, 3> groups)
{
    Result<VkCommandBuffer> commands = m_submissions.commands();
    if (!commands)
        return std::move(commands).error();
    if (std::exchange(m_barrierPending, false))
        orderAfterAll(*commands);
    vkCmdBindPipeline(*commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle);
    if (!dispatch.params.empty())
        vkCmdPushConstants(*commands, m_pipelines.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<std::uint32_t>(dispatch.params.size()), dispatch.params.data());
    if (groups == dispatch.groups)
        vkCmdDispatch(*commands, groups[0], groups[1], groups[2]);
    else
        vkCmdDispatchBase(*commands, first[0], first[1], first[2], groups[0], groups[1], groups[2]);

    double part = 1;
    for (std::size_t i = 0; i < 3; ++i)
        part *= static_cast<double>(groups[i]) / dispatch.groups[i];
    const Pace::Work work{pipeline.id, unitsOf(dispatch) * part};
    m_recordedSeconds += m_pace.seconds(work);
    m_submissions.note(dispatch.name, work, timedNow(pipeline.id));
    const bool startEarly = m_submissions.inFlight() == 0 && m_submissions.dispatches() >= kFirstDispatches;
    return startEarly ? submit() : Done{};
}

bool VulkanDevice::timedNow(std::uint32_t pipeline) const
{
    return m_timing || !m_pace.known(pipeline) || m_submissionCount % kTimedEvery == 0;
}

// Submits what is recorded where another `seconds` would make it too long.
Status VulkanDevice::makeRoom(double seconds)
{
    const bool tooLong = m_recordedSeconds + seconds > kLongestSubmission && m_submissions.dispatches() > 0;
    return m_submissions.open() && (tooLong || m_submissions.full()) ? submit() : Done{};
}

Status VulkanDevice::submit()
{
    if (m_stop.stop_requested())
        return Error{ErrorCode::Cancelled, "stopped"};
    m_recordedSeconds = 0;
    ++m_submissionCount;
    Status status = m_submissions.submit();
    learn();
    return status;
}

void VulkanDevice::learn()
{
    for (const Submissions::Finished &finished : m_submissions.takeFinished()) {
        std::vector<Pace::Work> untimed;
        for (const Submissions::Measured &dispatch : finished.dispatches) {
            if (dispatch.seconds >= 0)
                m_pace.learn(dispatch.work, dispatch.seconds);
            else
                untimed.push_back(dispatch.work);
        }
        if (untimed.size() == finished.dispatches.size() && finished.seconds > 0)
            m_pace.learn(untimed, finished.seconds);
        if (!m_timing)
            continue;
        for (const Submissions::Measured &dispatch : finished.dispatches) {
            auto found = std::find_if(m_times.begin(), m_times.end(),
                                      [&](const DispatchTime &t) { return t.name == dispatch.name; });
            if (found == m_times.end())
                found = m_times.insert(found, DispatchTime{dispatch.name, 0, 0});
            ++found->calls;
            found->seconds += std::max(0.0, dispatch.seconds);
        }
    }
}

void VulkanDevice::copy(ByteRange source, std::uint64_t destination)
{
    if (!mayRecord() || source.bytes == 0)
        return;
    m_recordedAny = true;
    const VulkanMemory::Place from = m_memory.find(source);
    const VulkanMemory::Place to = m_memory.find({destination, source.bytes});
    const ByteRange target{destination, source.bytes};
    Result<VkCommandBuffer> commands = m_submissions.commands();
    if (!commands) {
        m_failure = std::move(commands).error();
        return;
    }
    if (m_hazards.needsBarrier({&source, 1}, {&target, 1}) || std::exchange(m_barrierPending, false))
        orderAfterAll(*commands);
    const VkBufferCopy region{from.offset, to.offset, source.bytes};
    vkCmdCopyBuffer(*commands, from.buffer, to.buffer, 1, &region);
}

// What is left, and behind all submissions the barrier that shows their writes to the host.
std::optional<Error> VulkanDevice::submitLast()
{
    Result<VkCommandBuffer> commands = m_submissions.commands();
    if (!commands)
        return std::move(commands).error();
    showToHost(*commands);
    if (Status submitted = submit(); !submitted)
        return std::move(submitted).error();
    return std::nullopt;
}

Status VulkanDevice::finish()
{
    CHECK(m_recording);
    m_recording = false;
    if (!m_failure && m_recordedAny)
        m_failure = submitLast();
    m_submissions.drop();
    Status waited = m_submissions.waitForAll();
    learn();
    m_stop = {};
    if (!waited && !m_context->lost && m_failure)
        return *m_failure;
    if (!waited)
        return waited;
    if (m_failure)
        return *m_failure;
    return Done{};
}

Status VulkanDevice::upload(std::uint64_t destination, std::span<const std::byte> bytes)
{
    CHECK(!m_recording);
    return m_transfers.upload(destination, bytes);
}

Status VulkanDevice::download(ByteRange source, std::span<std::byte> bytes)
{
    CHECK(!m_recording);
    return m_transfers.download(source, bytes);
}

Status VulkanDevice::compile(std::span<const Dispatch> dispatches,
                             const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                             std::stop_token stop)
{
    std::vector<const Dispatch *> missing;
    for (const Dispatch &dispatch : dispatches) {
        if (Status fits = takes(dispatch); !fits)
            return fits;
        const auto same = [&](const Dispatch *other) {
            return other->code.data() == dispatch.code.data() && other->constants == dispatch.constants;
        };
        if (!m_pipelines.has(dispatch) && std::none_of(missing.begin(), missing.end(), same))
            missing.push_back(&dispatch);
    }
    std::uint64_t done = 0;
    for (const Dispatch *dispatch : missing) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped"};
        if (auto made = m_pipelines.get(*dispatch); !made)
            return std::move(made).error();
        if (progress)
            progress(++done, missing.size());
    }
    m_pipelines.save();
    return Done{};
}

std::vector<DispatchTime> VulkanDevice::takeTimes()
{
    return std::exchange(m_times, {});
}

} // namespace perilune
