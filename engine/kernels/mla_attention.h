#pragma once

#include "engine/kernels/mla_query.h"

namespace perilune {

/// Records causal attention over the latent cache, all heads sharing its rows:
/// context[t, h] = Σ_s softmax_s( scale · latent[t, h] · cache[s] ) cache[s, 0 … rank), s ≤ position + t.
/// Softmax and sums in f32, one pass over the cache (running maximum).
///
/// latent   (rows, heads · (rank + ropeDim)) f32
/// cache    (capacity, rank + ropeDim) f32 or f16; rows 0 … position + rows − 1 are read
/// context  (rows, heads · rank) f32
/// scratch  at least mlaAttentionScratch(...) bytes: partial results where long contexts are split
void mlaAttention(Device &device, const MlaShape &shape, const Tensor &latent, const Tensor &cache,
                  const Tensor &context, const ByteRange &scratch, std::uint32_t position, float scale);

/// Bytes that mlaAttention needs for up to `rows` queries over up to `capacity` cached positions.
std::uint64_t mlaAttentionScratch(const MlaShape &shape, std::uint32_t rows, std::uint32_t capacity);

} // namespace perilune
