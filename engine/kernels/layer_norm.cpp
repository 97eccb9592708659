#include "engine/kernels/layer_norm.h"

#include "engine/kernels/launch.h"
#include "shaders/layer_norm.h"
#include "shaders/spirv.h"

namespace perilune {

void layerNorm(Device &device, const Tensor &x, const Tensor &weight, const Tensor &bias, const Tensor &y,
               float epsilon)
{
    CHECK(x.rows == y.rows && x.columns == y.columns && x.rows > 0 && x.columns > 0);
    CHECK(weight.rows == 1 && weight.columns == x.columns);
    CHECK(y.address == x.address || !overlap(x.range(), y.range()));
    CHECK(bias.rows == 1 && bias.columns == x.columns);
    CHECK(x.type == DType::F32 && weight.type == DType::F32 && bias.type == DType::F32 &&
          y.type == DType::F32);

    const params::LayerNormParams push{.x = x.address,
                                       .weight = weight.address,
                                       .bias = bias.address,
                                       .y = y.address,
                                       .columns = x.columns,
                                       .epsilon = epsilon};
    Dispatch dispatch;
    dispatch.name = "layer_norm";
    dispatch.code = spirv::layer_norm;
    dispatch.groups = {x.rows, 1, 1};
    dispatch.constants = {runsOnCpu(device) ? 32u : 256u, 1, 1};
    dispatch.params = pushed(push);
    dispatch.reads = {x.range(), weight.range(), bias.range()};
    dispatch.writes = {y.range()};
    dispatch.work = static_cast<double>(x.elements());
    device.dispatch(dispatch);
}

} // namespace perilune
