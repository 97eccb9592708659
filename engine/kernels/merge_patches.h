#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// A medium's size in patches: frames of `rows` x `columns`, both even.
struct MergeGrid {
    std::uint32_t frames = 1;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
};

/// Records the patch merger: the four patches of each 2 x 2 cell side by side, top row first, each the
/// mean over the frames.
///
/// x  (frames · rows · columns, width)    f32; frame by frame, row by row
/// y  (rows / 2 · columns / 2, 4 · width) f32; cells row by row; must not overlap x
///
/// At most 65535 cells. Mismatched shapes are a bug in the caller and abort.
void mergePatches(Device &device, const Tensor &x, const MergeGrid &grid, const Tensor &y);

} // namespace perilune
