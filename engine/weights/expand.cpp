#include "engine/weights/expand.h"

#include "engine/base/bfloat16.h"
#include "engine/base/check.h"
#include "engine/weights/float16.h"

#include <cstring>

namespace perilune {

namespace {

constexpr std::uint64_t kGroup = 32;  // columns that share a scale in int4
constexpr std::uint64_t kBlock = 128; // rows and columns that share a scale in FP8

template <typename T>
T readAt(const StoredTensor &tensor, std::uint64_t index)
{
    T value; // mapped data need not be aligned
    std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
    return value;
}

void expandInt4(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out)
{
    const std::uint64_t words = (matrix.columns + 7) / 8;
    const std::uint64_t groups = matrix.columns / kGroup;
    for (std::uint64_t column = 0; column < matrix.columns; ++column) {
        const auto word = readAt<std::uint32_t>(*matrix.data, row * words + column / 8);
        const int quantum = static_cast<int>((word >> (4 * (column % 8))) & 15u) - 8;
        const float scale =
            fromBfloat16(readAt<std::uint16_t>(*matrix.scales, row * groups + column / kGroup));
        out[column] = static_cast<float>(quantum) * scale;
    }
}

void expandFloat8(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out)
{
    const std::uint64_t blocks = (matrix.columns + kBlock - 1) / kBlock;
    for (std::uint64_t column = 0; column < matrix.columns; ++column) {
        const float scale = readAt<float>(*matrix.scales, row / kBlock * blocks + column / kBlock);
        out[column] = fromFloat8(readAt<std::uint8_t>(*matrix.data, row * matrix.columns + column)) * scale;
    }
}

} // namespace

void expandRow(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out)
{
    CHECK(row < matrix.rows && out.size() == matrix.columns);
    const std::uint64_t first = row * matrix.columns;
    switch (matrix.data->type) {
    case StoredType::F32:
        std::memcpy(out.data(), matrix.data->data.data() + first * 4, out.size_bytes());
        return;
    case StoredType::BF16:
        for (std::uint64_t i = 0; i < out.size(); ++i)
            out[i] = fromBfloat16(readAt<std::uint16_t>(*matrix.data, first + i));
        return;
    case StoredType::F16:
        for (std::uint64_t i = 0; i < out.size(); ++i)
            out[i] = fromFloat16(readAt<std::uint16_t>(*matrix.data, first + i));
        return;
    case StoredType::I32: return expandInt4(matrix, row, out);
    case StoredType::F8E4M3: return expandFloat8(matrix, row, out);
    default: CHECK(false);
    }
}

} // namespace perilune
