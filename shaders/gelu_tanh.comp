#version 450
// y = x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), written as x · sigmoid of twice the argument, which
// is the same and neither overflows nor cancels.
//
// Workgroup (i, r): a workgroup's width of elements of row r. f32 throughout. Source: arXiv:1606.08415.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/activation.glsl"
#include "shaders/gelu.h"

layout(push_constant) uniform Push { GeluParams p; };

void main()
{
    const uint c = gl_GlobalInvocationID.x;
    if (c >= p.columns)
        return;
    F32 x = F32(at(p.x, gl_WorkGroupID.y, p.columns * 4u));
    F32 y = F32(at(p.y, gl_WorkGroupID.y, p.columns * 4u));
    const float z = x.v[c];
    y.v[c] = z * sigmoid(1.5957691216057308 * (z + 0.044715 * z * z * z));
}
