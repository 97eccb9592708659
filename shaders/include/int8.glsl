// Int8: four signed values a word, the lowest byte first.

// The four values of a word, before their scale.
vec4 int8Quad(uint word)
{
    return vec4((ivec4(uvec4(word) << uvec4(24u, 16u, 8u, 0u))) >> 24);
}

// The value of byte `index` of a word, before its scale.
float int8Value(uint word, uint index)
{
    return float(int(word << (24u - 8u * index)) >> 24);
}
