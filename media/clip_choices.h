#pragma once

#include <cstdint>
#include <optional>

namespace perilune {

/// What one way of taking a clip comes to.
struct ClipCost {
    std::uint32_t frames = 0;
    std::uint64_t tokens = 0;
    double fromSeconds = 0, toSeconds = 0; ///< the part of the clip that it covers
};

/// What there is to choose from for a clip. All of it is known before a single frame is decoded.
struct ClipChoices {
    ClipCost whole; ///< the wanted part, at the rate that the model was made for
    /// Where a limit on frames or patches allows less: as many frames as it allows, spread evenly over all of
    /// the part, or as many from its beginning on.
    std::optional<ClipCost> thinned, trimmed;
};

} // namespace perilune
