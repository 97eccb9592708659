#pragma once

#include "engine/api/media_choice.h"
#include "engine/base/result.h"

#include <cstdint>
#include <functional>
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

/// What a picture or clip would come to by another choice, to the token; known without decoding anything. A
/// picture counts as one frame. Any thread. Errors are sentences: no frame lies in that part of the clip.
using CostOf = std::function<Result<ClipCost>(const MediaChoice &)>;

} // namespace perilune
