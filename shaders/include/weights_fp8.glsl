// FP8 weights with one F32 scale for each block of 128 x 128, cut at the matrix's edges.
#include "shaders/include/fp8.glsl"
#include "shaders/include/weights.glsl"

const uint kChunk = 16u;

WeightRow weightRow(uvec2 data, uvec2 scales, uint row, uint columns)
{
    const uvec2 start = kAligned ? at(data, row, columns) : data;
    return WeightRow(start, at(scales, row / 128u, (columns + 127u) / 128u * 4u), row * columns, columns);
}

void loadChunk(WeightRow row, uint chunk, out vec4 values[kChunk / 4u])
{
    const float scale = F32(row.scales).v[chunk / 8u];
    if (kAligned) {
        const uvec4 words = U32x4(row.data).v[chunk];
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            values[i] = fp8Quad(words[i]) * scale;
    } else {
        [[unroll]] for (uint i = 0u; i < 16u; ++i) {
            const uint column = 16u * chunk + i;
            const uint element = row.first + column;
            values[i / 4u][i % 4u] =
                column < row.columns ? fp8(U32(row.data).v[element / 4u] >> (element % 4u * 8u)) * scale : 0.0;
        }
    }
}
