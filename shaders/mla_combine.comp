#version 450
// context[q] = Σ_s e^(m_s − m) sums_s[q] / Σ_s e^(m_s − m) w_s, m = max_s m_s, over the parts s of the keys
//
// Workgroup (i, q): a workgroup's width of elements of query q. f32. Source: arXiv:2205.14135.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/mla_attention.h"

layout(push_constant) uniform Push { MlaCombineParams p; };

void main()
{
    const uint q = gl_WorkGroupID.y;
    const uint c = gl_GlobalInvocationID.x;
    if (c >= p.rank)
        return;
    float largest = -3.0e38;
    for (uint s = 0u; s < p.parts; ++s)
        largest = max(largest, F32(at(p.weights, s * p.queries + q, 8u)).v[0]);
    float sum = 0.0;
    float weight = 0.0;
    for (uint s = 0u; s < p.parts; ++s) {
        F32 part = F32(at(p.weights, s * p.queries + q, 8u));
        const float factor = exp(part.v[0] - largest);
        weight += factor * part.v[1];
        sum += factor * F32(at(p.sums, s * p.queries + q, p.rank * 4u)).v[c];
    }
    F32(at(p.context, q, p.rank * 4u)).v[c] = sum / weight;
}
