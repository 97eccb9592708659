// Four-bit integers as compressed-tensors packs them: eight a word, lowest nibble first, stored as q + 8.

// The lower (shift 0) or upper (shift 16) four of a word, q in [-8, 7].
vec4 int4Quad(uint word, uint shift)
{
    const uvec4 nibbles = (uvec4(word) >> (shift + uvec4(0u, 4u, 8u, 12u))) & 15u;
    return vec4(nibbles) - 8.0;
}
