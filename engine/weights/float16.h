#pragma once

#include <bit>
#include <cstdint>

namespace perilune {

/// The f32 value of an IEEE half; exact.
inline float fromFloat16(std::uint16_t bits)
{
    const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0) { // subnormal: a multiple of 2^-24
        const float value = static_cast<float>(mantissa) * 0x1p-24f;
        return sign ? -value : value;
    }
    const std::uint32_t wide = exponent == 0x1f ? 0xffu : exponent + 112;
    return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

/// The f32 value of an e4m3fn byte; exact. 0x7f and 0xff are NaN, there are no infinities.
inline float fromFloat8(std::uint8_t bits)
{
    const std::uint32_t sign = std::uint32_t{bits & 0x80u} << 24;
    const std::uint32_t exponent = (bits >> 3) & 0xfu;
    const std::uint32_t mantissa = bits & 7u;
    if ((bits & 0x7fu) == 0x7fu)
        return std::bit_cast<float>(sign | 0x7fc00000u);
    if (exponent == 0) { // subnormal: a multiple of 2^-9
        const float value = static_cast<float>(mantissa) * 0x1p-9f;
        return sign ? -value : value;
    }
    return std::bit_cast<float>(sign | ((exponent + 120) << 23) | (mantissa << 20));
}

} // namespace perilune
