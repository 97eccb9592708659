#version 450
// y[q] = Σ_k softmax_k(scale · query[q]·key[k]) value[k], for each head, over every key of the medium.
//
// Workgroup (i, head): a tile of 32 queries, against the medium's keys in tiles of 32. An invocation
// owns 8 queries: their scores with 4 of a tile's keys, then every eighth element of their sums. What
// was summed is rescaled when a tile raises a query's maximum, so that memory doesn't grow with the
// medium. Sums in f32. Source: arXiv:2205.14135 (FlashAttention).
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/vit_attention.h"

layout(constant_id = 3) const uint kHeadQuads = 18; // head dimension / 4

layout(push_constant) uniform Push { VitAttentionParams p; };

const uint kTile = 32u;               // queries, and keys at a time
const uint kOwnQueries = 8u;          // of an invocation
const uint kOwnKeys = 4u;             // of an invocation: k, k + 8, k + 16, k + 24
const uint kLanes = 8u;               // invocations that share their queries
const uint kStride = kHeadQuads | 1u; // quads from row to row of a tile: odd, so that rows lie in other banks
const uint kOwnElements = (kHeadQuads + 1u) / 2u; // of an invocation: e, e + 8, …

const float kLowest = -3.0e38;

shared vec4 queryTile[kTile * kStride];
shared vec4 tile[kTile * kStride + 1u]; // keys, then values; one more, as the last lane may read past a row
shared vec4 weightTile[kTile * 9u];     // (query, lane): the weights of the lane's four keys
shared float maxima[kTile * 9u];        // (query, lane)

// Quad i of a tile of this head's queries (part 0), keys (1) or values (2), from the medium's row
// `start` on; zeros beyond the medium.
vec4 load(uint part, uint start, uint i)
{
    const uint row = start + i / kHeadQuads;
    if (row >= p.count)
        return vec4(0.0);
    F32x4 source = F32x4(at(p.qkv, p.first + row, p.width * 12u));
    return source.v[part * (p.width / 4u) + gl_WorkGroupID.y * kHeadQuads + i % kHeadQuads];
}

void main()
{
    const uint lane = gl_LocalInvocationIndex % kLanes;
    const uint ownQuery = gl_LocalInvocationIndex / kLanes * kOwnQueries;
    const uint queryStart = gl_WorkGroupID.x * kTile;
    const uint tileQuads = kTile * kHeadQuads;

    for (uint i = gl_LocalInvocationIndex; i < tileQuads; i += gl_WorkGroupSize.x)
        queryTile[i / kHeadQuads * kStride + i % kHeadQuads] =
            load(0u, queryStart, i) * p.scale;

    float sums[kOwnQueries][kOwnElements]; // of weight · value
    float total[kOwnQueries];              // of the weights of this lane's keys
    float highest[kOwnQueries];
    [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q) {
        total[q] = 0.0;
        highest[q] = kLowest;
        [[unroll]] for (uint e = 0u; e < kOwnElements; ++e)
            sums[q][e] = 0.0;
    }

    for (uint start = 0u; start < p.count; start += kTile) {
        barrier(); // the tile before is done with
        for (uint i = gl_LocalInvocationIndex; i < tileQuads; i += gl_WorkGroupSize.x)
            tile[i / kHeadQuads * kStride + i % kHeadQuads] = load(1u, start, i);
        barrier();

        float scores[kOwnQueries][kOwnKeys];
        [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q)
            [[unroll]] for (uint k = 0u; k < kOwnKeys; ++k)
                scores[q][k] = start + lane + k * kLanes < p.count ? 0.0 : kLowest;
        for (uint d = 0u; d < kHeadQuads; ++d) {
            vec4 key[kOwnKeys];
            [[unroll]] for (uint k = 0u; k < kOwnKeys; ++k)
                key[k] = tile[(lane + k * kLanes) * kStride + d];
            [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q) {
                const vec4 query = queryTile[(ownQuery + q) * kStride + d];
                [[unroll]] for (uint k = 0u; k < kOwnKeys; ++k)
                    scores[q][k] += dot(query, key[k]);
            }
        }
        [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q)
            maxima[(ownQuery + q) * 9u + lane] =
                max(max(scores[q][0], scores[q][1]), max(scores[q][2], scores[q][3]));
        barrier();

        for (uint i = gl_LocalInvocationIndex; i < tileQuads; i += gl_WorkGroupSize.x)
            tile[i / kHeadQuads * kStride + i % kHeadQuads] = load(2u, start, i);
        [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q) {
            float high = highest[q];
            [[unroll]] for (uint l = 0u; l < kLanes; ++l)
                high = max(high, maxima[(ownQuery + q) * 9u + l]);
            const float shrink = exp2(highest[q] - high);
            highest[q] = high;
            const vec4 weights = exp2(vec4(scores[q][0], scores[q][1], scores[q][2], scores[q][3]) - high);
            weightTile[(ownQuery + q) * 9u + lane] = weights;
            total[q] = total[q] * shrink + (weights.x + weights.y + weights.z + weights.w);
            [[unroll]] for (uint e = 0u; e < kOwnElements; ++e)
                sums[q][e] *= shrink;
        }
        barrier();

        for (uint l = 0u; l < kLanes; ++l) {
            vec4 weights[kOwnQueries];
            [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q)
                weights[q] = weightTile[(ownQuery + q) * 9u + l];
            [[unroll]] for (uint k = 0u; k < kOwnKeys; ++k) {
                [[unroll]] for (uint e = 0u; e < kOwnElements; ++e) {
                    const uint element = lane + e * kLanes;
                    const float value = tile[(l + k * kLanes) * kStride + element / 4u][element % 4u];
                    [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q)
                        sums[q][e] += weights[q][k] * value;
                }
            }
        }
    }

    [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q)
        maxima[(ownQuery + q) * 9u + lane] = total[q];
    barrier();
    [[unroll]] for (uint q = 0u; q < kOwnQueries; ++q) {
        float all = 0.0;
        [[unroll]] for (uint l = 0u; l < kLanes; ++l)
            all += maxima[(ownQuery + q) * 9u + l];
        const uint query = queryStart + ownQuery + q;
        if (query >= p.count)
            continue;
        F32 y = F32(at(p.y, p.first + query, p.width * 4u));
        [[unroll]] for (uint e = 0u; e < kOwnElements; ++e) {
            const uint element = lane + e * kLanes;
            if (element < kHeadQuads * 4u)
                y.v[gl_WorkGroupID.y * kHeadQuads * 4u + element] = sums[q][e] / all;
        }
    }
}
