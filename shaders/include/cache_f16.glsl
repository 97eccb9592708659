// A latent cache in f16, by pairs and quads of its elements, two elements a word.
const uint kCacheBytes = 2u; // of an element

void storeCachePair(uvec2 row, uint pair, vec2 values)
{
    U32(row).v[pair] = packHalf2x16(clamp(values, -65504.0, 65504.0));
}

// A row is a multiple of 4 elements where it is read by quads.
vec4 loadCacheQuad(uvec2 row, uint quad)
{
    const uvec2 words = U32x2(row).v[quad];
    return vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y));
}
