// The body of the mla_query_… kernels; the including file defines loadWeightQuad(matrix, index): four
// consecutive weights, `index` counted in quads over the whole matrix.
//
// Workgroup (i, j, h): for head h and rows j · kRows …, the i-th width of quads of the latent part; the
// last i rotates the rope part instead. Each weight is read once for kRows rows. Sums in f32.
#include "shaders/include/rope.glsl"
#include "shaders/mla_query.h"

layout(constant_id = 3) const uint kRows = 1;
layout(constant_id = 4) const uint kNopeDim = 128; // as p.nopeDim, for the size of shared memory

layout(push_constant) uniform Push { MlaQueryParams p; };

shared float nope[kRows * kNopeDim]; // (row, n)

void rotateRope(uint head, uint row0)
{
    const uint pairs = p.ropeDim / 2u;
    for (uint i = gl_LocalInvocationID.x; i < kRows * pairs; i += gl_WorkGroupSize.x) {
        const uint row = row0 + i / pairs;
        const uint pair = i % pairs;
        if (row >= p.rows)
            break;
        const uint headWidth = p.nopeDim + p.ropeDim;
        F32 q = F32(at(p.q, row, p.heads * headWidth * 4u));
        F32 rope = F32(at(p.rope, p.position + row, p.ropeDim * 4u));
        F32 latent = F32(at(p.latent, row, p.heads * (p.rank + p.ropeDim) * 4u));
        const uint from = head * headWidth + p.nopeDim + 2u * pair;
        const vec2 turned = rotatePair(vec2(q.v[from], q.v[from + 1u]),
                                       vec2(rope.v[2u * pair], rope.v[2u * pair + 1u]));
        const uint to = head * (p.rank + p.ropeDim) + p.rank + 2u * pair;
        latent.v[to] = turned.x;
        latent.v[to + 1u] = turned.y;
    }
}

void main()
{
    const uint head = gl_WorkGroupID.z;
    const uint row0 = gl_WorkGroupID.y * kRows;
    const uint quads = p.rank / 4u;
    const uint quad0 = gl_WorkGroupID.x * gl_WorkGroupSize.x;
    if (quad0 >= quads) {
        rotateRope(head, row0);
        return;
    }

    for (uint i = gl_LocalInvocationID.x; i < kRows * kNopeDim; i += gl_WorkGroupSize.x) {
        const uint row = min(row0 + i / kNopeDim, p.rows - 1u);
        nope[i] = F32(at(p.q, row, p.heads * (p.nopeDim + p.ropeDim) * 4u))
                      .v[head * (p.nopeDim + p.ropeDim) + i % kNopeDim];
    }
    barrier();
    const uint quad = quad0 + gl_LocalInvocationID.x;
    if (quad >= quads)
        return;

    vec4 sums[kRows];
    for (uint r = 0u; r < kRows; ++r)
        sums[r] = vec4(0.0);
    const uvec2 weights = at(p.kvUp, head * p.headRows, p.rank * kWeightBytes);
    for (uint n = 0u; n < kNopeDim; ++n) {
        const vec4 w = loadWeightQuad(weights, n * quads + quad);
        for (uint r = 0u; r < kRows; ++r)
            sums[r] += nope[r * kNopeDim + n] * w;
    }
    for (uint r = 0u; r < kRows; ++r) {
        if (row0 + r >= p.rows)
            break;
        F32 latent = F32(at(p.latent, row0 + r, p.heads * (p.rank + p.ropeDim) * 4u));
        const uint to = head * (p.rank + p.ropeDim) + 4u * quad;
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            latent.v[to + i] = sums[r][i];
    }
}
