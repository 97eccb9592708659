// Weights of 16 bits, two a word, the lower half first. Define HALVES(word): a word's two values as vec2.
#include "shaders/include/weights.glsl"

const uint kChunk = 8u;

WeightRow weightRow(uvec2 data, uvec2 scales, uint row, uint columns)
{
    const uvec2 start = kAligned ? at(data, row, columns * 2u) : data;
    return WeightRow(start, scales, row * columns, columns);
}

void loadChunk(WeightRow row, uint chunk, out vec4 values[kChunk / 4u])
{
    if (kAligned) {
        const uvec4 words = U32x4(row.data).v[chunk];
        values[0] = vec4(HALVES(words.x), HALVES(words.y));
        values[1] = vec4(HALVES(words.z), HALVES(words.w));
    } else {
        [[unroll]] for (uint i = 0u; i < 8u; ++i) {
            const uint column = 8u * chunk + i;
            const uint element = row.first + column;
            values[i / 4u][i % 4u] =
                column < row.columns ? HALVES(U32(row.data).v[element / 2u])[element % 2u] : 0.0;
        }
    }
}
