#include "engine/kernels/rms_norm.h"

#include "engine/kernels/launch.h"
#include "shaders/rms_norm.h"
#include "shaders/spirv.h"

namespace perilune {

void rmsNorm(Device &device, const Tensor &x, const Tensor &weight, const Tensor &y, float epsilon)
{
    CHECK(x.type == DType::F32 && weight.type == DType::F32 && y.type == DType::F32);
    CHECK(x.rows == y.rows && x.columns == y.columns && x.columns > 0);
    CHECK(weight.rows == 1 && weight.columns == x.columns);
    CHECK(y.address == x.address || !overlap(x.range(), y.range()));

    const params::RmsNormParams params{
        .x = x.address, .weight = weight.address, .y = y.address, .columns = x.columns, .epsilon = epsilon};
    device.dispatch({
        .name = "rms_norm",
        .code = spirv::rms_norm,
        .groups = {x.rows, 1, 1},
        .constants = {runsOnCpu(device) ? 32u : 256u, 1, 1},
        .params = pushed(params),
        .reads = {x.range(), weight.range()},
        .writes = {y.range()},
        .work = 2.0 * static_cast<double>(x.elements())
    });
}

} // namespace perilune
