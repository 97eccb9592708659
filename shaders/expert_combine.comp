#version 450
// y[t] += Σ_k weights[t, k] · parts[t, k]
//
// Workgroup (i, t): a workgroup's width of elements of row t. f32, in the order of the choices.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/expert_mlp.h"

layout(push_constant) uniform Push { ExpertMlpParams p; };

void main()
{
    const uint row = gl_WorkGroupID.y;
    const uint c = gl_GlobalInvocationID.x;
    if (c >= p.hidden)
        return;
    float sum = 0.0;
    for (uint k = 0u; k < p.chosen; ++k) {
        const uint slot = row * p.chosen + k;
        sum += F32(p.weights).v[slot] * F32(at(p.parts, slot, p.hidden * 4u)).v[c];
    }
    F32(at(p.y, row, p.hidden * 4u)).v[c] += sum;
}
