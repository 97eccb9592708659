#include "engine/kernels/matmul.h"

#include "engine/kernels/matmul_batch.h"

namespace perilune {

void matmul(Device &device, const Tensor &x, const WeightMatrix &weight, const Tensor &y,
            const MatmulOptions &options)
{
    CHECK(x.columns == weight.columns && y.columns == weight.rows && x.rows == y.rows);
    matmulBatch(device, {.weight = weight,
                         .outputs = weight.rows,
                         .rows = x.rows,
                         .x = x,
                         .y = y,
                         .bias = options.bias,
                         .accumulate = options.accumulate});
}

} // namespace perilune
