// The body of the expert_down_many_… kernels; the including file has loaded a weight format.
//
// Workgroup (i, j): tile j of an expert's slots, by tile.glsl. f32 throughout.
#include "shaders/expert_mlp.h"
#include "shaders/include/expert_table.glsl"
#include "shaders/include/tile.glsl"

layout(push_constant) uniform Push { ExpertMlpParams p; };

void loadTiles(uvec4 tile, uint output0, uint column0)
{
    for (uint i = gl_LocalInvocationIndex; i < kTileOutputs * kChunksDeep; i += kInvocations) {
        const uint row = output0 + i / kChunksDeep;
        const uint chunk = column0 / kChunk + i % kChunksDeep;
        vec4 values[kChunk / 4u];
        if (row < p.hidden && chunk * kChunk < p.intermediate) {
            loadChunk(expertRow(p.table, tile.x, kDown, row, p.intermediate), chunk, values);
        } else {
            [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
                values[q] = vec4(0.0);
        }
        putWeights(i / kChunksDeep, i % kChunksDeep, values);
    }
    for (uint i = gl_LocalInvocationIndex; i < kTileRows * kQuadsDeep; i += kInvocations) {
        const uint r = i / kQuadsDeep;
        const uint quad = column0 / 4u + i % kQuadsDeep;
        vec4 values = vec4(0.0);
        if (r < tile.z && quad * 4u < p.intermediate) {
            const uint slot = U32(p.order).v[tile.y + r];
            values = loadQuad(at(p.inner, slot, p.intermediate * 4u), quad, p.intermediate);
        }
        putInputs(r, i % kQuadsDeep, values);
    }
}

void main()
{
    const uvec4 tile = U32x4(p.tiles).v[gl_WorkGroupID.y];
    if (tile.z == 0u)
        return;
    const uint output0 = gl_WorkGroupID.x * kTileOutputs;
    clearOwn();
    for (uint column0 = 0u; column0 < p.intermediate; column0 += kDepth) {
        barrier();
        loadTiles(tile, output0, column0);
        barrier();
        if (tileRow(0u) < tile.z)
            addTile();
    }

    for (uint r = 0u; r < kRowQuads * 4u; ++r) {
        if (tileRow(r) >= tile.z)
            continue;
        F32 parts = F32(at(p.parts, U32(p.order).v[tile.y + tileRow(r)], p.hidden * 4u));
        for (uint o = 0u; o < kOutputQuads; ++o) {
            [[unroll]] for (uint i = 0u; i < 4u; ++i) {
                const uint column = output0 + tileOutput(o) + i;
                if (column < p.hidden)
                    parts.v[column] = own[r][o][i];
            }
        }
    }
}
