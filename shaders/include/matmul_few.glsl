// The body of the matmul_few_… kernels; the including file has loaded a weight format.
//
// Workgroup (i, j, z): outputs i · height · kOutputs … of rows j · kRows … of product z. An invocation
// walks every width-th chunk of the rows of kOutputs weights, so that neighbours read neighbouring 16
// bytes, and multiplies each with kRows rows of x; the sums of a line of invocations are then added
// in a tree. Weights are read once, f32 throughout.
#include "shaders/matmul.h"

layout(constant_id = 3) const uint kOutputs = 2; // of an invocation
layout(constant_id = 4) const uint kRows = 1;    // of x, read by every invocation

layout(push_constant) uniform Push { MatmulParams p; };

const uint kSums = kOutputs * kRows;
#include "shaders/include/line_sums.glsl"

void main()
{
    const uint lane = gl_LocalInvocationID.x;
    const uint line = gl_LocalInvocationID.y;
    const uint yColumn0 = (gl_WorkGroupID.x * gl_WorkGroupSize.y + line) * kOutputs;
    const uint row0 = gl_WorkGroupID.y * kRows;
    const uvec2 x = at(p.x, gl_WorkGroupID.z, p.xBatch * 4u);

    // Beyond the edges the last row is read again, and nothing is written.
    WeightRow weights[kOutputs];
    uvec2 inputs[kRows];
    for (uint o = 0u; o < kOutputs; ++o) {
        const uint yColumn = min(yColumn0 + o, p.outputs - 1u);
        weights[o] = weightRow(p.weight, p.scales, p.weightFirst + gl_WorkGroupID.z * p.weightBatch + yColumn,
                               p.columns);
    }
    for (uint r = 0u; r < kRows; ++r)
        inputs[r] = at(x, min(row0 + r, p.rows - 1u), p.xStride * 4u);

    float own[kSums];
    for (uint s = 0u; s < kSums; ++s)
        own[s] = 0.0;
    const uint chunks = (p.columns + kChunk - 1u) / kChunk;
    for (uint chunk = lane; chunk < chunks; chunk += gl_WorkGroupSize.x) {
        vec4 w[kOutputs][kChunk / 4u];
        for (uint o = 0u; o < kOutputs; ++o)
            loadChunk(weights[o], chunk, w[o]);
        for (uint r = 0u; r < kRows; ++r) {
            [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q) {
                const vec4 v = loadQuad(inputs[r], chunk * (kChunk / 4u) + q, p.columns);
                for (uint o = 0u; o < kOutputs; ++o)
                    own[o * kRows + r] += dot(w[o][q], v);
            }
        }
    }

    addLines(own);
    for (uint s = lane; s < kSums; s += gl_WorkGroupSize.x) {
        const uint yColumn = yColumn0 + s / kRows;
        const uint row = row0 + s % kRows;
        if (yColumn < p.outputs && row < p.rows) {
            F32 y = F32(at(at(p.y, gl_WorkGroupID.z, p.yBatch * 4u), row, p.yStride * 4u));
            float sum = lineSum[lineStart() + s];
            if (!isNull(p.bias))
                sum += F32(p.bias).v[yColumn];
            y.v[yColumn] = p.accumulate != 0u ? y.v[yColumn] + sum : sum;
        }
    }
}
