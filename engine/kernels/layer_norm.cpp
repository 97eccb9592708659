#include "engine/kernels/layer_norm.h"

#include "shaders/layer_norm.h"
#include "shaders/spirv.h"

namespace perilune {

void layerNorm(Device &device, const Tensor &x, const Tensor &weight, const Tensor &bias, const Tensor &y,
               float epsilon)
{
    CHECK(x.rows == y.rows && x.columns == y.columns && x.rows > 0 && x.columns > 0);
    CHECK(weight.rows == 1 && weight.columns == x.columns);
    CHECK(bias.rows == 1 && bias.columns == x.columns);
    CHECK(x.type == DType::F32 && weight.type == DType::F32 && bias.type == DType::F32 &&
          y.type == DType::F32);

    const params::LayerNormParams push{.x = x.address,
                                       .weight = weight.address,
                                       .bias = bias.address,
                                       .y = y.address,
                                       .columns = x.columns,
                                       .epsilon = epsilon};
    device.dispatch({
        .name = "layer_norm",
        .code = spirv::layer_norm,
        .groups = {x.rows, 1, 1},
        .constants = {128,     1, 1},
        .params = std::as_bytes(std::span(&push, 1)),
        .reads = {x.range(),    weight.range(), bias.range()},
        .writes = {y.range()    }
    });
}

} // namespace perilune
