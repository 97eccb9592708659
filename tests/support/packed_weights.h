#pragma once

#include "tests/support/kernel_test.h"

#include <cstddef>
#include <vector>

namespace perilune::test {

/// A weight matrix as a checkpoint stores it, and what it means.
struct PackedWeight {
    WeightFormat format = WeightFormat::F32;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::byte> data;
    std::vector<std::byte> scales;
    std::vector<float> values; ///< (rows, columns), exactly
};

/// Repeatable weights, about in [-1, 1); blocks and groups of very different sizes where the format has
/// scales, so that a wrong block shows.
PackedWeight packedNoise(WeightFormat format, std::size_t rows, std::size_t columns, unsigned seed);

/// Puts it on the test's device.
WeightMatrix place(KernelTest &test, const PackedWeight &weight);

/// The value of an e4m3fn byte, from its definition.
float fp8Value(std::uint8_t bits);

} // namespace perilune::test
