#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records y = (x - mean) / sqrt(variance + epsilon) · weight + bias, row by row.
///
/// x        (rows, columns) f32
/// weight   (1, columns)    f32
/// bias     (1, columns)    f32
/// y        (rows, columns) f32; may be x itself
/// epsilon  added to the variance: 1e-5 in MoonViT, projector_ln_eps in its projector
///
/// Mismatched shapes are a bug in the caller and abort. Source: arXiv:1607.06450.
void layerNorm(Device &device, const Tensor &x, const Tensor &weight, const Tensor &bias, const Tensor &y,
               float epsilon);

} // namespace perilune
