#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

/// Kernels in double precision, written for reading: the expected values of tests/shaders.
namespace perilune::test {

/// Repeatable values in [-1, 1).
inline std::vector<float> noise(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::vector<float> values(count);
    for (float &value : values)
        value = static_cast<float>(generator()) / 2147483648.0f - 1.0f;
    return values;
}

/// RMSNorm of each row of x.
inline std::vector<double> rmsNorm(std::span<const float> x, std::span<const float> weight, double epsilon)
{
    const std::size_t columns = weight.size();
    std::vector<double> y(x.size());
    for (std::size_t row = 0; row < x.size(); row += columns) {
        double sum = 0;
        for (std::size_t c = 0; c < columns; ++c)
            sum += double{x[row + c]} * x[row + c];
        const double scale = 1 / std::sqrt(sum / static_cast<double>(columns) + epsilon);
        for (std::size_t c = 0; c < columns; ++c)
            y[row + c] = x[row + c] * scale * weight[c];
    }
    return y;
}

inline double silu(double z)
{
    return z / (1 + std::exp(-z));
}

/// silu(gate) · up, element by element.
inline std::vector<double> swiglu(std::span<const float> gate, std::span<const float> up)
{
    std::vector<double> y(gate.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = silu(gate[i]) * up[i];
    return y;
}

/// y = x · Wᵀ, x (rows, inputs), W (outputs, inputs).
inline std::vector<double> matmul(std::span<const float> x, std::span<const float> weight, std::size_t inputs)
{
    const std::size_t rows = x.size() / inputs;
    const std::size_t outputs = weight.size() / inputs;
    std::vector<double> y(rows * outputs);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < outputs; ++o) {
            double sum = 0;
            for (std::size_t i = 0; i < inputs; ++i)
                sum += double{x[r * inputs + i]} * weight[o * inputs + i];
            y[r * outputs + o] = sum;
        }
    }
    return y;
}

/// Rotates adjacent pairs: cosSin holds cos and sin of pair i at 2i and 2i + 1.
inline std::vector<double> rope(std::span<const double> x, std::span<const float> cosSin)
{
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); i += 2) {
        y[i] = x[i] * cosSin[i] - x[i + 1] * cosSin[i + 1];
        y[i + 1] = x[i + 1] * cosSin[i] + x[i] * cosSin[i + 1];
    }
    return y;
}

/// A table of cos and sin for tests: (positions, ropeDim).
inline std::vector<float> ropeTable(std::size_t positions, std::size_t ropeDim)
{
    std::vector<float> table;
    for (std::size_t p = 0; p < positions; ++p) {
        for (std::size_t i = 0; i < ropeDim / 2; ++i) {
            const double angle = static_cast<double>(p) * std::pow(50000.0, -2.0 * static_cast<double>(i) /
                                                                                static_cast<double>(ropeDim));
            table.push_back(static_cast<float>(std::cos(angle)));
            table.push_back(static_cast<float>(std::sin(angle)));
        }
    }
    return table;
}

/// Causal attention in the latent space: latent (rows · heads, width), cache (positions, width).
inline std::vector<double> latentAttention(std::span<const float> latent, std::span<const float> cache,
                                           std::size_t heads, std::size_t rank, std::size_t width,
                                           std::size_t position, double scale)
{
    const std::size_t queries = latent.size() / width;
    std::vector<double> context(queries * rank);
    for (std::size_t q = 0; q < queries; ++q) {
        const std::size_t keys = position + q / heads + 1;
        std::vector<double> weights(keys);
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s < keys; ++s) {
            double dot = 0;
            for (std::size_t i = 0; i < width; ++i)
                dot += double{latent[q * width + i]} * cache[s * width + i];
            weights[s] = scale * dot;
            largest = std::max(largest, weights[s]);
        }
        double sum = 0;
        for (double &weight : weights)
            sum += weight = std::exp(weight - largest);
        for (std::size_t s = 0; s < keys; ++s) {
            for (std::size_t i = 0; i < rank; ++i)
                context[q * rank + i] += weights[s] / sum * cache[s * width + i];
        }
    }
    return context;
}

} // namespace perilune::test
