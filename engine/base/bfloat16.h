#pragma once

#include <bit>
#include <cstdint>

namespace perilune {

/// The f32 value of a bf16: a bf16 is the upper half of an f32, so this is exact.
inline float fromBfloat16(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// The bf16 nearest to `value`, ties to even, as torch rounds. NaN stays NaN.
inline std::uint16_t toBfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

} // namespace perilune
