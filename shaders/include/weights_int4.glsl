// Int4 weights with one BF16 scale for each 32 columns, which is a chunk. q · scale has at most 11
// significant bits: exact in f32. Columns are a multiple of 32, so rows are always aligned.
#include "shaders/include/int4.glsl"
#include "shaders/include/weights.glsl"

const uint kChunk = 32u;

WeightRow weightRow(uvec2 data, uvec2 scales, uint row, uint columns)
{
    return WeightRow(at(data, row, columns / 2u), scales, row * (columns / 32u), columns);
}

void loadChunk(WeightRow row, uint chunk, out vec4 values[kChunk / 4u])
{
    const uint group = row.first + chunk;
    const uint halves = U32(row.scales).v[group / 2u];
    const float scale = uintBitsToFloat(group % 2u == 0u ? halves << 16 : halves & 0xffff0000u);
    const uvec4 words = U32x4(row.data).v[chunk];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        values[2u * i] = int4Quad(words[i], 0u) * scale;
        values[2u * i + 1u] = int4Quad(words[i], 16u) * scale;
    }
}
