// The body of the mla_attention_… kernels; the including file has loaded a cache type.
//
// Workgroup (i, s): height · kOwn queries (a query is a head of a row) against part s of the keys. A line
// of invocations holds kOwn queries, each invocation every width-th quad of their elements and of their
// sums; all queries of the workgroup read the same keys, which so come from memory once. The line adds up
// kKeys scores at a time, and what was summed before is rescaled where the largest score rises. f32
// throughout.
#include "shaders/mla_attention.h"

layout(constant_id = 3) const uint kOwn = 2;        // queries of an invocation
layout(constant_id = 4) const uint kWidthQuads = 9; // ceil(width / 4 / lanes)
layout(constant_id = 5) const uint kRankQuads = 8;  // ceil(rank / 4 / lanes)

layout(push_constant) uniform Push { MlaAttentionParams p; };

const uint kKeys = 8u;
const float kLowest = -3.0e38;
const uint kLanes = gl_WorkGroupSize.x;
const uint kQueries = gl_WorkGroupSize.y * kOwn;

shared float partial[kKeys * kQueries * kLanes]; // (key, query, lane)
shared float scores[kKeys * kQueries];           // (key, query)

// Of this invocation's queries.
vec4 query[kOwn][kWidthQuads];
vec4 sums[kOwn][kRankQuads];
float largest[kOwn]; // score so far
float weight[kOwn];  // sum of the weights
float factors[kOwn][kKeys];

uint lineQuery(uint o)
{
    return gl_LocalInvocationID.y * kOwn + o;
}

uint firstQuery()
{
    return gl_WorkGroupID.x * kQueries;
}

void loadQueries()
{
    for (uint o = 0u; o < kOwn; ++o) {
        const uvec2 row = at(p.latent, min(firstQuery() + lineQuery(o), p.queries - 1u), p.width * 4u);
        for (uint i = 0u; i < kWidthQuads; ++i) {
            const uint quad = i * kLanes + gl_LocalInvocationID.x;
            query[o][i] = quad < p.width / 4u ? F32x4(row).v[quad] * p.scale : vec4(0.0);
        }
        for (uint i = 0u; i < kRankQuads; ++i)
            sums[o][i] = vec4(0.0);
        largest[o] = kLowest;
        weight[o] = 0.0;
    }
}

// This invocation's part of the scores of the keys from key0 on; keys at `end` or later repeat the last.
void multiplyKeys(uint key0, uint end)
{
    for (uint k = 0u; k < kKeys; ++k) {
        float dots[kOwn];
        for (uint o = 0u; o < kOwn; ++o)
            dots[o] = 0.0;
        const uvec2 row = at(p.cache, min(key0 + k, end - 1u), p.width * kCacheBytes);
        for (uint i = 0u; i < kWidthQuads; ++i) {
            const uint quad = i * kLanes + gl_LocalInvocationID.x;
            if (quad >= p.width / 4u)
                continue;
            const vec4 key = loadCacheQuad(row, quad);
            for (uint o = 0u; o < kOwn; ++o)
                dots[o] += dot(query[o][i], key);
        }
        for (uint o = 0u; o < kOwn; ++o)
            partial[(k * kQueries + lineQuery(o)) * kLanes + gl_LocalInvocationID.x] = dots[o];
    }
}

// Adds up the line's scores, and drops those of keys that a query doesn't see.
void addScores(uint key0, uint end)
{
    for (uint i = gl_LocalInvocationID.x; i < kKeys * kOwn; i += kLanes) {
        const uint k = i % kKeys;
        const uint q = lineQuery(i / kKeys);
        float score = 0.0;
        for (uint l = 0u; l < kLanes; ++l)
            score += partial[(k * kQueries + q) * kLanes + l];
        const uint seen = p.position + (firstQuery() + q) / p.heads + 1u;
        scores[k * kQueries + q] = key0 + k < min(seen, end) ? score : kLowest;
    }
}

// The keys' weights relative to the largest score so far, to which all sums are rescaled.
void weighKeys()
{
    for (uint o = 0u; o < kOwn; ++o) {
        const float before = largest[o];
        for (uint k = 0u; k < kKeys; ++k)
            largest[o] = max(largest[o], scores[k * kQueries + lineQuery(o)]);
        const float rescale = exp(before - largest[o]);
        weight[o] *= rescale;
        for (uint i = 0u; i < kRankQuads; ++i)
            sums[o][i] *= rescale;
        for (uint k = 0u; k < kKeys; ++k) {
            const float score = scores[k * kQueries + lineQuery(o)];
            factors[o][k] = score > kLowest ? exp(score - largest[o]) : 0.0;
            weight[o] += factors[o][k];
        }
    }
}

void addValues(uint key0, uint end)
{
    for (uint k = 0u; k < kKeys; ++k) {
        const uvec2 row = at(p.cache, min(key0 + k, end - 1u), p.width * kCacheBytes);
        for (uint i = 0u; i < kRankQuads; ++i) {
            const uint quad = i * kLanes + gl_LocalInvocationID.x;
            if (quad >= p.rank / 4u)
                continue;
            const vec4 value = loadCacheQuad(row, quad);
            for (uint o = 0u; o < kOwn; ++o)
                sums[o][i] += factors[o][k] * value;
        }
    }
}

void store()
{
    const bool whole = isNull(p.weights);
    for (uint o = 0u; o < kOwn; ++o) {
        const uint q = firstQuery() + lineQuery(o);
        if (q >= p.queries)
            break;
        const uint row = gl_WorkGroupID.y * p.queries + q;
        F32 target = F32(at(p.sums, row, p.rank * 4u));
        const float factor = whole ? 1.0 / weight[o] : 1.0;
        for (uint i = 0u; i < kRankQuads; ++i) {
            const uint quad = i * kLanes + gl_LocalInvocationID.x;
            if (quad >= p.rank / 4u)
                continue;
            [[unroll]] for (uint c = 0u; c < 4u; ++c)
                target.v[quad * 4u + c] = sums[o][i][c] * factor;
        }
        if (!whole && gl_LocalInvocationID.x == 0u) {
            F32 weights = F32(at(p.weights, row, 8u));
            weights.v[0] = largest[o];
            weights.v[1] = weight[o];
        }
    }
}

void main()
{
    loadQueries();
    // Keys 0 … position + row are seen; the workgroup goes as far as its last query does.
    const uint lastQuery = min(firstQuery() + kQueries, p.queries) - 1u;
    const uint end = min((gl_WorkGroupID.y + 1u) * p.partKeys, p.position + lastQuery / p.heads + 1u);
    for (uint key0 = gl_WorkGroupID.y * p.partKeys; key0 < end; key0 += kKeys) {
        multiplyKeys(key0, end);
        barrier();
        addScores(key0, end);
        barrier();
        weighKeys();
        addValues(key0, end);
    }
    store();
}
