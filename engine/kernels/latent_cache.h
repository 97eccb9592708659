#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records the write of new positions into one layer's latent cache: for each row t of kv,
/// cache[position + t] = [ rmsNorm(kv[t, 0 … rank)) · weight | rope(kv[t, rank …)) ].
///
/// kv        (rows, rank + ropeDim) f32, the output of kv_a_proj_with_mqa
/// weight    (1, rank) f32, kv_a_layernorm; epsilon is 1e-6 in every Kimi model
/// rope      (positions, ropeDim) f32: cos and sin of pair i at columns 2i and 2i + 1 of a position's row
/// cache     (capacity, rank + ropeDim) f32 or f16
/// position  of the first new row; row t is rotated by rope row position + t
///
/// Pairs are adjacent: (a, b) → (a cos − b sin, b cos + a sin).
void latentCache(Device &device, const Tensor &kv, const Tensor &weight, const Tensor &rope,
                 const Tensor &cache, std::uint32_t position, float epsilon);

} // namespace perilune
