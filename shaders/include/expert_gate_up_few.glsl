// The body of the expert_gate_up_few_… kernels; the including file has loaded a weight format.
//
// Workgroup (i, s): outputs i · height · kOutputs … of slot s, by lines of invocations as in
// matmul_few.glsl, gate and up together. f32 throughout.
#include "shaders/expert_mlp.h"
#include "shaders/include/activation.glsl"
#include "shaders/include/expert_table.glsl"

layout(constant_id = 3) const uint kOutputs = 1; // of an invocation

layout(push_constant) uniform Push { ExpertMlpParams p; };

const uint kSums = 2u * kOutputs;
#include "shaders/include/line_sums.glsl"

void main()
{
    const uint lane = gl_LocalInvocationID.x;
    const uint output0 = (gl_WorkGroupID.x * gl_WorkGroupSize.y + gl_LocalInvocationID.y) * kOutputs;
    const uint slot = gl_WorkGroupID.y;
    const uint expert = U32(p.ids).v[slot];
    const uvec2 x = at(p.x, slot / p.chosen, p.hidden * 4u);

    WeightRow weights[kSums];
    float own[kSums];
    for (uint o = 0u; o < kOutputs; ++o) {
        const uint row = min(output0 + o, p.intermediate - 1u);
        weights[2u * o] = expertRow(p.table, expert, kGate, row, p.hidden);
        weights[2u * o + 1u] = expertRow(p.table, expert, kUp, row, p.hidden);
        own[2u * o] = 0.0;
        own[2u * o + 1u] = 0.0;
    }
    const uint chunks = (p.hidden + kChunk - 1u) / kChunk;
    for (uint chunk = lane; chunk < chunks; chunk += gl_WorkGroupSize.x) {
        vec4 v[kChunk / 4u];
        [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
            v[q] = loadQuad(x, chunk * (kChunk / 4u) + q, p.hidden);
        for (uint s = 0u; s < kSums; ++s) {
            vec4 w[kChunk / 4u];
            loadChunk(weights[s], chunk, w);
            [[unroll]] for (uint q = 0u; q < kChunk / 4u; ++q)
                own[s] += dot(w[q], v[q]);
        }
    }

    addLines(own);
    for (uint o = lane; o < kOutputs; o += gl_WorkGroupSize.x) {
        if (output0 + o < p.intermediate)
            F32(at(p.inner, slot, p.intermediate * 4u)).v[output0 + o] =
                silu(lineSum[lineStart() + 2u * o]) * lineSum[lineStart() + 2u * o + 1u];
    }
}
