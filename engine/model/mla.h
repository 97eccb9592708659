#pragma once

#include "engine/gpu/device.h"
#include "engine/model/activations.h"
#include "engine/model/decoder_weights.h"

namespace perilune {

/// Epsilon of q_a_layernorm and kv_a_layernorm in every Kimi model, whatever rms_norm_eps says.
constexpr float kLatentNormEpsilon = 1e-6f;

/// Where one layer's attention reads its past and writes its present.
struct AttentionPast {
    Tensor cache;               ///< (context, kvLoraRank + qkRope) f32 or f16
    Tensor rope;                ///< (context, qkRope) f32: see ropeRows()
    std::uint32_t position = 0; ///< of row 0
    float scale = 1;            ///< softmaxScale()
};

/// Records multi-head latent attention of one layer in its absorbed form: reads a.normed, appends to the
/// cache, adds to a.residual. Rows of `a` are the chunk's positions.
void latentAttention(Device &device, const MlaShape &shape, const AttentionWeights &weights,
                     const AttentionPast &past, const Activations &a);

} // namespace perilune
