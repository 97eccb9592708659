#version 450
// y[cell, corner, c] = mean over frames of x[frame, 2 · cellRow + corner / 2, 2 · cellColumn + corner % 2, c]
//
// Workgroup (i, corner, cell): a workgroup's width of elements of one corner of a 2 x 2 cell; cells go row by row.
// Sums in f32. Source: MoonViT's patch merger ("sd2_tpool"), arXiv:2504.07491.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/merge_patches.h"

layout(push_constant) uniform Push { MergePatchesParams p; };

void main()
{
    const uint c = gl_GlobalInvocationID.x;
    if (c >= p.width)
        return;
    const uint corner = gl_WorkGroupID.y;
    const uint cell = gl_WorkGroupID.z;
    const uint cellsInRow = p.columns / 2u;
    const uint row = 2u * (cell / cellsInRow) + corner / 2u;
    const uint column = 2u * (cell % cellsInRow) + corner % 2u;

    float sum = 0.0;
    for (uint frame = 0u; frame < p.frames; ++frame) {
        const uint patchIndex = (frame * p.rows + row) * p.columns + column;
        sum += F32(at(p.x, patchIndex, p.width * 4u)).v[c];
    }
    F32 y = F32(at(p.y, cell * 4u + corner, p.width * 4u));
    y.v[c] = sum / float(p.frames);
}
