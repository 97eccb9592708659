#pragma once

#include "media/media_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perilune {

/// Which frames of a clip of `frames` frames at `fps` a second stand for it when `sampleFps` a second are
/// wanted: evenly spread indices, the first and the last among them, at most `maxFrames`. Never empty for
/// frames > 0. Rounding follows NumPy (halves to even).
std::vector<std::uint32_t> sampleByIndex(std::uint32_t frames, double fps, double sampleFps,
                                         std::optional<std::uint32_t> maxFrames);

/// The frames that are shown at 0, 1 / sampleFps, 2 / sampleFps … seconds, each at most once.
///
/// times        when each frame is shown, rising, in seconds from the first one
/// endSeconds   when the last frame disappears
/// With maxFrames, and more than that many moments, as many spread evenly from the first frame to the last.
std::vector<std::uint32_t> sampleByTime(std::span<const double> times, double endSeconds, double sampleFps,
                                        std::optional<std::uint32_t> maxFrames);

/// Whether every frame is shown within half a frame of where a steady `fps` would show it.
bool isConstantRate(std::span<const double> times, double fps);

/// "00:00:02.366": milliseconds are cut off, not rounded; hours wrap at 24, minutes at 60.
std::string timestampText(double seconds, MediaConfig::TimestampMode mode);

} // namespace perilune
