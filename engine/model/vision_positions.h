#pragma once

#include "engine/api/vision_patches.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perilune {

/// The stored table of MoonViT: one learned vector for each place of its base grid.
struct PositionTable {
    std::span<const float> values; ///< (rows, columns, dim)
    std::uint32_t rows = 0;        ///< init_pos_emb_height
    std::uint32_t columns = 0;     ///< init_pos_emb_width
    std::uint32_t dim = 0;
};

/// The table resampled to another grid: bicubic convolution with a = -0.75, half-pixel centres, the
/// border repeated, and no smoothing when it shrinks. The table itself where the grids are equal.
/// Returns (rows · columns, dim). Source: MoonViT's Learnable2DInterpPosEmb, arXiv:2504.07491.
std::vector<float> resamplePositions(const PositionTable &table, std::uint32_t rows, std::uint32_t columns);

/// (frames, dim): row k is sin(k · ω_j) for all j, then cos(k · ω_j), with
/// ω_j = 10000^(-j / (dim / 2)). dim is even.
std::vector<float> timePositions(std::uint32_t frames, std::uint32_t dim);

/// What is added to the embedded patches of one medium: the resampled table for each frame, plus
/// the frame's time row. A medium of one frame gets no time row: row 0 isn't zero, and the model
/// was trained so. Returns (patches, dim).
std::vector<float> patchPositions(const PositionTable &table, const PatchGrid &grid);

/// The angles' step for each pair of the rotary embedding: φ_i = 10000^(-4i / headDim), headDim / 4 of them.
std::vector<double> rotarySteps(std::uint32_t headDim);

/// Cosine and sine for each pair of neighbours in a head: pair 2i turns by column · φ_i and pair
/// 2i + 1 by row · φ_i. Frames of a medium turn alike.
struct RotaryTables {
    std::vector<float> cosines; ///< (patches, headDim / 2)
    std::vector<float> sines;   ///< (patches, headDim / 2)
};

/// Appends the rows of one medium. headDim is a multiple of 4.
void appendRotary(const PatchGrid &grid, std::uint32_t headDim, RotaryTables &tables);

} // namespace perilune
