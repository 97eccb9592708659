#pragma once

#include "media/helper/source_file.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace perilune::helper {

/// What stands beside the pixels of a PNG.
struct PngChunks {
    std::uint32_t width = 0, height = 0;
    std::uint32_t bits = 0;       ///< of a sample
    std::uint32_t colourType = 0; ///< 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha
    std::uint32_t frames = 1;     ///< more than 1: an animation
    std::uint32_t orientation = 1;
    std::optional<std::uint32_t> clearGray; ///< the gray sample that means transparent
    std::vector<std::uint8_t> profile;      ///< ICC; empty where there is none
    bool complete = false;                  ///< the end chunk is there
};

/// Never reads outside `bytes`, which begin with PNG's signature.
PngChunks readPngChunks(Bytes bytes);

} // namespace perilune::helper
