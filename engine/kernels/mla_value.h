#pragma once

#include "engine/kernels/mla_query.h"

namespace perilune {

/// Records the way back from the latent space: out[t, h] = Wv[h] · context[t, h], Wv[h] the last
/// valueDim rows of head h in kv_b_proj.
///
/// context  (rows, heads · rank) f32
/// kvUp     as in mlaQuery
/// out      (rows, heads · valueDim) f32
void mlaValue(Device &device, const MlaShape &shape, const Tensor &context, const WeightMatrix &kvUp,
              const Tensor &out);

} // namespace perilune
