#pragma once

#include "media/helper/ffmpeg.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perilune::test {

/// A clip to be written by FFmpeg's libraries.
struct ClipPlan {
    std::string encoder = "libx264";
    std::vector<std::pair<std::string, std::string>> encoderOptions{}, containerOptions{};
    int width = 160, height = 96;
    AVPixelFormat format = AV_PIX_FMT_YUV420P;
    AVRational timeBase{1, 25};        ///< seconds that a tick lasts
    std::vector<std::int64_t> ticks{}; ///< when each frame is shown; constant rates have 0, 1, 2 …
    AVRational rate{25, 1};            ///< what the container calls its frame rate
    AVRational shape{1, 1};            ///< of a pixel
    int keyEvery = 12, betweens = 0;   ///< frames from key to key; frames in a row that refer to later ones
    int turnedBy = 0;                  ///< degrees, clockwise, that a player has to turn it
    bool interlaced = false;           ///< the upper field is the earlier one
    AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
    AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
    AVColorSpace space = AVCOL_SPC_UNSPECIFIED;
    std::int64_t bitRate = 0; ///< 0: the encoder's own idea
    /// Draws frame `number` into planes that are of middle gray.
    std::function<void(std::size_t number, AVFrame &frame)> draw{};
};

/// 0, 1, 2 … count - 1.
std::vector<std::int64_t> steadyTicks(std::size_t count);

/// Whether this FFmpeg can make it: not every build has every encoder.
bool hasEncoder(const std::string &name);

/// Writes the clip; its container goes by the ending of the name. Ends the test where FFmpeg refuses.
void writeClip(const std::string &path, const ClipPlan &plan);

constexpr int kCodeBits = 16, kCodeBlock = 8; // pixels

/// Sets one sample of a plane, given as 8 bits, whatever the depth of the frame.
void setSample(AVFrame &frame, int plane, int x, int y, int value);

/// The same, given as it is stored.
void setExactSample(AVFrame &frame, int plane, int x, int y, int value);

/// Writes `number` into the top left corner of the luma: 16 blocks of 8 x 8 pixels, the highest bit first,
/// and their complements below.
void drawCode(AVFrame &frame, unsigned number);

} // namespace perilune::test
