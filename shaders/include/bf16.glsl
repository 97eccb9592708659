// BF16 is the upper half of an f32: expanding it is exact.

// The two values of a word, the lower half first.
vec2 bf16Halves(uint word)
{
    return vec2(uintBitsToFloat(word << 16), uintBitsToFloat(word & 0xffff0000u));
}
