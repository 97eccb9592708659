#version 450
// y = x/2 · (1 + erf(x / √2)), the exact GELU.
//
// Workgroup (i, r): a workgroup's width of elements of row r. f32 throughout. The complement of erf is
// Abramowitz and Stegun's 7.1.26, off by at most 1.5e-7. Source: arXiv:1606.08415.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/gelu.h"

layout(push_constant) uniform Push { GeluParams p; };

// 1 - erf(z) for z >= 0.
float complement(float z)
{
    const float t = 1.0 / (1.0 + 0.3275911 * z);
    const float polynomial =
        t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return polynomial * exp(-z * z);
}

void main()
{
    const uint c = gl_GlobalInvocationID.x;
    if (c >= p.columns)
        return;
    F32 x = F32(at(p.x, gl_WorkGroupID.y, p.columns * 4u));
    F32 y = F32(at(p.y, gl_WorkGroupID.y, p.columns * 4u));
    const float z = x.v[c];
    const float tail = 0.5 * complement(abs(z) * 0.70710678118654752); // share of the tail beyond |z|
    y.v[c] = z >= 0.0 ? z - z * tail : z * tail;
}
