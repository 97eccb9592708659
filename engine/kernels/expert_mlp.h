#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records the routed experts of one layer and adds their weighted sum to y:
/// y[t] += Σ_k weights[t, k] · down_e( silu(gate_e(x[t])) ⊙ up_e(x[t]) ), e = ids[t, k].
/// The host never learns which experts were chosen.
///
/// x        (rows, hidden) f32
/// ids      (rows, chosen) u32
/// weights  (rows, chosen) f32
/// table    the layer's experts, any WeightFormat
/// scratch  at least expertMlpScratch(...) bytes
/// y        (rows, hidden) f32; must not overlap x
void expertMlp(Device &device, const Tensor &x, const Tensor &ids, const Tensor &weights,
               const ExpertTable &table, const ByteRange &scratch, const Tensor &y);

std::uint64_t expertMlpScratch(const ExpertTable &table, std::uint32_t rows, std::uint32_t chosen);

} // namespace perilune
