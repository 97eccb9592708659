#include "engine/kernels/mla_value.h"

#include "engine/kernels/matmul_batch.h"

namespace perilune {

void mlaValue(Device &device, const MlaShape &shape, const Tensor &context, const WeightMatrix &kvUp,
              const Tensor &out)
{
    CHECK(kvUp.columns == shape.rank && kvUp.rows == shape.heads * (shape.nopeDim + shape.valueDim));
    CHECK(context.columns == shape.heads * shape.rank && out.columns == shape.heads * shape.valueDim);
    CHECK(context.rows == out.rows);
    // A product for each head, with the head's rows of the weights.
    matmulBatch(device, {.weight = kvUp,
                         .weightFirst = shape.nopeDim,
                         .weightBatch = shape.nopeDim + shape.valueDim,
                         .outputs = shape.valueDim,
                         .batch = shape.heads,
                         .rows = context.rows,
                         .x = context,
                         .xBatch = shape.rank,
                         .y = out,
                         .yBatch = shape.valueDim});
}

} // namespace perilune
