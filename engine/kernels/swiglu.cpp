#include "engine/kernels/swiglu.h"

#include "engine/kernels/launch.h"
#include "shaders/spirv.h"
#include "shaders/swiglu.h"

namespace perilune {

void swiglu(Device &device, const Tensor &gate, const Tensor &up, const Tensor &y)
{
    for (const Tensor &tensor : {gate, up, y}) {
        CHECK(tensor.type == DType::F32);
        CHECK(tensor.rows == gate.rows && tensor.columns == gate.columns);
    }
    CHECK(y.address == gate.address || !overlap(y.range(), gate.range()));
    CHECK(y.address == up.address || !overlap(y.range(), up.range()));

    const std::uint32_t workgroup = runsOnCpu(device) ? 32 : 256;
    const params::SwigluParams params{
        .gate = gate.address, .up = up.address, .y = y.address, .columns = gate.columns};
    device.dispatch({
        .name = "swiglu",
        .code = spirv::swiglu,
        .groups = {ceilDivide(gate.columns, workgroup), gate.rows, 1},
        .constants = {workgroup, 1, 1},
        .params = pushed(params),
        .reads = {gate.range(), up.range()},
        .writes = {y.range()},
        .work = 8.0 * static_cast<double>(gate.elements())
    });
}

} // namespace perilune
