#include "media/prepare.h"

#include "engine/base/shown_name.h"
#include "media/clip_plan.h"
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

/// What was resized and padded by `plan`, without the padding and small.
Picture previewOf(const Picture &padded, const ResizePlan &plan, std::uint32_t side)
{
    const PixelSize size{plan.width, plan.height};
    Resampler resampler = fittingResampler(size, size, side);
    const std::span<const std::uint8_t> rows(padded.rgb);
    for (std::size_t y = 0; y < plan.height; ++y)
        resampler.addRows(rows.subspan(y * padded.width * 3, std::size_t{plan.width} * 3));
    return resampler.finish();
}

Result<Prepared> preparePicture(MediaDecoder &decoder, const Job &job)
{
    const protocol::PictureStart start = *decoder.picture();
    const auto plan = planWithDetail(job.options.choice.detail, job.config, [&](const MediaConfig &config) {
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
    prepared.resizedWidth = plan->width;
    prepared.resizedHeight = plan->height;
    prepared.notes = start.notes;
    prepared.prompt = picturePrompt(job.config.layout);
    prepared.costOf = pictureCosts(start.width, start.height, job.config);
    if (thumbnail)
        prepared.thumbnail = thumbnail->finish();
    PatchCollector collector(job.config, plan->grid(1).patches(), job.options.wantPatches);
    Picture picture = resampler.finish(plan->paddedWidth(), plan->paddedHeight());
    collector.add(picture);
    if (job.options.previewSide > 0)
        prepared.previews.push_back(previewOf(picture, *plan, job.options.previewSide));
    if (job.options.wantPixels)
        prepared.pixels.push_back(std::move(picture));
    prepared.patches = collector.finish(VisionPatches::Kind::Image, {plan->grid(1)}, {});
    return prepared;
}

/// Receives the frames of a schedule and makes each what its plan says. One that doesn't come is stood in for
/// by the one before it, or at the beginning by the first that comes.
class FrameReader {
public:
    FrameReader(const protocol::ClipInfo &clip, const ClipSchedule &schedule, const Job &job)
        : m_clip(clip),
          m_schedule(schedule),
          m_job(job),
          m_collector(job.config, schedule.patches(), job.options.wantPatches)
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
    std::vector<Picture> pixels, previews;
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
        if (m_job.options.framePreviewSide > 0)
            previews.push_back(previewOf(m_last, m_schedule.plans[m_place], m_job.options.framePreviewSide));
        if (m_job.options.wantPixels)
            pixels.push_back(m_last);
    }

    const protocol::ClipInfo &m_clip;
    const ClipSchedule &m_schedule;
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
    prepared.animation = clip.animation;
    prepared.costOf = clipCosts(clip, job.config, job.options);
    if (clip.animation && job.options.as == PrepareOptions::As::Auto) {
        prepared.notes.insert(prepared.notes.begin(), "an animation of " + std::to_string(clip.times.size()) +
                                                          " frames: taken as a short video");
    }
    auto plan = planClip(clip, job.config, job.options);
    if (!plan)
        return std::move(plan).error().during(decoder.name());
    prepared.notes.insert(prepared.notes.end(), plan->notes.begin(), plan->notes.end());
    prepared.choices = plan->choices;
    ClipSchedule &schedule = plan->schedule;

    FrameReader reader(clip, schedule, job);
    const auto read = decoder.readFrames(
        schedule.indices, [&](std::uint32_t index) { reader.startFrame(index); },
        [&](std::span<const std::uint8_t> rows) { reader.addRows(rows); },
        [&](double fraction) { job.report(kFoundShare + (1 - kFoundShare) * fraction); }, job.stop);
    if (!read)
        return read.error();
    if (!reader.finish())
        return Error{ErrorCode::Corrupt, decoder.name() + " is damaged: none of its frames can be decoded"};
    if (reader.missing() > 0) {
        prepared.notes.push_back(std::to_string(reader.missing()) + " of " +
                                 std::to_string(schedule.indices.size()) +
                                 " frames are damaged: their neighbours stand in for them");
    }

    std::vector<PatchGrid> grids;
    std::vector<std::string> timestamps;
    for (std::size_t i = 0; i < schedule.indices.size(); i += job.config.framesPerChunk) {
        const auto inChunk = std::min<std::size_t>(job.config.framesPerChunk, schedule.indices.size() - i);
        grids.push_back(schedule.plans[i].grid(static_cast<std::uint32_t>(inChunk)));
        timestamps.push_back(timestampText(schedule.seconds[i], job.config.timestampMode));
    }
    prepared.tokens = schedule.tokens(job.config.framesPerChunk);
    prepared.prompt = clipPrompt(timestamps);
    prepared.patches =
        reader.collector().finish(VisionPatches::Kind::Video, std::move(grids), std::move(timestamps));
    prepared.frameIndices = std::move(schedule.indices);
    prepared.frameSeconds = std::move(schedule.seconds);
    prepared.resizedWidth = schedule.plans.front().width;
    prepared.resizedHeight = schedule.plans.front().height;
    prepared.pixels = std::move(reader.pixels);
    prepared.previews = std::move(reader.previews);
    prepared.thumbnail = std::move(reader.thumbnail);
    return prepared;
}

Result<Prepared> prepareOpened(const std::string &path, const Job &job, protocol::As as);

Result<Prepared> prepareFirstFrame(const std::string &path, const Job &job)
{
    auto prepared = prepareOpened(path, job, protocol::As::Image);
    const std::string note = "an animation: its first frame is taken"; // some readers say so themselves
    if (prepared && std::ranges::count(prepared->notes, note) == 0)
        prepared->notes.insert(prepared->notes.begin(), note);
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
    const bool animation = decoder->clip()->animation && job.options.as != PrepareOptions::As::Video;
    if (job.config.takesVideo() && animation && job.options.choice.firstFrame) {
        auto prepared = prepareFirstFrame(path, job);
        if (prepared) { // so that the clip can still be chosen
            prepared->animation = true;
            prepared->costOf = clipCosts(*decoder->clip(), job.config, job.options);
        }
        return prepared;
    }
    if (job.config.takesVideo())
        return prepareClip(*decoder, job);
    if (!animation)
        return Error{ErrorCode::Unsupported,
                     decoder->name() + " is a clip, and this model takes pictures only"};
    return prepareFirstFrame(path, job);
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
