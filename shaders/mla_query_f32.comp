#version 450
// latent[t, h] = [ q_nope[t, h] · Wk[h] | rope(q_pe[t, h]) ], kv_b_proj in F32:
// shaders/include/mla_query.glsl says how. Source: DeepSeek-V2 report, arXiv:2405.04434, section 2.1.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"

const uint kWeightBytes = 4u;

vec4 loadWeightQuad(uvec2 matrix, uint index)
{
    return F32x4(matrix).v[index];
}

#include "shaders/include/mla_query.glsl"
