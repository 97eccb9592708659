// The body of the latent_cache_… kernels; the including file has loaded a cache type.
//
// Workgroup t: row t. The root mean square is over the latent alone, summed in f32.
#include "shaders/include/reduce.glsl"
#include "shaders/include/rope.glsl"
#include "shaders/latent_cache.h"

layout(push_constant) uniform Push { LatentCacheParams p; };

void main()
{
    const uint t = gl_WorkGroupID.x;
    const uint width = p.rank + p.ropeDim;
    F32 kv = F32(at(p.kv, t, width * 4u));
    F32 weight = F32(p.weight);
    F32 rope = F32(at(p.rope, p.position + t, p.ropeDim * 4u));
    const uvec2 cache = at(p.cache, p.position + t, width * kCacheBytes);

    float sumOfSquares = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < p.rank; i += gl_WorkGroupSize.x)
        sumOfSquares += kv.v[i] * kv.v[i];
    const float scale = 1.0 / sqrt(workgroupSum(sumOfSquares) / float(p.rank) + p.epsilon);

    for (uint i = 2u * gl_LocalInvocationID.x; i < width; i += 2u * gl_WorkGroupSize.x) {
        vec2 values = vec2(kv.v[i], kv.v[i + 1u]);
        if (i < p.rank)
            values *= scale * vec2(weight.v[i], weight.v[i + 1u]);
        else
            values = rotatePair(values, vec2(rope.v[i - p.rank], rope.v[i - p.rank + 1u]));
        storeCachePair(cache, i / 2u, values);
    }
}
