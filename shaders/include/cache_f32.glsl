// A latent cache in f32, by pairs and quads of its elements.
const uint kCacheBytes = 4u; // of an element

void storeCachePair(uvec2 row, uint pair, vec2 values)
{
    F32 cache = F32(row);
    cache.v[2u * pair] = values.x;
    cache.v[2u * pair + 1u] = values.y;
}

// A row is a multiple of 4 elements where it is read by quads.
vec4 loadCacheQuad(uvec2 row, uint quad)
{
    return F32x4(row).v[quad];
}
