#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perilune {

/// Size of one medium in patches: frames, patch rows, patch columns.
struct PatchGrid {
    std::uint32_t frames = 1; ///< 1 for a picture, 1 to 4 for a chunk of a clip
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;

    std::uint64_t patches() const { return std::uint64_t{frames} * rows * columns; }
    /// Feature rows that the medium takes in the prompt: one for each 2 x 2 cell, whatever the frames.
    std::uint64_t tokens() const { return std::uint64_t{rows / 2} * (columns / 2); }

    bool operator==(const PatchGrid &) const = default;
};

/// What the vision tower eats: one attached picture (one medium) or clip (one medium a chunk).
/// Immutable once made; crosses threads as shared_ptr<const VisionPatches>.
struct VisionPatches {
    enum class Kind { Image, Video };
    Kind kind = Kind::Image;

    std::vector<PatchGrid> grids;        ///< one for each medium
    std::vector<std::string> timestamps; ///< for a clip: the start of each chunk, "00:00:02.000"
    std::vector<float> pixelValues;      ///< (sum of patches, 3, 14, 14); per medium frame, row, column

    /// Equal for equal pixels and grids (SHA-256, hex). What the engine's cache compares.
    std::string contentId;

    std::uint64_t tokens() const
    {
        std::uint64_t sum = 0;
        for (const PatchGrid &grid : grids)
            sum += grid.tokens();
        return sum;
    }
};

} // namespace perilune
