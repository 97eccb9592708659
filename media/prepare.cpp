#include "media/prepare.h"

#include "media/frame_schedule.h"
#include "media/geometry.h"
#include "media/media_decoder.h"
#include "media/patch_collector.h"
#include "media/resample.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace perilune {

namespace {

/// What one call to prepare() hands from step to step.
struct Job {
    const MediaConfig &config;
    const PrepareOptions &options;
    const PrepareProgress &progress;
    std::stop_token stop;

    bool app() const { return options.mode == PrepareOptions::Mode::App; }
    void report(double fraction) const
    {
        if (progress)
            progress(fraction);
    }
};

/// What the plan makes of a picture or frame at the detail that was asked for: the same shape, fewer patches.
Result<ResizePlan> planWithDetail(PrepareOptions::Detail detail, const MediaConfig &config,
                                  const std::function<Result<ResizePlan>(const MediaConfig &)> &plan)
{
    auto full = plan(config);
    if (!full || detail == PrepareOptions::Detail::Full)
        return full;
    const std::uint64_t part = detail == PrepareOptions::Detail::Medium ? 4 : 16;
    const auto patches = std::max<std::uint64_t>(full->grid(1).patches() / part, 1);
    MediaConfig fewer = config;
    fewer.patchLimit = static_cast<std::uint32_t>(patches);
    fewer.framePatchLimit = fewer.patchLimit;
    return plan(fewer);
}

/// Which frames to take and when each is shown.
struct Schedule {
    std::vector<std::uint32_t> indices;
    std::vector<double> seconds;
    std::vector<ResizePlan> plans; ///< of each frame, by the size of its chunk

    std::uint64_t patches() const
    {
        std::uint64_t sum = 0;
        for (const ResizePlan &plan : plans)
            sum += plan.grid(1).patches();
        return sum;
    }
};

Result<Prepared> preparePicture(MediaDecoder &decoder, const Job &job)
{
    const protocol::PictureStart start = *decoder.picture();
    const auto plan = planWithDetail(job.options.detail, job.config, [&](const MediaConfig &config) {
        return planPicture(start.width, start.height, config);
    });
    if (!plan)
        return Error(plan.error()).during(decoder.name());
    Resampler resampler(start.width, start.height, plan->width, plan->height);
    std::optional<Resampler> thumbnail;
    if (job.options.thumbnailSide > 0) {
        thumbnail = fittingResampler({start.width, start.height}, {start.width, start.height},
                                     job.options.thumbnailSide);
    }
    std::uint64_t bytes = 0;
    const double total = double(start.width) * start.height * 3;
    const auto read = decoder.readPicture(
        [&](std::span<const std::uint8_t> rows) {
            resampler.addRows(rows);
            if (thumbnail)
                thumbnail->addRows(rows);
            bytes += rows.size();
            job.report(double(bytes) / total);
        },
        job.stop);
    if (!read)
        return read.error();

    Prepared prepared;
    prepared.width = start.width;
    prepared.height = start.height;
    prepared.tokens = plan->tokens;
    prepared.notes = start.notes;
    prepared.prompt = picturePrompt(job.config.layout);
    if (thumbnail)
        prepared.thumbnail = thumbnail->finish();
    PatchCollector collector(job.config, plan->grid(1).patches());
    Picture picture = resampler.finish(plan->paddedWidth(), plan->paddedHeight());
    collector.add(picture);
    if (job.options.wantPixels)
        prepared.pixels.push_back(std::move(picture));
    prepared.patches = collector.finish(VisionPatches::Kind::Image, {plan->grid(1)}, {});
    return prepared;
}

/// The frames of the clip that lie in the wanted part: [first, second).
std::pair<std::uint32_t, std::uint32_t> wantedPart(const protocol::ClipInfo &clip,
                                                   const PrepareOptions &options)
{
    const auto index = [&](double seconds) {
        return static_cast<std::uint32_t>(
            std::lower_bound(clip.times.begin(), clip.times.end(), seconds - 1e-6) - clip.times.begin());
    };
    const auto frames = static_cast<std::uint32_t>(clip.times.size());
    return {options.fromSeconds ? index(*options.fromSeconds) : 0,
            options.toSeconds ? index(*options.toSeconds) : frames};
}

Result<Schedule> scheduleFrames(const protocol::ClipInfo &clip, const Job &job,
                                std::optional<std::uint32_t> most)
{
    const auto [begin, end] = job.app() ? wantedPart(clip, job.options)
                                        : std::pair{0u, static_cast<std::uint32_t>(clip.times.size())};
    if (begin >= end)
        return Error{ErrorCode::InvalidInput, "no frame is shown in the part that was asked for"};
    const std::span<const double> times(&clip.times[begin], end - begin);
    const bool steady = !job.app() || isConstantRate(clip.times, clip.fps);

    Schedule schedule;
    if (steady) {
        schedule.indices = sampleByIndex(end - begin, clip.fps, job.config.sampleFps, most);
    } else {
        std::vector<double> fromZero(times.begin(), times.end());
        for (double &time : fromZero)
            time -= times.front();
        const double stop = end < clip.times.size() ? clip.times[end] : clip.endSeconds;
        schedule.indices = sampleByTime(fromZero, stop - times.front(), job.config.sampleFps, most);
    }
    for (std::uint32_t &index : schedule.indices) {
        index += begin;
        schedule.seconds.push_back(steady ? index / clip.fps : clip.times[index]);
    }
    const std::uint32_t chunk = job.config.framesPerChunk;
    const auto count = static_cast<std::uint32_t>(schedule.indices.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t inChunk = std::min(chunk, count - i / chunk * chunk);
        const auto plan = planWithDetail(job.options.detail, job.config, [&](const MediaConfig &config) {
            return planFrame(clip.displayWidth, clip.displayHeight, inChunk, config);
        });
        if (!plan)
            return plan.error();
        schedule.plans.push_back(*plan);
    }
    return schedule;
}

/// The schedule, thinned until its patches fit; with a note where that takes away frames.
Result<Schedule> affordableSchedule(const protocol::ClipInfo &clip, const Job &job,
                                    std::vector<std::string> &notes)
{
    std::optional<std::uint32_t> most = job.config.maxFrames;
    if (job.options.maxFrames)
        most = std::min(most.value_or(*job.options.maxFrames), *job.options.maxFrames);
    auto schedule = scheduleFrames(clip, job, most);
    if (!schedule || schedule->patches() <= job.options.maxPatches)
        return schedule;

    const std::size_t wanted = schedule->indices.size();
    const std::uint64_t each = schedule->plans.front().grid(1).patches();
    const auto affordable = static_cast<std::uint32_t>(job.options.maxPatches / each);
    const std::string numbers = std::to_string(wanted) + " frames of " + std::to_string(each) + " patches";
    if (!job.app() || affordable == 0) {
        return Error{ErrorCode::OutOfMemory, "takes " + numbers + ", more than the limit of " +
                                                 std::to_string(job.options.maxPatches) + " patches in all"};
    }
    notes.push_back("taking all of it would be " + numbers + ": " + std::to_string(affordable) +
                    " frames, evenly spread, are used");
    return scheduleFrames(clip, job, affordable);
}

/// Receives the frames of a schedule and makes each what its plan says. One that doesn't come is stood in for
/// by the one before it, or at the beginning by the first that comes.
class FrameReader {
public:
    FrameReader(const protocol::ClipInfo &clip, const Schedule &schedule, const Job &job)
        : m_clip(clip),
          m_schedule(schedule),
          m_job(job),
          m_collector(job.config, schedule.patches())
    {
    }

