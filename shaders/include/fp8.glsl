// FP8 e4m3fn: sign, 4 bits of exponent with bias 7, 3 of mantissa; no infinities, 0x7f and 0xff are NaN.

// The value of the lowest byte. Exact, and no f32 denormal is met on the way: devices may flush them.
float fp8(uint bits)
{
    const uint size = bits & 0x7fu;
    // Subnormals (exponent 0) get an exponent one higher, whose implied 1 is then taken away.
    const bool subnormal = size < 8u;
    float value = uintBitsToFloat((size << 20) + (subnormal ? 121u << 23 : 120u << 23));
    value -= subnormal ? 0.015625 : 0.0;
    const uint nan = size == 0x7fu ? 0x7fc00000u : 0u;
    return uintBitsToFloat(floatBitsToUint(value) | ((bits & 0x80u) << 24) | nan);
}

vec4 fp8Quad(uint word)
{
    return vec4(fp8(word), fp8(word >> 8), fp8(word >> 16), fp8(word >> 24));
}
