#version 450
// y[r, c] = x[r, c] / sqrt(mean_c(x[r, c]²) + epsilon) * weight[c]
//
// One workgroup for each row r. Sums in f32, as the reference does
// (modeling_deepseek.py, DeepseekV3RMSNorm).
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/reduce.glsl"
#include "shaders/rms_norm.h"

layout(push_constant) uniform Push { RmsNormParams p; };

void main()
{
    F32 x = F32(at(p.x, gl_WorkGroupID.x, p.columns * 4u));
    F32 y = F32(at(p.y, gl_WorkGroupID.x, p.columns * 4u));
    F32 weight = F32(p.weight);

    float sumOfSquares = 0.0;
    for (uint c = gl_LocalInvocationID.x; c < p.columns; c += gl_WorkGroupSize.x)
        sumOfSquares += x.v[c] * x.v[c];

    const float scale = 1.0 / sqrt(workgroupSum(sumOfSquares) / float(p.columns) + p.epsilon);

    for (uint c = gl_LocalInvocationID.x; c < p.columns; c += gl_WorkGroupSize.x)
        y.v[c] = x.v[c] * scale * weight.v[c];
}
