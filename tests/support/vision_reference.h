#pragma once

// The vision kernels in double precision, written for reading.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace perilune::test {

inline std::vector<double> layerNorm(const std::vector<float> &x, const std::vector<float> &weight,
                                     const std::vector<float> &bias, double epsilon)
{
    const std::size_t columns = weight.size();
    std::vector<double> y(x.size());
    for (std::size_t row = 0; row < x.size(); row += columns) {
        double mean = 0;
        for (std::size_t c = 0; c < columns; ++c)
            mean += x[row + c];
        mean /= double(columns);
        double variance = 0;
        for (std::size_t c = 0; c < columns; ++c)
            variance += (x[row + c] - mean) * (x[row + c] - mean);
        variance /= double(columns);
        for (std::size_t c = 0; c < columns; ++c)
            y[row + c] = (x[row + c] - mean) / std::sqrt(variance + epsilon) * weight[c] + bias[c];
    }
    return y;
}

inline double geluTanh(double x)
{
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

inline double geluErf(double x)
{
    return x / 2 * std::erfc(-x / std::numbers::sqrt2);
}

/// qkv (rows, 3 · width) with queries and keys turned; cosines and sines (rows, headDim / 2).
inline std::vector<double> vitRope(const std::vector<float> &qkv, const std::vector<float> &cosines,
                                   const std::vector<float> &sines, std::size_t rows, std::size_t headDim)
{
    const std::size_t width = qkv.size() / rows / 3;
    std::vector<double> y(qkv.begin(), qkv.end());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t part = 0; part < 2; ++part) { // queries, keys
            for (std::size_t i = 0; i < width; i += 2) {
                const std::size_t at = row * 3 * width + part * width + i;
                const std::size_t pair = row * (headDim / 2) + i % headDim / 2;
                const double a = qkv[at], b = qkv[at + 1];
                y[at] = a * cosines[pair] - b * sines[pair];
                y[at + 1] = a * sines[pair] + b * cosines[pair];
            }
        }
    }
    return y;
}

/// Rows [first, first + count) of qkv (rows, 3 · width) are one medium. Returns (count, width).
inline std::vector<double> vitAttention(const std::vector<float> &qkv, std::size_t width, std::size_t heads,
                                        std::size_t first, std::size_t count)
{
    const std::size_t headDim = width / heads;
    std::vector<double> y(count * width);
    std::vector<double> weights(count);
    for (std::size_t head = 0; head < heads; ++head) {
        for (std::size_t q = 0; q < count; ++q) {
            const float *query = &qkv[(first + q) * 3 * width + head * headDim];
            double highest = -HUGE_VAL;
            for (std::size_t k = 0; k < count; ++k) {
                const float *key = &qkv[(first + k) * 3 * width + width + head * headDim];
                double score = 0;
                for (std::size_t d = 0; d < headDim; ++d)
                    score += double{query[d]} * key[d];
                weights[k] = score / std::sqrt(double(headDim));
                highest = std::max(highest, weights[k]);
            }
            double sum = 0;
            for (double &weight : weights)
                sum += weight = std::exp(weight - highest);
            for (std::size_t k = 0; k < count; ++k) {
                const float *value = &qkv[(first + k) * 3 * width + 2 * width + head * headDim];
                for (std::size_t d = 0; d < headDim; ++d)
                    y[q * width + head * headDim + d] += weights[k] / sum * value[d];
            }
        }
    }
    return y;
}

/// x (frames · rows · columns, width); returns (rows / 2 · columns / 2, 4, width).
inline std::vector<double> mergePatches(const std::vector<float> &x, std::size_t frames, std::size_t rows,
                                        std::size_t columns)
{
    const std::size_t width = x.size() / (frames * rows * columns);
    std::vector<double> y;
    for (std::size_t row = 0; row < rows; row += 2) {
        for (std::size_t column = 0; column < columns; column += 2) {
            for (std::size_t corner = 0; corner < 4; ++corner) {
                for (std::size_t c = 0; c < width; ++c) {
                    double sum = 0;
                    for (std::size_t frame = 0; frame < frames; ++frame)
                        sum += x[((frame * rows + row + corner / 2) * columns + column + corner % 2) * width +
                                 c];
                    y.push_back(sum / double(frames));
                }
            }
        }
    }
    return y;
}

} // namespace perilune::test
