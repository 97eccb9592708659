#include "engine/model/vision_positions.h"

#include "engine/base/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace perilune {
namespace {

constexpr double kBase = 10000; // of time rows and rotary angles alike

/// Where one output of a resampling comes from: four neighbours and their weights.
struct Taps {
    std::array<std::uint32_t, 4> index;
    std::array<float, 4> weight;
};

/// Keys' cubic convolution kernel at `distance`.
double cubic(double distance)
{
    const double a = -0.75;
    const double x = std::abs(distance);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2)
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

std::vector<Taps> tapsOf(std::uint32_t from, std::uint32_t to)
{
    std::vector<Taps> taps(to);
    for (std::uint32_t o = 0; o < to; ++o) {
        const double centre = (o + 0.5) * from / to - 0.5;
        const double floor = std::floor(centre);
        for (std::size_t k = 0; k < 4; ++k) {
            const double place = floor + static_cast<double>(k) - 1;
            taps[o].index[k] = static_cast<std::uint32_t>(std::clamp(place, 0.0, from - 1.0));
            taps[o].weight[k] = static_cast<float>(cubic(centre - place));
        }
    }
    return taps;
}

/// out[i] = Σ_k weight[k] · rows[index[k]][i], where row r of `rows` starts at r · stride.
void blend(std::span<const float> rows, std::size_t stride, const Taps &taps, std::span<float> out)
{
    const float *a = rows.data() + taps.index[0] * stride;
    const float *b = rows.data() + taps.index[1] * stride;
    const float *c = rows.data() + taps.index[2] * stride;
    const float *d = rows.data() + taps.index[3] * stride;
    const auto &w = taps.weight;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = w[0] * a[i] + w[1] * b[i] + w[2] * c[i] + w[3] * d[i];
}

} // namespace

std::vector<float> resamplePositions(const PositionTable &table, std::uint32_t rows, std::uint32_t columns)
{
    CHECK(table.values.size() == std::size_t{table.rows} * table.columns * table.dim);
    if (rows == table.rows && columns == table.columns)
        return {table.values.begin(), table.values.end()};

    const std::vector<Taps> rowTaps = tapsOf(table.rows, rows);
    const std::vector<Taps> columnTaps = tapsOf(table.columns, columns);
    const std::size_t dim = table.dim;
    const std::size_t tableStride = std::size_t{table.columns} * dim;
    std::vector<float> line(tableStride); // one output row, still as wide as the table
    std::vector<float> out(std::size_t{rows} * columns * dim);
    for (std::size_t r = 0; r < rows; ++r) {
        blend(table.values, tableStride, rowTaps[r], line);
        for (std::size_t c = 0; c < columns; ++c)
            blend(line, dim, columnTaps[c], std::span(out).subspan((r * columns + c) * dim, dim));
    }
    return out;
}

std::vector<float> timePositions(std::uint32_t frames, std::uint32_t dim)
{
    CHECK(dim % 2 == 0);
    const std::size_t half = dim / 2;
    std::vector<float> out(std::size_t{frames} * dim);
    for (std::size_t k = 0; k < frames; ++k) {
        for (std::size_t j = 0; j < half; ++j) {
            const double step = std::pow(kBase, -static_cast<double>(j) / static_cast<double>(half));
            const double angle = static_cast<double>(k) * step;
            out[k * dim + j] = static_cast<float>(std::sin(angle));
            out[k * dim + half + j] = static_cast<float>(std::cos(angle));
        }
    }
    return out;
}

std::vector<float> patchPositions(const PositionTable &table, const PatchGrid &grid)
{
    std::vector<float> places = resamplePositions(table, grid.rows, grid.columns);
    if (grid.frames == 1)
        return places;
    const std::size_t dim = table.dim;
    const std::vector<float> times = timePositions(grid.frames, table.dim);
    std::vector<float> out(places.size() * grid.frames);
    for (std::size_t frame = 0; frame < grid.frames; ++frame) {
        const float *time = times.data() + frame * dim;
        float *to = out.data() + frame * places.size();
        for (std::size_t i = 0; i < places.size(); ++i)
            to[i] = places[i] + time[i % dim];
    }
    return out;
}

std::vector<double> rotarySteps(std::uint32_t headDim)
{
    CHECK(headDim % 4 == 0);
    std::vector<double> steps(headDim / 4);
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = std::pow(kBase, -4.0 * static_cast<double>(i) / headDim);
    return steps;
}

void appendRotary(const PatchGrid &grid, std::uint32_t headDim, RotaryTables &tables)
{
    const std::vector<double> steps = rotarySteps(headDim);
    const std::size_t count = steps.size();
    const std::size_t longest = std::max(grid.rows, grid.columns);
    std::vector<float> cosines(longest * count);
    std::vector<float> sines(longest * count);
    for (std::size_t i = 0; i < cosines.size(); ++i) {
        const std::size_t coordinate = i / count;
        const double angle = static_cast<double>(coordinate) * steps[i % count];
        cosines[i] = static_cast<float>(std::cos(angle));
        sines[i] = static_cast<float>(std::sin(angle));
    }

    const std::size_t added = grid.patches() * count * 2;
    tables.cosines.reserve(tables.cosines.size() + added);
    tables.sines.reserve(tables.sines.size() + added);
    for (std::size_t patch = 0; patch < grid.patches(); ++patch) {
        const std::size_t column = patch % grid.columns;
        const std::size_t row = patch / grid.columns % grid.rows;
        for (std::size_t i = 0; i < count; ++i) {
            for (const std::size_t coordinate : {column, row}) {
                tables.cosines.push_back(cosines[coordinate * count + i]);
                tables.sines.push_back(sines[coordinate * count + i]);
            }
        }
    }
}

} // namespace perilune
