#include "tests/support/packed_weights.h"

#include "engine/base/bfloat16.h"

#include <cmath>
#include <cstring>

namespace perilune::test {
namespace {

template <typename T>
std::vector<std::byte> bytesOf(const std::vector<T> &values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

void packHalves(PackedWeight &weight)
{
    const bool isF16 = weight.format == WeightFormat::F16;
    std::vector<std::uint16_t> stored;
    for (float &value : weight.values) {
        stored.push_back(isF16 ? toHalf(value) : toBfloat16(value));
        value = isF16 ? fromHalf(stored.back()) : fromBfloat16(stored.back());
    }
    weight.data = bytesOf(stored);
}

void packInt4(PackedWeight &weight, std::mt19937 &random)
{
    std::vector<std::uint32_t> words(weight.values.size() / 8);
    std::vector<std::uint16_t> scales(weight.values.size() / 32);
    for (std::uint16_t &scale : scales)
        scale = toBfloat16(
            std::ldexp(1.0f + static_cast<float>(random() % 128) / 128, -4 - static_cast<int>(random() % 6)));
    for (std::size_t i = 0; i < weight.values.size(); ++i) {
        const std::uint32_t nibble = random() % 16;
        words[i / 8] |= nibble << (i % 8 * 4);
        weight.values[i] = (static_cast<float>(nibble) - 8) * fromBfloat16(scales[i / 32]);
    }
    weight.data = bytesOf(words);
    weight.scales = bytesOf(scales);
}

void packInt8(PackedWeight &weight, std::mt19937 &random)
{
    const std::size_t scalesOfRow = (weight.columns + 63) / 64 * 2;
    std::vector<std::uint16_t> scales(weight.rows * scalesOfRow, toBfloat16(NAN)); // those of no column
    for (std::size_t row = 0; row < weight.rows; ++row) {
        for (std::size_t group = 0; group * 32 < weight.columns; ++group)
            scales[row * scalesOfRow + group] = toBfloat16(std::ldexp(
                1.0f + static_cast<float>(random() % 128) / 128, -8 - static_cast<int>(random() % 6)));
    }
    std::vector<std::int8_t> codes(weight.values.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = static_cast<std::int8_t>(random()); // -128 too
        const std::size_t group = i / weight.columns * scalesOfRow + i % weight.columns / 32;
        weight.values[i] = static_cast<float>(codes[i]) * fromBfloat16(scales[group]);
    }
    weight.data = bytesOf(codes);
    weight.scales = bytesOf(scales);
}

void packFp8(PackedWeight &weight, std::mt19937 &random)
{
    const std::size_t blockColumns = (weight.columns + 127) / 128;
    std::vector<float> scales((weight.rows + 127) / 128 * blockColumns);
    for (float &scale : scales)
        scale = std::ldexp(1.0f + static_cast<float>(random() % 1000) / 1000,
                           -9 - static_cast<int>(random() % 4));
    std::vector<std::uint8_t> codes(weight.values.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
        do {
            codes[i] = static_cast<std::uint8_t>(random());
        } while ((codes[i] & 0x7f) == 0x7f); // NaN
        const std::size_t block = i / weight.columns / 128 * blockColumns + i % weight.columns / 128;
        weight.values[i] = fp8Value(codes[i]) * scales[block];
    }
    weight.data = bytesOf(codes);
    weight.scales = bytesOf(scales);
}

} // namespace

PackedWeight packedNoise(WeightFormat format, std::size_t rows, std::size_t columns, unsigned seed)
{
    PackedWeight weight{format, rows, columns, {}, {}, noise(rows * columns, seed)};
    std::mt19937 random(seed);
    switch (format) {
    case WeightFormat::F32: weight.data = bytesOf(weight.values); break;
    case WeightFormat::F16:
    case WeightFormat::BF16: packHalves(weight); break;
    case WeightFormat::Int4: packInt4(weight, random); break;
    case WeightFormat::Fp8: packFp8(weight, random); break;
    case WeightFormat::Int8: packInt8(weight, random); break;
    }
    return weight;
}

WeightMatrix place(KernelTest &test, const PackedWeight &weight)
{
    WeightMatrix matrix{weight.format,
                        static_cast<std::uint32_t>(weight.rows),
                        static_cast<std::uint32_t>(weight.columns),
                        test.bytes(weight.data),
                        {}};
    if (!weight.scales.empty())
        matrix.scales = test.bytes(weight.scales);
    return matrix;
}

float fp8Value(std::uint8_t bits)
{
    const int exponent = bits >> 3 & 15;
    const int mantissa = bits & 7;
    const float sign = bits & 0x80 ? -1.0f : 1.0f;
    if (exponent == 15 && mantissa == 7)
        return std::nanf("");
    if (exponent == 0)
        return sign * std::ldexp(static_cast<float>(mantissa), -9);
    return sign * std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
}

} // namespace perilune::test
