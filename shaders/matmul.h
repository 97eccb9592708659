// Parameters of the matmul kernels; read by the shaders and by engine/kernels/matmul.cpp.
#ifndef PERILUNE_SHADERS_MATMUL_H
#define PERILUNE_SHADERS_MATMUL_H
#include "shaders/include/types.h"
PARAMS_BEGIN

// Several products of the same shape may be one dispatch: workgroup z is product z, whose x, y and
// weights start `…Batch` further on for each.
struct MatmulParams {
    Address x;      // (rows, xStride) f32, of which `columns` are read
    Address weight; // (weightRows, columns) in the kernel's format
    Address scales; // of the weights, where the format has them
    Address bias;   // (outputs) f32, or 0
    Address y;      // (rows, yStride) f32, of which `outputs` are written
    uint rows;
    uint outputs;
    uint columns;
    uint xStride;     // elements from row to row of x
    uint yStride;     // elements from row to row of y
    uint xBatch;      // elements
    uint yBatch;      // elements
    uint weightFirst; // row of the weights that output 0 of product 0 uses
    uint weightBatch; // rows
    uint accumulate;  // 1: y += …
};

PARAMS_END
#endif
