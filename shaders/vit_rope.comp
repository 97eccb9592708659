#version 450
// For each pair of neighbours (a, b) of every query and key head, turned in place:
// (a, b) = (a cos - b sin, a sin + b cos), with the cosine and sine of the patch and the pair's place in its head.
//
// Workgroup (i, r): a workgroup's width of pairs of row r; a row has `width` of them, half in its
// queries and half in its keys. f32 throughout. Source: MoonViT's Rope2DPosEmb, arXiv:2504.07491.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/vit_rope.h"

layout(push_constant) uniform Push { VitRopeParams p; };

void main()
{
    const uint pair = gl_GlobalInvocationID.x;
    if (pair >= p.width)
        return;
    F32 row = F32(at(p.qkv, gl_WorkGroupID.y, p.width * 12u));
    F32 cosines = F32(at(p.cosines, gl_WorkGroupID.y, p.headPairs * 4u));
    F32 sines = F32(at(p.sines, gl_WorkGroupID.y, p.headPairs * 4u));

    const uint place = pair % p.headPairs;
    const float c = cosines.v[place];
    const float s = sines.v[place];
    const float a = row.v[2u * pair];
    const float b = row.v[2u * pair + 1u];
    row.v[2u * pair] = a * c - b * s;
    row.v[2u * pair + 1u] = a * s + b * c;
}
