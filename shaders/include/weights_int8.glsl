// Int8 weights with one BF16 scale for each 32 columns, the last group cut at the row's end. Rows of scales
// start at whole words: there is an even number of them a row. q · scale has at most 16 significant bits:
// exact in f32.
#include "shaders/include/int8.glsl"
#include "shaders/include/weights.glsl"

const uint kChunk = 16u;

WeightRow weightRow(uvec2 data, uvec2 scales, uint row, uint columns)
{
    const uvec2 start = kAligned ? at(data, row, columns) : data;
    return WeightRow(start, at(scales, row, (columns + 63u) / 64u * 4u), row * columns, columns);
}

void loadChunk(WeightRow row, uint chunk, out vec4 values[kChunk / 4u])
{
    const uint halves = U32(row.scales).v[chunk / 4u];
    const float scale = uintBitsToFloat(chunk / 2u % 2u == 0u ? halves << 16 : halves & 0xffff0000u);
    if (kAligned) {
        const uvec4 words = U32x4(row.data).v[chunk];
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            values[i] = int8Quad(words[i]) * scale;
    } else {
        [[unroll]] for (uint i = 0u; i < 16u; ++i) {
            const uint column = 16u * chunk + i;
            const uint element = row.first + column;
            values[i / 4u][i % 4u] =
                column < row.columns ? int8Value(U32(row.data).v[element / 4u], element % 4u) * scale : 0.0;
        }
    }
}
