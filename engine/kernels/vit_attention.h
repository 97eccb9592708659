#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Rows [first, first + count) of a matrix.
struct RowRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// Records attention without a mask among the patches of one medium. Media that are packed into one
/// matrix don't see each other: each has a call of its own.
///
/// qkv     (rows, 3 · heads · headDim) f32: queries, keys, values, already turned by their position
/// medium  the medium's rows in qkv and y
/// heads   headDim is a multiple of 4, at most kVitHeadDimLimit
/// y       (rows, heads · headDim) f32; must not overlap qkv
///
/// softmax(q · k / sqrt(headDim)), sums in f32; needs no memory that grows with the medium.
/// Mismatched shapes are a bug in the caller and abort. Source: arXiv:2205.14135.
void vitAttention(Device &device, const Tensor &qkv, RowRange medium, std::uint32_t heads, const Tensor &y);

constexpr std::uint32_t kVitHeadDimLimit = 100; ///< what fits into 32 KiB of shared memory

} // namespace perilune
