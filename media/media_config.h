#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace perilune {

/// How a model wants its pictures and clips: what preprocessor_config.json says. The numbers below are those
/// of Kimi K2.5; patches are always 14 x 14 and merged two by two, anything else is refused while reading.
struct MediaConfig {
    /// KimiVl: pictures only, one limit, an error from 512 patches a side.
    enum class Layout { K25, KimiVl };
    enum class TimestampMode {
        HoursMillis,
        MinutesMillis,
        Minutes
    }; ///< "hh:mm:ss.fff", "mm:ss.fff", "mm:ss"

    Layout layout = Layout::K25;
    std::uint32_t patchLimit =
        16384;                     ///< patches of a picture, before padding (in_patch_limit, in_token_limit)
    std::uint32_t sideLimit = 512; ///< patches on one side
    std::optional<std::uint32_t> fixedOutputTokens;      ///< only changes the reported count
    std::optional<std::uint32_t> framePatchLimit = 4096; ///< of a frame of a clip; patchLimit where absent
    std::optional<std::uint32_t> videoPatchLimit;        ///< of a whole chunk, shared by its frames
    double sampleFps = 2.0;
    std::optional<std::uint32_t> maxFrames;
    std::uint32_t framesPerChunk = 4;
    TimestampMode timestampMode = TimestampMode::HoursMillis;
    std::array<float, 3> mean{0.5f, 0.5f, 0.5f}; ///< of red, green, blue in 0…1
    std::array<float, 3> standardDeviation{0.5f, 0.5f, 0.5f};

    bool takesVideo() const { return layout == Layout::K25; }
};

/// Reads preprocessor_config.json: the layout of Kimi K2.5 and K2.6 (`media_proc_cfg`) or that of Kimi-VL.
/// Refuses, naming the key, what is missing, of the wrong kind, out of range, or not supported.
Result<MediaConfig> readMediaConfig(const std::string &path);

} // namespace perilune
