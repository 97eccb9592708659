#version 450
// latent[t, h] = [ q_nope[t, h] · Wk[h] | rope(q_pe[t, h]) ], kv_b_proj in BF16:
// shaders/include/mla_query.glsl says how. Source: DeepSeek-V2 report, arXiv:2405.04434, section 2.1.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/bf16.glsl"

const uint kWeightBytes = 2u;

vec4 loadWeightQuad(uvec2 matrix, uint index)
{
    const uvec2 words = U32x2(matrix).v[index];
    return vec4(bf16Halves(words.x), bf16Halves(words.y));
}

#include "shaders/include/mla_query.glsl"
