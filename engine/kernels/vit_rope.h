#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records the rotary embedding of a vision block: turns each pair of neighbours in every query and
/// key head, in place; the values stay.
///
/// qkv      (rows, 3 · heads · headDim)  f32: queries, keys, values
/// cosines  (rows, headDim / 2)          f32
/// sines    (rows, headDim / 2)          f32
///
/// headDim is twice the tables' columns and divides a third of qkv's. At most 65535 rows. Mismatched
/// shapes are a bug in the caller and abort.
void vitRope(Device &device, const Tensor &qkv, const Tensor &cosines, const Tensor &sines);

} // namespace perilune
