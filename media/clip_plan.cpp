#include "media/clip_plan.h"

#include "media/frame_schedule.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <utility>

namespace perilune {

namespace {

/// The clip and all that decides what is taken of it.
struct Wish {
    const protocol::ClipInfo &clip;
    const MediaConfig &config;
    const PrepareOptions &options;
    std::uint32_t begin = 0, end = 0; ///< the frames of the wanted part: [begin, end)

    const MediaChoice &choice() const { return options.choice; }
    bool app() const { return options.mode == PrepareOptions::Mode::App; }
    double endSeconds() const { return end < clip.times.size() ? clip.times[end] : clip.endSeconds; }
};

void chooseWantedPart(Wish &wish)
{
    const std::vector<double> &times = wish.clip.times;
    const auto index = [&](double seconds) {
        return static_cast<std::uint32_t>(std::lower_bound(times.begin(), times.end(), seconds - 1e-6) -
                                          times.begin());
    };
    const MediaChoice &choice = wish.choice();
    wish.begin = wish.app() && choice.fromSeconds ? index(*choice.fromSeconds) : 0;
    wish.end =
        wish.app() && choice.toSeconds ? index(*choice.toSeconds) : static_cast<std::uint32_t>(times.size());
}

Status addPlans(ClipSchedule &schedule, const Wish &wish)
{
    const std::uint32_t chunk = wish.config.framesPerChunk;
    const auto count = static_cast<std::uint32_t>(schedule.indices.size());
    const auto add = [&](std::uint32_t frames, std::uint32_t inChunk) -> Status {
        const auto plan = planWithDetail(wish.choice().detail, wish.config, [&](const MediaConfig &config) {
            return planFrame(wish.clip.displayWidth, wish.clip.displayHeight, inChunk, config);
        });
        if (!plan)
            return plan.error();
        schedule.plans.insert(schedule.plans.end(), frames, *plan);
        return Done{};
    };
    // All chunks are alike but the last. A film has thousands, and costs are wanted while a hand moves.
    const std::uint32_t rest = count % chunk;
    schedule.plans.clear();
    if (count > rest) {
        if (auto added = add(count - rest, chunk); !added)
            return added;
    }
    return rest > 0 ? add(rest, rest) : Status(Done{});
}

/// The frames at the model's rate, or `most` of them spread evenly.
Result<ClipSchedule> spread(const Wish &wish, std::optional<std::uint32_t> most)
{
    const protocol::ClipInfo &clip = wish.clip;
    const std::span<const double> times(&clip.times[wish.begin], wish.end - wish.begin);
    const bool steady = !wish.app() || isConstantRate(clip.times, clip.fps);
    ClipSchedule schedule;
    if (steady) {
        schedule.indices = sampleByIndex(wish.end - wish.begin, clip.fps, wish.config.sampleFps, most);
    } else {
        std::vector<double> fromZero(times.begin(), times.end());
        for (double &time : fromZero)
            time -= times.front();
        schedule.indices =
            sampleByTime(fromZero, wish.endSeconds() - times.front(), wish.config.sampleFps, most);
    }
    for (std::uint32_t &index : schedule.indices) {
        index += wish.begin;
        schedule.seconds.push_back(steady ? index / clip.fps : clip.times[index]);
    }
    if (auto planned = addPlans(schedule, wish); !planned)
        return std::move(planned).error();
    return schedule;
}

/// The first `most` frames of a schedule.
Result<ClipSchedule> trimmed(ClipSchedule schedule, const Wish &wish, std::uint32_t most)
{
    if (schedule.indices.size() > most) {
        schedule.indices.resize(most);
        schedule.seconds.resize(most);
    }
    if (auto planned = addPlans(schedule, wish); !planned)
        return std::move(planned).error();
    return schedule;
}

ClipCost cost(const ClipSchedule &schedule, const Wish &wish, double toSeconds)
{
    return {static_cast<std::uint32_t>(schedule.indices.size()), schedule.tokens(wish.config.framesPerChunk),
            schedule.seconds.front(), toSeconds};
}

/// What to tell where the limit on patches takes frames away.
std::string noteOfLimit(const ClipSchedule &whole, const ClipSchedule &taken, const Wish &wish)
{
    std::string note = "taking all of it would be " + std::to_string(whole.indices.size()) + " frames of " +
                       std::to_string(whole.plans.front().grid(1).patches()) + " patches: ";
    if (wish.choice().fit == MediaChoice::Fit::Thin)
        return note + std::to_string(taken.indices.size()) + " frames, evenly spread, are used";
    char end[40] = "";
    std::snprintf(end, sizeof end, ", up to %.1f s, are used", whole.seconds[taken.indices.size()]);
    return note + "the first " + std::to_string(taken.indices.size()) + " frames" + end;
}

} // namespace

std::uint64_t ClipSchedule::patches() const
{
    std::uint64_t sum = 0;
    for (const ResizePlan &plan : plans)
        sum += plan.grid(1).patches();
    return sum;
}

std::uint64_t ClipSchedule::tokens(std::uint32_t framesPerChunk) const
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < plans.size(); i += framesPerChunk)
        sum += plans[i].tokens;
    return sum;
}

