#pragma once

#include "media/helper/source_file.h"

#include <cstdint>

namespace perilune::helper {

/// What stands beside the pixels of a WebP file.
struct WebPChunks {
    std::uint32_t width = 0, height = 0; ///< of the canvas
    bool animated = false;               ///< an animation, be it of one frame
    std::uint32_t orientation = 1;
    Bytes profile;         ///< ICC; inside the bytes that were read
    bool complete = false; ///< as long as it says
};

/// Never reads outside `bytes`, which begin with RIFF….WEBP.
WebPChunks readWebPChunks(Bytes bytes);

/// 2 for an animation, be it of one frame; else 1.
std::uint32_t countWebPFrames(Bytes bytes);

} // namespace perilune::helper