    void startFrame(std::uint32_t index)
    {
        finishFrame();
        while (m_schedule.indices[m_place] != index)
            skipPlace();
        const ResizePlan &plan = m_schedule.plans[m_place];
        m_resampler.emplace(m_clip.width, m_clip.height, plan.width, plan.height);
        if (m_job.options.thumbnailSide > 0 && thumbnail.empty()) {
            m_thumbnail =
                fittingResampler({m_clip.width, m_clip.height}, {m_clip.displayWidth, m_clip.displayHeight},
                                 m_job.options.thumbnailSide);
        }
    }

    void addRows(std::span<const std::uint8_t> rows)
    {
        if (m_resampler)
            m_resampler->addRows(rows);
        if (m_thumbnail)
            m_thumbnail->addRows(rows);
    }

    /// After the last frame. False where not a single one has come.
    bool finish()
    {
        finishFrame();
        if (m_last.empty())
            return false;
        while (m_place < m_schedule.indices.size())
            skipPlace();
        return true;
    }

    PatchCollector &collector() { return m_collector; }
    std::size_t missing() const { return m_missing; }
    std::vector<Picture> pixels;
    Picture thumbnail;

private:
    void finishFrame()
    {
        if (!m_resampler)
            return;
        if (m_thumbnail)
            thumbnail = m_thumbnail->finish();
        const ResizePlan &plan = m_schedule.plans[m_place];
        m_last = m_resampler->finish(plan.paddedWidth(), plan.paddedHeight());
        for (; m_owed > 0; --m_owed)
            keepLast();
        keepLast();
        ++m_place;
        m_resampler.reset();
        m_thumbnail.reset();
    }

    void skipPlace()
    {
        ++m_missing;
        if (m_last.empty()) {
            ++m_owed;
        } else {
            const ResizePlan &plan = m_schedule.plans[m_place];
            if (plan.paddedWidth() != m_last.width || plan.paddedHeight() != m_last.height)
                m_last = resize(m_last, plan.paddedWidth(), plan.paddedHeight());
            keepLast();
        }
        ++m_place;
    }

    void keepLast()
    {
        m_collector.add(m_last);
        if (m_job.options.wantPixels)
            pixels.push_back(m_last);
    }

