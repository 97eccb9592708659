#pragma once

#include "engine/gpu/device.h"

namespace perilune {

struct MatmulOptions {
    Tensor bias;             ///< (1, outputs) f32; address 0 for none
    bool accumulate = false; ///< y += …, for residuals
};

/// Records y = x · weightᵀ (+ bias). One shader for each weight format; a few rows of x (decode)
/// and many (prefill) take different ones.
///
/// x       (rows, inputs)     f32
/// weight  (outputs, inputs)  any WeightFormat; a dispatch for each of its pieces
/// y       (rows, outputs)    f32; must not overlap x
///
/// Weights are expanded exactly; products and sums are f32.
void matmul(Device &device, const Tensor &x, const WeightMatrix &weight, const Tensor &y,
            const MatmulOptions &options = {});

} // namespace perilune
