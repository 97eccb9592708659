#pragma once

#include "engine/api/vision_patches.h"
#include "engine/base/result.h"
#include "media/media_config.h"

#include <cstdint>

namespace perilune {

/// What becomes of a picture of a given size: resized to (width, height), then padded at the right and at the
/// bottom with black so that both sides are multiples of 28.
struct ResizePlan {
    std::uint32_t width = 0, height = 0;       ///< after resizing
    std::uint32_t padWidth = 0, padHeight = 0; ///< added to them
    std::uint64_t tokens = 0;                  ///< as reported: fixedOutputTokens where the config has it

    std::uint32_t paddedWidth() const { return width + padWidth; }
    std::uint32_t paddedHeight() const { return height + padHeight; }
    PatchGrid grid(std::uint32_t frames) const { return {frames, paddedHeight() / 14, paddedWidth() / 14}; }
    bool operator==(const ResizePlan &) const = default;
};

/// The plan for a picture of width x height pixels. An error where the model can't take the shape, or a side
/// is 0. Padding comes after the limit, so a picture may take a little more patches than patchLimit, as in
/// the reference.
Result<ResizePlan> planPicture(std::uint32_t width, std::uint32_t height, const MediaConfig &config);

/// The plan for every frame of a chunk of `chunkFrames` frames.
Result<ResizePlan> planFrame(std::uint32_t width, std::uint32_t height, std::uint32_t chunkFrames,
                             const MediaConfig &config);

} // namespace perilune
