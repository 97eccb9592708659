#include "engine/kernels/matmul.h"

#include "engine/kernels/matmul_batch.h"

namespace perilune {

void matmul(Device &device, const Tensor &x, const WeightMatrix &weight, const Tensor &y,
            const MatmulOptions &options)
{
    CHECK(x.columns == weight.columns && y.columns == weight.rows && x.rows == y.rows);
    std::uint32_t first = 0;
    for (const WeightMatrix &piece : weight.pieces) {
        Tensor bias = options.bias;
        if (bias.address)
            bias = {bias.address + std::uint64_t{first} * 4, 1, piece.rows, bias.type};
        matmulBatch(device, {.weight = piece,
                             .outputs = piece.rows,
                             .rows = x.rows,
                             .x = x,
                             .y = y,
                             .yFirst = first,
                             .bias = bias,
                             .accumulate = options.accumulate});
        first += piece.rows;
    }
    if (first > 0) {
        CHECK(first == weight.rows);
        return;
    }
    matmulBatch(device, {.weight = weight,
                         .outputs = weight.rows,
                         .rows = x.rows,
                         .x = x,
                         .y = y,
                         .bias = options.bias,
                         .accumulate = options.accumulate});
}

} // namespace perilune
