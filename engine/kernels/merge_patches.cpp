#include "engine/kernels/merge_patches.h"

#include "engine/kernels/launch.h"
#include "shaders/merge_patches.h"
#include "shaders/spirv.h"

namespace perilune {

void mergePatches(Device &device, const Tensor &x, const MergeGrid &grid, const Tensor &y)
{
    const std::uint32_t workgroup = 64;
    const std::uint64_t patches = std::uint64_t{grid.frames} * grid.rows * grid.columns;
    CHECK(grid.frames > 0 && grid.rows > 0 && grid.columns > 0);
    CHECK(grid.rows % 2 == 0 && grid.columns % 2 == 0);
    CHECK(x.rows == patches && x.columns > 0);
    CHECK(y.rows == std::uint64_t{grid.rows / 2} * (grid.columns / 2) && y.rows <= 65535);
    CHECK(y.columns == 4 * x.columns);
    CHECK(x.type == DType::F32 && y.type == DType::F32 && !overlap(x.range(), y.range()));

    const params::MergePatchesParams push{.x = x.address,
                                          .y = y.address,
                                          .width = x.columns,
                                          .frames = grid.frames,
                                          .rows = grid.rows,
                                          .columns = grid.columns};
    Dispatch dispatch;
    dispatch.name = "merge_patches";
    dispatch.code = spirv::merge_patches;
    dispatch.groups = {ceilDivide(x.columns, workgroup), 4, y.rows};
    dispatch.constants = {workgroup, 1, 1};
    dispatch.params = pushed(push);
    dispatch.reads = {x.range()};
    dispatch.writes = {y.range()};
    dispatch.work = static_cast<double>(x.elements());
    device.dispatch(dispatch);
}

} // namespace perilune
