// The body of the matmul_many_… kernels; the including file has loaded a weight format.
//
// Workgroup (i, j, z): a tile of kTileOutputs outputs by kTileRows rows of product z. It takes kDepth
// columns at a time into shared memory, expanded and turned so that an invocation reads four outputs
// or rows at once, and adds kOutputQuads x kRowQuads tiles of 4 x 4 in registers. f32 throughout.
#include "shaders/matmul.h"

layout(constant_id = 3) const uint kOutputQuads = 1; // of an invocation
layout(constant_id = 4) const uint kRowQuads = 1;    // of an invocation

layout(push_constant) uniform Push { MatmulParams p; };

const uint kDepth = 32u;
const uint kTileOutputs = gl_WorkGroupSize.x * kOutputQuads * 4u;
const uint kTileRows = gl_WorkGroupSize.y * kRowQuads * 4u;
const uint kInvocations = gl_WorkGroupSize.x * gl_WorkGroupSize.y;

shared vec4 weightTile[kDepth * kTileOutputs / 4u]; // (column, output / 4)
shared vec4 inputTile[kDepth * kTileRows / 4u];     // (column, row / 4)

void loadWeights(uint yColumn0, uint column0)
{
    const uint perRow = kDepth / kChunk;
    for (uint i = gl_LocalInvocationIndex; i < kTileOutputs * perRow; i += kInvocations) {
        const uint o = i / perRow;
        const uint chunk = column0 / kChunk + i % perRow;
        vec4 values[kChunk / 4u];
        if (yColumn0 + o < p.outputs && chunk * kChunk < p.columns) {
            const uint row = p.weightFirst + gl_WorkGroupID.z * p.weightBatch + yColumn0 + o;
            loadChunk(weightRow(p.weight, p.scales, row, p.columns), chunk, values);
        } else {
            [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
                values[q] = vec4(0.0);
        }
        [[unroll]] for (uint c = 0u; c < kChunk; ++c)
            weightTile[(i % perRow * kChunk + c) * (kTileOutputs / 4u) + o / 4u][o % 4u] = values[c / 4u][c % 4u];
    }
}

void loadInputs(uint row0, uint column0)
{
    const uvec2 x = at(p.x, gl_WorkGroupID.z, p.xBatch * 4u);
    for (uint i = gl_LocalInvocationIndex; i < kTileRows * (kDepth / 4u); i += kInvocations) {
        const uint r = i / (kDepth / 4u);
        const uint quad = column0 / 4u + i % (kDepth / 4u);
        vec4 values = vec4(0.0);
        if (row0 + r < p.rows && quad * 4u < p.columns)
            values = loadQuad(at(x, row0 + r, p.xStride * 4u), quad, p.columns);
        [[unroll]] for (uint c = 0u; c < 4u; ++c)
            inputTile[(i % (kDepth / 4u) * 4u + c) * (kTileRows / 4u) + r / 4u][r % 4u] = values[c];
    }
}

void store(uint yColumn, uint row, float sum)
{
    if (yColumn >= p.outputs || row >= p.rows)
        return;
    F32 y = F32(at(at(p.y, gl_WorkGroupID.z, p.yBatch * 4u), row, p.yStride * 4u));
    if (!isNull(p.bias))
        sum += F32(p.bias).v[yColumn];
    y.v[yColumn] = p.accumulate != 0u ? y.v[yColumn] + sum : sum;
}

void main()
{
    const uint yColumn0 = gl_WorkGroupID.x * kTileOutputs;
    const uint row0 = gl_WorkGroupID.y * kTileRows;
    // Quads of an invocation lie a workgroup's width apart, so that neighbours read neighbouring quads.
    vec4 own[kRowQuads * 4u][kOutputQuads];
    for (uint r = 0u; r < kRowQuads * 4u; ++r) {
        for (uint o = 0u; o < kOutputQuads; ++o)
            own[r][o] = vec4(0.0);
    }

    for (uint column0 = 0u; column0 < p.columns; column0 += kDepth) {
        barrier();
        loadWeights(yColumn0, column0);
        loadInputs(row0, column0);
        barrier();
        for (uint c = 0u; c < kDepth; ++c) {
            vec4 w[kOutputQuads];
            for (uint o = 0u; o < kOutputQuads; ++o)
                w[o] = weightTile[c * (kTileOutputs / 4u) + o * gl_WorkGroupSize.x + gl_LocalInvocationID.x];
            for (uint q = 0u; q < kRowQuads; ++q) {
                const vec4 x =
                    inputTile[c * (kTileRows / 4u) + q * gl_WorkGroupSize.y + gl_LocalInvocationID.y];
                for (uint o = 0u; o < kOutputQuads; ++o) {
                    [[unroll]] for (uint i = 0u; i < 4u; ++i)
                        own[q * 4u + i][o] += x[i] * w[o];
                }
            }
        }
    }

    for (uint r = 0u; r < kRowQuads * 4u; ++r) {
        const uint row = row0 + (r / 4u * gl_WorkGroupSize.y + gl_LocalInvocationID.y) * 4u + r % 4u;
        for (uint o = 0u; o < kOutputQuads; ++o) {
            [[unroll]] for (uint i = 0u; i < 4u; ++i)
                store(yColumn0 + (o * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 4u + i, row, own[r][o][i]);
        }
    }
}
