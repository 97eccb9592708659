#pragma once

#include "engine/gpu/device.h"
#include "engine/model/vision_weights.h"

namespace perilune {

/// Records the projector: layer norm of each patch, the four patches of a token side by side, a
/// linear layer, exact GELU, a linear layer. All f32.
///
/// merged  (tokens, 4D)             from mergePatches()
/// normed  (tokens, 4D)             scratch
/// inner   (tokens, 4D)             scratch; none of the three may overlap
/// out     (tokens, textHiddenSize)
void project(Device &device, const ProjectorWeights &weights, float epsilon, const Tensor &merged,
             const Tensor &normed, const Tensor &inner, const Tensor &out);

} // namespace perilune
