#include "engine/kernels/vit_rope.h"

#include "engine/kernels/launch.h"
#include "shaders/spirv.h"
#include "shaders/vit_rope.h"

namespace perilune {

void vitRope(Device &device, const Tensor &qkv, const Tensor &cosines, const Tensor &sines)
{
    const std::uint32_t workgroup = 64;
    const std::uint32_t width = qkv.columns / 3;
    CHECK(qkv.rows > 0 && qkv.rows <= 65535 && width > 0 && qkv.columns == 3 * width);
    CHECK(cosines.rows == qkv.rows && cosines.columns > 0 && width % (2 * cosines.columns) == 0);
    CHECK(sines.rows == cosines.rows && sines.columns == cosines.columns);
    CHECK(qkv.type == DType::F32 && cosines.type == DType::F32 && sines.type == DType::F32);

    const params::VitRopeParams push{.qkv = qkv.address,
                                     .cosines = cosines.address,
                                     .sines = sines.address,
                                     .width = width,
                                     .headPairs = cosines.columns};
    Dispatch dispatch;
    dispatch.name = "vit_rope";
    dispatch.code = spirv::vit_rope;
    dispatch.groups = {ceilDivide(width, workgroup), qkv.rows, 1};
    dispatch.constants = {workgroup, 1, 1};
    dispatch.params = pushed(push);
    dispatch.reads = {qkv.range(), cosines.range(), sines.range()};
    dispatch.writes = {qkv.range()};
    device.dispatch(dispatch);
}

} // namespace perilune
