#pragma once

#include "engine/gpu/device.h"
#include "engine/model/activations.h"
#include "engine/model/decoder_weights.h"

namespace perilune {

/// Records a dense MLP: a.residual += down( silu(gate(a.normed)) ⊙ up(a.normed) ).
void denseMlp(Device &device, const MlpWeights &weights, const Activations &a);

/// Records a mixture of experts: a.residual += Σ chosen experts(a.normed) + shared experts(a.normed). Leaves
/// the choice in a.ids and a.weights.
void mixtureOfExperts(Device &device, const DecoderConfig &config, const LayerWeights &layer,
                      const Activations &a);

} // namespace perilune
