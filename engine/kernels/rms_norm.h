#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records y = x / rms(x) · weight, row by row.
///
/// x        (rows, columns) f32
/// weight   (1, columns)    f32
/// y        (rows, columns) f32; may be x itself
/// epsilon  added to the mean square: rms_norm_eps of config.json, or 1e-6 for the latent norms
///
/// Mismatched shapes are a bug in the caller and abort. Source: RMSNorm, arXiv:1910.07467.
void rmsNorm(Device &device, const Tensor &x, const Tensor &weight, const Tensor &y, float epsilon);

} // namespace perilune