Result<ResizePlan> planWithDetail(MediaChoice::Detail detail, const MediaConfig &config,
                                  const std::function<Result<ResizePlan>(const MediaConfig &)> &plan)
{
    auto full = plan(config);
    if (!full || detail == MediaChoice::Detail::Full)
        return full;
    const std::uint64_t part = detail == MediaChoice::Detail::Medium ? 4 : 16;
    const auto patches = std::max<std::uint64_t>(full->grid(1).patches() / part, 1);
    MediaConfig fewer = config;
    fewer.patchLimit = static_cast<std::uint32_t>(patches);
    fewer.framePatchLimit = fewer.patchLimit;
    return plan(fewer);
}

Result<ClipPlan> planClip(const protocol::ClipInfo &clip, const MediaConfig &config,
                          const PrepareOptions &options)
{
    Wish wish{clip, config, options};
    chooseWantedPart(wish);
    if (wish.begin >= wish.end)
        return Error{ErrorCode::InvalidInput, "no frame is shown in the part that was asked for"};
    auto whole = spread(wish, std::nullopt);
    if (!whole)
        return std::move(whole).error();

    const auto frames = static_cast<std::uint32_t>(whole->indices.size());
    const std::uint64_t each = whole->plans.front().grid(1).patches();
    const std::uint32_t asked =
        std::min(config.maxFrames.value_or(frames), options.choice.maxFrames.value_or(frames));
    const auto affordable =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(options.maxPatches / each, frames));
    if (asked > affordable && (!wish.app() || affordable == 0)) {
        return Error{ErrorCode::OutOfMemory, "takes " + std::to_string(asked) + " frames of " +
                                                 std::to_string(each) + " patches, more than the limit of " +
                                                 std::to_string(options.maxPatches) + " patches in all"};
    }
    ClipPlan plan;
    plan.choices.whole = cost(*whole, wish, wish.endSeconds());
    const std::uint32_t most = std::max(std::min(asked, affordable), 1u);
    if (most >= frames) {
        plan.schedule = *std::move(whole);
        plan.cost = plan.choices.whole;
        return plan;
    }
    auto thin = spread(wish, most);
    auto cut = trimmed(*whole, wish, most);
    if (!thin || !cut)
        return thin ? std::move(cut).error() : std::move(thin).error();
    plan.choices.thinned = cost(*thin, wish, wish.endSeconds());
    plan.choices.trimmed = cost(*cut, wish, whole->seconds[most]);
    const bool trims = options.choice.fit == MediaChoice::Fit::Trim && wish.app();
    plan.cost = trims ? *plan.choices.trimmed : *plan.choices.thinned;
    plan.schedule = trims ? *std::move(cut) : *std::move(thin);
    if (asked > affordable)
        plan.notes.push_back(noteOfLimit(*whole, plan.schedule, wish));
    return plan;
}

CostOf pictureCosts(std::uint32_t width, std::uint32_t height, const MediaConfig &config)
{
    return [=](const MediaChoice &choice) -> Result<ClipCost> {
        const auto plan = planWithDetail(choice.detail, config, [&](const MediaConfig &limits) {
            return planPicture(width, height, limits);
        });
        if (!plan)
            return plan.error();
        return ClipCost{.frames = 1, .tokens = plan->tokens, .fromSeconds = 0, .toSeconds = 0};
    };
}

CostOf clipCosts(const protocol::ClipInfo &clip, const MediaConfig &config, const PrepareOptions &options)
{
    // Shared, not copied with every copy of the function: a film has hundreds of thousands of times.
    const auto about = std::make_shared<const protocol::ClipInfo>(clip);
    return [=, picture = pictureCosts(clip.width, clip.height, config)](
               const MediaChoice &choice) -> Result<ClipCost> {
        if (choice.firstFrame && about->animation)
            return picture(choice);
        PrepareOptions other = options;
        other.choice = choice;
        auto plan = planClip(*about, config, other);
        if (!plan)
            return std::move(plan).error();
        return plan->cost;
    };
}

} // namespace perilune
