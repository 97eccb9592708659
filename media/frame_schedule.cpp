#include "media/frame_schedule.h"

#include "engine/base/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace perilune {

std::vector<std::uint32_t> sampleByIndex(std::uint32_t frames, double fps, double sampleFps,
                                         std::optional<std::uint32_t> maxFrames)
{
    CHECK(frames > 0 && fps > 0 && sampleFps > 0);
    const double wanted = std::nearbyint(frames * std::min(sampleFps, fps) / fps);
    auto count = static_cast<std::uint32_t>(std::clamp(wanted, 1.0, double(frames)));
    if (maxFrames)
        count = std::clamp(*maxFrames, 1u, count);

    std::vector<std::uint32_t> indices{0};
    const double step = count > 1 ? double(frames - 1) / (count - 1) : 0;
    for (std::uint32_t i = 1; i < count; ++i) {
        const double index = i + 1 == count ? double(frames - 1) : i * step;
        indices.push_back(static_cast<std::uint32_t>(std::nearbyint(index)));
    }
    return indices;
}

std::vector<std::uint32_t> sampleByTime(std::span<const double> times, double endSeconds, double sampleFps,
                                        std::optional<std::uint32_t> maxFrames)
{
    CHECK(!times.empty() && sampleFps > 0);
    const double seconds = std::max(endSeconds, times.back());
    double moments =
        std::clamp(std::ceil(seconds * sampleFps - 1e-9), 1.0, 0x1p52); // i + 1 must differ from i
    double step = 1 / sampleFps;
    if (maxFrames && moments > *maxFrames) {
        moments = std::max(1u, *maxFrames);
        step = moments > 1 ? times.back() / (moments - 1) : 0;
    }

    std::vector<std::uint32_t> indices;
    for (double i = 0; i < moments; ++i) {
        // Times come from rounded container ticks: a frame due at this very moment counts as shown.
        const double moment = i * step + 1e-6;
        const auto next = std::upper_bound(times.begin(), times.end(), moment);
        const auto shown = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(next - times.begin() - 1, 0));
        if (indices.empty() || indices.back() != shown)
            indices.push_back(shown);
        if (next == times.end())
            break; // the last frame stays
        // A file may claim that years lie between two frames: on to shortly before the next one.
        if (step > 0)
            i = std::max(i, std::floor((*next - 1e-6) / step) - 2);
    }
    return indices;
}

bool isConstantRate(std::span<const double> times, double fps)
{
    if (!(fps > 0))
        return false;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (std::abs(times[i] - double(i) / fps) > 0.5 / fps)
            return false;
    }
    return true;
}

std::string timestampText(double seconds, MediaConfig::TimestampMode mode)
{
    // The reference formats the whole seconds from a date-time, which holds microseconds, and the
    // milliseconds from the number itself; just below a whole second the two disagree, and so must we.
    double whole = 0;
    const double part = std::modf(seconds, &whole);
    if (std::nearbyint(part * 1e6) >= 1e6)
        whole += 1;
    const auto total = static_cast<std::uint64_t>(whole);
    const auto millis = static_cast<unsigned>(part * 1000);
    const auto hours = static_cast<unsigned>(total / 3600 % 24),
               minutes = static_cast<unsigned>(total / 60 % 60);
    const auto secs = static_cast<unsigned>(total % 60);

    char text[32] = "";
    switch (mode) {
    case MediaConfig::TimestampMode::HoursMillis:
        std::snprintf(text, sizeof text, "%02u:%02u:%02u.%03u", hours, minutes, secs, millis);
        break;
    case MediaConfig::TimestampMode::MinutesMillis:
        std::snprintf(text, sizeof text, "%02u:%02u.%03u", minutes, secs, millis);
        break;
    case MediaConfig::TimestampMode::Minutes:
        std::snprintf(text, sizeof text, "%02u:%02u", minutes, secs);
        break;
    }
    return text;
}

} // namespace perilune
