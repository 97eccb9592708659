#include "media/resample.h"

#include "engine/base/check.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// The loops below are made for vectors of 32-bit integers; where the compiler can, they are built twice and
// the better one is chosen when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PERILUNE_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define PERILUNE_CLONES
#endif

namespace perilune {

namespace {

constexpr int kFractionBits = 22;
constexpr std::int32_t kHalf = 1 << (kFractionBits - 1);

double cubic(double x)
{
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1.0)
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
    if (x < 2.0)
        return (((x - 5) * x + 8) * x - 4) * a;
    return 0.0;
}

std::uint8_t rounded(std::int32_t sum)
{
    return static_cast<std::uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
}

/// One output row out of `count` input rows of `bytes` bytes that follow each other in memory.
PERILUNE_CLONES void mixRows(const std::uint8_t *rows, std::size_t bytes, const std::int32_t *weight,
                             std::uint32_t count, std::uint8_t *out)
{
    constexpr std::size_t kStrip = 512; // bytes whose sums stay in the first-level cache
    std::int32_t sums[kStrip];
    for (std::size_t start = 0; start < bytes; start += kStrip) {
        const std::size_t n = std::min(kStrip, bytes - start);
        std::fill_n(sums, n, kHalf);
        for (std::uint32_t j = 0; j < count; ++j) {
            const std::uint8_t *row = rows + j * bytes + start;
            const std::int32_t w = weight[j];
            for (std::size_t k = 0; k < n; ++k)
                sums[k] += w * row[k];
        }
        for (std::size_t k = 0; k < n; ++k)
            out[start + k] = rounded(sums[k]);
    }
}

} // namespace

ResampleAxis bicubicAxis(std::uint32_t inputs, std::uint32_t outputs)
{
    CHECK(inputs > 0 && outputs > 0);
    const double scale = double(inputs) / outputs;
    const double filterScale = std::max(scale, 1.0);
    const double support = 2.0 * filterScale, shrink = 1.0 / filterScale;

    ResampleAxis axis;
    axis.taps = static_cast<std::uint32_t>(std::ceil(support)) * 2 + 1;
    axis.first.resize(outputs);
    axis.count.resize(outputs);
    axis.weight.resize(std::size_t{outputs} * axis.taps);
    std::vector<double> exact(axis.taps);
    for (std::uint32_t i = 0; i < outputs; ++i) {
        const double centre = (i + 0.5) * scale;
        // NOLINTBEGIN(bugprone-incorrect-roundings): cut off after adding a half, as Pillow does
        const auto first = static_cast<std::uint32_t>(std::max(centre - support + 0.5, 0.0));
        const auto last = std::min(static_cast<std::uint32_t>(centre + support + 0.5), inputs);
        // NOLINTEND(bugprone-incorrect-roundings)
        double sum = 0;
        for (std::uint32_t j = 0; j < last - first; ++j) {
            exact[j] = cubic((double(j + first) - centre + 0.5) * shrink);
            sum += exact[j];
        }
        axis.first[i] = first;
        axis.count[i] = last - first;
        for (std::uint32_t j = 0; j < last - first; ++j) {
            const double weight = exact[j] / sum * (1 << kFractionBits);
            axis.weight[std::size_t{i} * axis.taps + j] =
                static_cast<std::int32_t>(weight < 0 ? weight - 0.5 : weight + 0.5);
        }
    }
    return axis;
}

Resampler::Resampler(std::uint32_t width, std::uint32_t height, std::uint32_t newWidth,
                     std::uint32_t newHeight)
    : m_width(width),
      m_height(height),
      m_newWidth(newWidth),
      m_newHeight(newHeight)
{
    CHECK(width > 0 && height > 0 && newWidth > 0 && newHeight > 0);
    if (newWidth != width) {
        m_across = bicubicAxis(width, newWidth);
        m_narrower = RowNarrower(m_across, width);
    }
    m_narrowed.resize(std::size_t{height} * newWidth * 3);
}

void Resampler::addRows(std::span<const std::uint8_t> rows)
{
    const std::size_t bytes = std::size_t{m_width} * 3;
    CHECK(rows.size() % bytes == 0 && rows.size() / bytes <= m_height - m_rows);
    for (; !rows.empty(); rows = rows.subspan(bytes), ++m_rows) {
        std::uint8_t *out = &m_narrowed[std::size_t{m_rows} * m_newWidth * 3];
        if (m_newWidth == m_width)
            std::memcpy(out, rows.data(), bytes);
        else
            m_narrower.narrow(m_across, rows.data(), out);
    }
}

Picture Resampler::finish(std::uint32_t paddedWidth, std::uint32_t paddedHeight)
{
    CHECK(complete() && paddedWidth >= m_newWidth && paddedHeight >= m_newHeight);
    const std::size_t bytes = std::size_t{m_newWidth} * 3, paddedBytes = std::size_t{paddedWidth} * 3;
    Picture picture{.width = paddedWidth, .height = paddedHeight, .rgb = {}};
    if (m_newHeight == m_height && paddedWidth == m_newWidth && paddedHeight == m_newHeight) {
        picture.rgb = std::move(m_narrowed);
        return picture;
    }
    picture.rgb.resize(paddedBytes * paddedHeight);
    if (m_newHeight == m_height) {
        for (std::size_t y = 0; y < m_newHeight; ++y)
            std::memcpy(&picture.rgb[y * paddedBytes], &m_narrowed[y * bytes], bytes);
        return picture;
    }
    const ResampleAxis down = bicubicAxis(m_height, m_newHeight);
    for (std::size_t y = 0; y < m_newHeight; ++y) {
        mixRows(&m_narrowed[down.first[y] * bytes], bytes, &down.weight[y * down.taps], down.count[y],
                &picture.rgb[y * paddedBytes]);
    }
    return picture;
}

Resampler fittingResampler(PixelSize size, PixelSize display, std::uint32_t longestSide)
{
    const double scale = std::min(1.0, double(longestSide) / std::max(display.width, display.height));
    const auto side = [&](std::uint32_t length) {
        return std::max(1u, static_cast<std::uint32_t>(std::lround(length * scale)));
    };
    return {size.width, size.height, side(display.width), side(display.height)};
}

Picture resize(const Picture &picture, std::uint32_t newWidth, std::uint32_t newHeight)
{
    Resampler resampler(picture.width, picture.height, newWidth, newHeight);
    resampler.addRows(picture.rgb);
    return resampler.finish(newWidth, newHeight);
}

} // namespace perilune
