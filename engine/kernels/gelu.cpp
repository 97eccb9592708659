#include "engine/kernels/gelu.h"

#include "engine/kernels/launch.h"
#include "shaders/gelu.h"
#include "shaders/spirv.h"

namespace perilune {
namespace {

void record(Device &device, const char *name, std::span<const std::uint32_t> code, const Tensor &x,
            const Tensor &y)
{
    const std::uint32_t workgroup = 64;
    CHECK(x.rows == y.rows && x.columns == y.columns && x.rows > 0 && x.columns > 0);
    CHECK(x.type == DType::F32 && y.type == DType::F32);
    CHECK(y.address == x.address || !overlap(x.range(), y.range()));

    const params::GeluParams push{.x = x.address, .y = y.address, .columns = x.columns};
    Dispatch dispatch;
    dispatch.name = name;
    dispatch.code = code;
    dispatch.groups = {ceilDivide(x.columns, workgroup), x.rows, 1};
    dispatch.constants = {workgroup, 1, 1};
    dispatch.params = pushed(push);
    dispatch.reads = {x.range()};
    dispatch.writes = {y.range()};
    device.dispatch(dispatch);
}

} // namespace

void geluTanh(Device &device, const Tensor &x, const Tensor &y)
{
    record(device, "gelu_tanh", spirv::gelu_tanh, x, y);
}

void geluErf(Device &device, const Tensor &x, const Tensor &y)
{
    record(device, "gelu_erf", spirv::gelu_erf, x, y);
}

} // namespace perilune
