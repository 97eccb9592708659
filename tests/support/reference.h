#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

} // namespace perilune::test
