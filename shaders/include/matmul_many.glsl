// The body of the matmul_many_… kernels; the including file has loaded a weight format.
//
// Workgroup (i, j, z): a tile of kTileOutputs outputs by kTileRows rows of product z, by tile.glsl. f32
// throughout.
#include "shaders/include/tile.glsl"
#include "shaders/matmul.h"

layout(push_constant) uniform Push { MatmulParams p; };

void loadTiles(uint output0, uint row0, uint column0)
{
    for (uint i = gl_LocalInvocationIndex; i < kTileOutputs * kChunksDeep; i += kInvocations) {
        const uint o = i / kChunksDeep;
        const uint chunk = column0 / kChunk + i % kChunksDeep;
        vec4 values[kChunk / 4u];
        if (output0 + o < p.outputs && chunk * kChunk < p.columns) {
            const uint row = p.weightFirst + gl_WorkGroupID.z * p.weightBatch + output0 + o;
            loadChunk(weightRow(p.weight, p.scales, row, p.columns), chunk, values);
        } else {
            [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
                values[q] = vec4(0.0);
        }
        putWeights(o, i % kChunksDeep, values);
    }
    const uvec2 x = at(p.x, gl_WorkGroupID.z, p.xBatch * 4u);
    for (uint i = gl_LocalInvocationIndex; i < kTileRows * kQuadsDeep; i += kInvocations) {
        const uint r = i / kQuadsDeep;
        const uint quad = column0 / 4u + i % kQuadsDeep;
        vec4 values = vec4(0.0);
        if (row0 + r < p.rows && quad * 4u < p.columns)
            values = loadQuad(at(x, row0 + r, p.xStride * 4u), quad, p.columns);
        putInputs(r, i % kQuadsDeep, values);
    }
}

void main()
{
    const uint output0 = gl_WorkGroupID.x * kTileOutputs;
    const uint row0 = gl_WorkGroupID.y * kTileRows;
    clearOwn();
    for (uint column0 = 0u; column0 < p.columns; column0 += kDepth) {
        barrier();
        loadTiles(output0, row0, column0);
        barrier();
        addTile();
    }

    for (uint r = 0u; r < kRowQuads * 4u; ++r) {
        const uint row = row0 + tileRow(r);
        if (row >= p.rows)
            continue;
        F32 y = F32(at(at(p.y, gl_WorkGroupID.z, p.yBatch * 4u), row, p.yStride * 4u));
        for (uint o = 0u; o < kOutputQuads; ++o) {
            [[unroll]] for (uint i = 0u; i < 4u; ++i) {
                const uint column = output0 + tileOutput(o) + i;
                if (column >= p.outputs)
                    continue;
                const float sum = own[r][o][i] + (isNull(p.bias) ? 0.0 : F32(p.bias).v[column]);
                y.v[column] = p.accumulate != 0u ? y.v[column] + sum : sum;
            }
        }
    }
}
