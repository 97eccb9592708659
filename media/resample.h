#pragma once

#include "media/narrow_row.h"
#include "media/picture.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perilune {

/// The weights of one axis: output i is the sum of weight (i, j) * input (first[i] + j), in units of 2^-22.
struct ResampleAxis {
    std::uint32_t taps = 0;           ///< the most inputs that any output has
    std::vector<std::uint32_t> first; ///< (outputs)
    std::vector<std::uint32_t> count; ///< (outputs): how many inputs it has, at most taps
    std::vector<std::int32_t> weight; ///< (outputs, taps), zero beyond count
};

/// Bicubic weights (a = -0.5), widened where the axis shrinks so that every input counts, rounded to 22 bits
/// as Pillow's 8-bit resampling does up to version 12.2.
ResampleAxis bicubicAxis(std::uint32_t inputs, std::uint32_t outputs);

/// Resizes a picture that comes row by row; equal, bit for bit, to Pillow's Image.resize(…, BICUBIC) up
/// to 12.2: first across, then down, each rounded to 8 bits, either left out where that size stays. Keeps
/// only rows of the new width, so that memory does not grow with the width of what comes.
class Resampler {
public:
    /// Sizes in pixels, none 0.
    Resampler(std::uint32_t width, std::uint32_t height, std::uint32_t newWidth, std::uint32_t newHeight);

    /// The next rows from the top: any number of whole ones, (rows, width, 3). Never more than height in all.
    void addRows(std::span<const std::uint8_t> rows);
    bool complete() const { return m_rows == m_height; }

    /// The resized picture, padded with black at the right and at the bottom to paddedWidth x paddedHeight.
    /// Once, when complete().
    Picture finish(std::uint32_t paddedWidth, std::uint32_t paddedHeight);
    Picture finish() { return finish(m_newWidth, m_newHeight); }

private:
    std::uint32_t m_width, m_height, m_newWidth, m_newHeight;
    std::uint32_t m_rows = 0; // that have come
    ResampleAxis m_across;
    RowNarrower m_narrower;
    std::vector<std::uint8_t> m_narrowed; // (height, newWidth, 3)
};

struct PixelSize {
    std::uint32_t width = 0, height = 0;
};

/// One that makes a picture of `size`, to be seen in the shape of `display`, at most `longestSide` pixels
/// long.
Resampler fittingResampler(PixelSize size, PixelSize display, std::uint32_t longestSide);

/// The whole of it in one call.
Picture resize(const Picture &picture, std::uint32_t newWidth, std::uint32_t newHeight);

} // namespace perilune
