#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// One or several products of one shape in one dispatch: y_z = x_z · W_zᵀ (+ bias).
struct MatmulBatch {
    WeightMatrix weight;           ///< columns are the inputs
    std::uint32_t weightFirst = 0; ///< row of the weights that output 0 of product 0 uses
    std::uint32_t weightBatch = 0; ///< rows between two products' weights
    std::uint32_t outputs = 0;     ///< rows of the weights that a product uses
    std::uint32_t batch = 1;
    std::uint32_t rows = 0;   ///< of x and y
    Tensor x;                 ///< f32; a product reads `weight.columns` of a row
    std::uint32_t xBatch = 0; ///< columns between two products' inputs
    Tensor y;                 ///< f32; a product writes `outputs` of a row
    std::uint32_t yFirst = 0; ///< column of y that output 0 of product 0 is
    std::uint32_t yBatch = 0; ///< columns between two products' outputs
    Tensor bias = {};         ///< (1, outputs) f32; address 0 for none
    bool accumulate = false;  ///< y += …
};

/// Records it: a kernel for a few rows or one for many, in the weights' format.
void matmulBatch(Device &device, const MatmulBatch &call);

/// CHECKs that data and scales have the bytes that format and shape ask for.
void checkWeight(const WeightMatrix &weight);

/// Columns that a 16-byte load of this format holds; rows of a multiple of it are read in such loads.
std::uint32_t chunkOf(WeightFormat format);

} // namespace perilune