    const protocol::ClipInfo &m_clip;
    const Schedule &m_schedule;
    const Job &m_job;
    PatchCollector m_collector;
    std::optional<Resampler> m_resampler, m_thumbnail;
    Picture m_last;
    std::size_t m_place = 0, m_owed = 0, m_missing = 0;
};

constexpr double kFoundShare = 0.2; // of the progress of a clip: finding its frames

Result<Prepared> prepareClip(MediaDecoder &decoder, const Job &job)
{
    const protocol::ClipInfo clip = *decoder.clip();
    Prepared prepared;
    prepared.kind = VisionPatches::Kind::Video;
    prepared.width = clip.displayWidth;
    prepared.height = clip.displayHeight;
    prepared.durationSeconds = clip.endSeconds;
    prepared.notes = clip.notes;
    if (clip.animation && job.options.as == PrepareOptions::As::Auto) {
        prepared.notes.insert(prepared.notes.begin(), "an animation of " + std::to_string(clip.times.size()) +
                                                          " frames: taken as a short video");
    }
    auto schedule = affordableSchedule(clip, job, prepared.notes);
    if (!schedule)
        return std::move(schedule).error().during(decoder.name());

    FrameReader reader(clip, *schedule, job);
    const auto read = decoder.readFrames(
        schedule->indices, [&](std::uint32_t index) { reader.startFrame(index); },
        [&](std::span<const std::uint8_t> rows) { reader.addRows(rows); },
        [&](double fraction) { job.report(kFoundShare + (1 - kFoundShare) * fraction); }, job.stop);
    if (!read)
        return read.error();
    if (!reader.finish())
        return Error{ErrorCode::Corrupt, decoder.name() + " is damaged: none of its frames can be decoded"};
    if (reader.missing() > 0) {
        prepared.notes.push_back(std::to_string(reader.missing()) + " of " +
                                 std::to_string(schedule->indices.size()) +
                                 " frames are damaged: their neighbours stand in for them");
    }

    std::vector<PatchGrid> grids;
    std::vector<std::string> timestamps;
    for (std::size_t i = 0; i < schedule->indices.size(); i += job.config.framesPerChunk) {
        const auto inChunk = std::min<std::size_t>(job.config.framesPerChunk, schedule->indices.size() - i);
        grids.push_back(schedule->plans[i].grid(static_cast<std::uint32_t>(inChunk)));
        timestamps.push_back(timestampText(schedule->seconds[i], job.config.timestampMode));
        prepared.tokens += schedule->plans[i].tokens;
    }
    prepared.prompt = clipPrompt(timestamps);
    prepared.patches =
        reader.collector().finish(VisionPatches::Kind::Video, std::move(grids), std::move(timestamps));
    prepared.frameIndices = std::move(schedule->indices);
    prepared.frameSeconds = std::move(schedule->seconds);
    prepared.pixels = std::move(reader.pixels);
    prepared.thumbnail = std::move(reader.thumbnail);
    return prepared;
}

Result<Prepared> prepareOpened(const std::string &path, const Job &job, protocol::As as)
{
    const MediaDecoder::Options options{.as = as, .app = job.app(), .helperPath = job.options.helperPath};
    auto decoder = MediaDecoder::open(
        path, options, [&](double fraction) { job.report(kFoundShare * fraction); }, job.stop);
    if (!decoder)
        return std::move(decoder).error();
    if (decoder->picture())
        return preparePicture(*decoder, job);
    if (job.config.takesVideo())
        return prepareClip(*decoder, job);
    if (!decoder->clip()->animation || job.options.as == PrepareOptions::As::Video)
        return Error{ErrorCode::Unsupported,
                     decoder->name() + " is a clip, and this model takes pictures only"};
    auto prepared = prepareOpened(path, job, protocol::As::Image);
    if (prepared)
        prepared->notes.insert(prepared->notes.begin(), "an animation: its first frame is taken");
    return prepared;
}

} // namespace

Result<Prepared> prepare(const std::string &path, const MediaConfig &config, const PrepareOptions &options,
                         const PrepareProgress &progress, std::stop_token stop)
{
    const auto as = options.as == PrepareOptions::As::Image   ? protocol::As::Image
                    : options.as == PrepareOptions::As::Video ? protocol::As::Video
                                                              : protocol::As::Auto;
    try {
        return prepareOpened(path, Job{config, options, progress, std::move(stop)}, as);
    } catch (const std::bad_alloc &) {
        return Error{ErrorCode::OutOfMemory, shownName(path) + " needs more main memory than there is"};
    }
}

std::string picturePrompt(MediaConfig::Layout layout)
{
    return layout == MediaConfig::Layout::KimiVl
               ? "<|media_start|>image<|media_content|><|media_pad|><|media_end|>"
               : "<|media_begin|>image<|media_content|><|media_pad|><|media_end|>";
}

std::string clipPrompt(const std::vector<std::string> &timestamps)
{
    std::string prompt;
    for (const std::string &timestamp : timestamps)
        prompt += timestamp + "<|media_begin|>video<|media_content|><|media_pad|><|media_end|>";
    return prompt;
}

} // namespace perilune
