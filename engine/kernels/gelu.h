#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records y = GELU(x) by its tanh approximation, as MoonViT's blocks have it.
///
/// x  (rows, columns) f32
/// y  (rows, columns) f32; may be x itself
///
/// Mismatched shapes are a bug in the caller and abort. Source: arXiv:1606.08415.
void geluTanh(Device &device, const Tensor &x, const Tensor &y);

/// Records y = GELU(x) exactly (with erf), as the projector has it. Shapes as in geluTanh().
void geluErf(Device &device, const Tensor &x, const Tensor &y);

} // namespace perilune
