#pragma once

#include "engine/gpu/device.h"
#include "engine/model/vision_weights.h"

namespace perilune {

/// What the projector works in. Neither may overlap the other, nor what goes in or comes out.
struct ProjectorScratch {
    Tensor normed; // (tokens, 4D)
    Tensor inner;  // (tokens, 4D)
};

/// Records the projector: layer norm of each patch, the four patches of a token side by side, a
/// linear layer, exact GELU, a linear layer. All f32.
///
/// merged  (tokens, 4D)              from mergePatches()
/// out     (tokens, textHiddenSize)
void project(Device &device, const ProjectorWeights &weights, float epsilon, const Tensor &merged,
             const ProjectorScratch &scratch, const Tensor &out);

} // namespace perilune
