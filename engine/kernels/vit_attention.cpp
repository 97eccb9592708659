#include "engine/kernels/vit_attention.h"

#include "engine/kernels/launch.h"
#include "shaders/spirv.h"
#include "shaders/vit_attention.h"

#include <cmath>
#include <numbers>

namespace perilune {

void vitAttention(Device &device, const Tensor &qkv, RowRange medium, std::uint32_t heads, const Tensor &y)
{
    const std::uint32_t workgroup = 32; // fixed by the shader's tiling
    const std::uint32_t tile = 32;      // queries of a workgroup
    const std::uint32_t width = y.columns;
    CHECK(heads > 0 && width > 0 && width % heads == 0 && qkv.columns == 3 * width && qkv.rows == y.rows);
    const std::uint32_t headDim = width / heads;
    CHECK(headDim % 4 == 0 && headDim <= kVitHeadDimLimit);
    CHECK(qkv.type == DType::F32 && y.type == DType::F32 && qkv.address % 16 == 0);
    CHECK(!overlap(qkv.range(), y.range()));
    CHECK(medium.count > 0 && medium.first <= qkv.rows && medium.count <= qkv.rows - medium.first);

    const double scale = std::numbers::log2e / std::sqrt(static_cast<double>(headDim));
    const params::VitAttentionParams push{.qkv = qkv.address,
                                          .y = y.address,
                                          .width = width,
                                          .first = medium.first,
                                          .count = medium.count,
                                          .scale = static_cast<float>(scale)};
    Dispatch dispatch;
    dispatch.name = "vit_attention";
    dispatch.code = spirv::vit_attention;
    dispatch.groups = {ceilDivide(medium.count, tile), heads, 1};
    dispatch.constants = {workgroup, 1, 1, headDim / 4};
    dispatch.params = pushed(push);
    dispatch.reads = {qkv.slice(medium.first, medium.count).range()};
    dispatch.writes = {y.slice(medium.first, medium.count).range()};
    dispatch.work = 2.0 * medium.count * medium.count * width;
    device.dispatch(dispatch);
}

} // namespace perilune
