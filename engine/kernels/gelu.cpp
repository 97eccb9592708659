#include "engine/kernels/gelu.h"

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

    const params::GeluParams push{.x = x.address, .y = y.address, .columns = x.columns};
    device.dispatch({
        .name = name,
        .code = code,
        .groups = {(x.columns + workgroup - 1) / workgroup, x.rows, 1},
        .constants = {workgroup,                                      1, 1},
        .params = std::as_bytes(std::span(&push, 1)),
        .reads = {x.range()                              },
        .writes = {y.range()                                     }
    });
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
