#pragma once

#include "engine/weights/safetensors.h"

#include <span>

namespace perilune {

/// Where the elements of one matrix come from.
struct StoredMatrix {
    const StoredTensor *data = nullptr;
    const StoredTensor *scales = nullptr; ///< of int4 and FP8; else null
    std::uint64_t rows = 0, columns = 0;
};

/// Reads row `row` of a plain (F32, F16, BF16), packed int4 or block FP8 matrix as f32, exactly.
/// `out` has `columns` elements. Fails as StoredTensor::read() does. Any thread.
Status expandRow(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out);

} // namespace perilune
