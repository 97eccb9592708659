#version 450
// y[r, c] = silu(gate[r, c]) * up[r, c], silu(z) = z / (1 + e^-z)
//
// Workgroup (i, r): a workgroup's width of elements of row r. f32 throughout. Source: arXiv:2002.05202.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/activation.glsl"
#include "shaders/swiglu.h"

layout(push_constant) uniform Push { SwigluParams p; };

void main()
{
    const uint c = gl_GlobalInvocationID.x;
    if (c >= p.columns)
        return;
    F32 gate = F32(at(p.gate, gl_WorkGroupID.y, p.columns * 4u));
    F32 up = F32(at(p.up, gl_WorkGroupID.y, p.columns * 4u));
    F32 y = F32(at(p.y, gl_WorkGroupID.y, p.columns * 4u));
    y.v[c] = silu(gate.v[c]) * up.v[c];
}
