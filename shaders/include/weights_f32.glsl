// F32 weights as they are.
#include "shaders/include/weights.glsl"

const uint kChunk = 4u;

WeightRow weightRow(uvec2 data, uvec2 scales, uint row, uint columns)
{
    return WeightRow(at(data, row, columns * 4u), scales, 0u, columns);
}

void loadChunk(WeightRow row, uint chunk, out vec4 values[kChunk / 4u])
{
    values[0] = loadQuad(row.data, chunk, row.columns);
}
