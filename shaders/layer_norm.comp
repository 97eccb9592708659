#version 450
// y[r, c] = (x[r, c] - mean_r) / sqrt(variance_r + epsilon) * weight[c] + bias[c]
//
// One workgroup for each row r. Mean first, then the squares of what is left, so that a row far from
// zero keeps its variance; sums in f32. Source: arXiv:1607.06450.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/reduce.glsl"
#include "shaders/layer_norm.h"

layout(push_constant) uniform Push { LayerNormParams p; };

void main()
{
    F32 x = F32(at(p.x, gl_WorkGroupID.x, p.columns * 4u));
    F32 y = F32(at(p.y, gl_WorkGroupID.x, p.columns * 4u));
    F32 weight = F32(p.weight);
    F32 bias = F32(p.bias);

    float sum = 0.0;
    for (uint c = gl_LocalInvocationID.x; c < p.columns; c += gl_WorkGroupSize.x)
        sum += x.v[c];
    const float mean = workgroupSum(sum) / float(p.columns);

    float squares = 0.0;
    for (uint c = gl_LocalInvocationID.x; c < p.columns; c += gl_WorkGroupSize.x) {
        const float away = x.v[c] - mean;
        squares += away * away;
    }
    const float scale = 1.0 / sqrt(workgroupSum(squares) / float(p.columns) + p.epsilon);

    for (uint c = gl_LocalInvocationID.x; c < p.columns; c += gl_WorkGroupSize.x)
        y.v[c] = (x.v[c] - mean) * scale * weight.v[c] + bias.v[c];
}
