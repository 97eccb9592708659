// The body of the expert_down_few_… kernels; the including file has loaded a weight format.
//
// Workgroup (i, t): outputs i · height · kOutputs … of row t, over all its slots in turn, by lines of
// invocations as in matmul_few.glsl. f32 throughout.
#include "shaders/expert_mlp.h"
#include "shaders/include/expert_table.glsl"

layout(constant_id = 3) const uint kOutputs = 1; // of an invocation

layout(push_constant) uniform Push { ExpertMlpParams p; };

const uint kSums = kOutputs;
#include "shaders/include/line_sums.glsl"

void main()
{
    const uint lane = gl_LocalInvocationID.x;
    const uint output0 = (gl_WorkGroupID.x * gl_WorkGroupSize.y + gl_LocalInvocationID.y) * kOutputs;
    const uint row = gl_WorkGroupID.y;
    const uint chunks = (p.intermediate + kChunk - 1u) / kChunk;

    float own[kSums];
    for (uint o = 0u; o < kOutputs; ++o)
        own[o] = 0.0;
    for (uint k = 0u; k < p.chosen; ++k) {
        const uint slot = row * p.chosen + k;
        const uint expert = U32(p.ids).v[slot];
        const float weight = F32(p.weights).v[slot];
        const uvec2 inner = at(p.inner, slot, p.intermediate * 4u);
        WeightRow weights[kOutputs];
        for (uint o = 0u; o < kOutputs; ++o)
            weights[o] = expertRow(p.table, expert, kDown, min(output0 + o, p.hidden - 1u), p.intermediate);
        for (uint chunk = lane; chunk < chunks; chunk += gl_WorkGroupSize.x) {
            vec4 v[kChunk / 4u];
            [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
                v[q] = loadQuad(inner, chunk * (kChunk / 4u) + q, p.intermediate) * weight;
            for (uint o = 0u; o < kOutputs; ++o) {
                vec4 w[kChunk / 4u];
                loadChunk(weights[o], chunk, w);
                [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
                    own[o] += dot(w[q], v[q]);
            }
        }
    }

    addLines(own);
    for (uint o = lane; o < kOutputs; o += gl_WorkGroupSize.x) {
        if (output0 + o < p.hidden)
            F32(at(p.y, row, p.hidden * 4u)).v[output0 + o] += lineSum[lineStart() + o];
    }
}
