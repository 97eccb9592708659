#include "engine/weights/expand.h"

#include "engine/base/bfloat16.h"
#include "engine/base/check.h"
#include "engine/weights/float16.h"

#include <algorithm>

namespace perilune {

namespace {

constexpr std::uint64_t kGroup = 32;  // columns that share a scale in int4
constexpr std::uint64_t kBlock = 128; // rows and columns that share a scale in FP8

/// Elements [first, first + count).
template <typename T>
Result<std::vector<T>> read(const StoredTensor &tensor, std::uint64_t first, std::uint64_t count)
{
    std::vector<T> values(count);
    if (Status done = tensor.read(first * sizeof(T), std::as_writable_bytes(std::span(values))); !done)
        return std::move(done).error();
    return values;
}

Status expandHalves(const StoredMatrix &matrix, std::uint64_t row, float (*convert)(std::uint16_t),
                    std::span<float> out)
{
    const auto stored = read<std::uint16_t>(*matrix.data, row * matrix.columns, matrix.columns);
    if (!stored)
        return stored.error();
    std::ranges::transform(*stored, out.begin(), convert);
    return Done{};
}

Status expandInt4(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out)
{
    const std::uint64_t words = (matrix.columns + 7) / 8;
    const std::uint64_t groups = matrix.columns / kGroup;
    const auto packed = read<std::uint32_t>(*matrix.data, row * words, words);
    const auto scales = read<std::uint16_t>(*matrix.scales, row * groups, groups);
    if (!packed || !scales)
        return packed ? scales.error() : packed.error();
    for (std::uint64_t column = 0; column < matrix.columns; ++column) {
        const std::uint32_t word = (*packed)[column / 8];
        const int quantum = static_cast<int>((word >> (4 * (column % 8))) & 15u) - 8;
        out[column] = static_cast<float>(quantum) * fromBfloat16((*scales)[column / kGroup]);
    }
    return Done{};
}

Status expandFloat8(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out)
{
    const std::uint64_t blocks = (matrix.columns + kBlock - 1) / kBlock;
    const auto codes = read<std::uint8_t>(*matrix.data, row * matrix.columns, matrix.columns);
    const auto scales = read<float>(*matrix.scales, row / kBlock * blocks, blocks);
    if (!codes || !scales)
        return codes ? scales.error() : codes.error();
    for (std::uint64_t column = 0; column < matrix.columns; ++column)
        out[column] = fromFloat8((*codes)[column]) * (*scales)[column / kBlock];
    return Done{};
}

} // namespace

Status expandRow(const StoredMatrix &matrix, std::uint64_t row, std::span<float> out)
{
    CHECK(row < matrix.rows && out.size() == matrix.columns);
    switch (matrix.data->type) {
    case StoredType::F32: return matrix.data->read(row * out.size_bytes(), std::as_writable_bytes(out));
    case StoredType::BF16: return expandHalves(matrix, row, fromBfloat16, out);
    case StoredType::F16: return expandHalves(matrix, row, fromFloat16, out);
    case StoredType::I32: return expandInt4(matrix, row, out);
    case StoredType::F8E4M3: return expandFloat8(matrix, row, out);
    default: CHECK(false);
    }
}

} // namespace perilune
