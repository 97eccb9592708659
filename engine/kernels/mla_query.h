#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Sizes of one layer's attention; names follow config.json.
struct MlaShape {
    std::uint32_t heads = 0;    ///< num_attention_heads
    std::uint32_t rank = 0;     ///< kv_lora_rank
    std::uint32_t nopeDim = 0;  ///< qk_nope_head_dim
    std::uint32_t ropeDim = 0;  ///< qk_rope_head_dim
    std::uint32_t valueDim = 0; ///< v_head_dim
    std::uint32_t latent() const { return rank + ropeDim; }
};

/// Records the query in the latent space, so that attention reads the cache as it is (weights absorbed):
/// latent[t, h] = [ q_nope[t, h] · Wk[h] | rope(q_pe[t, h]) ], Wk[h] the first nopeDim rows of head h in
/// kv_b_proj.
///
/// q         (rows, heads · (nopeDim + ropeDim)) f32, a head laid out [nope | rope]
/// kvUp      (heads · (nopeDim + valueDim), rank) F32, F16 or BF16: kv_b_proj
/// rope      as in latentCache
/// latent    (rows, heads · (rank + ropeDim)) f32
/// position  of row 0
void mlaQuery(Device &device, const MlaShape &shape, const Tensor &q, const WeightMatrix &kvUp,
              const Tensor &rope, const Tensor &latent, std::uint32_t position);

} // namespace perilune
