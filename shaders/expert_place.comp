#version 450
// order[starts[e] + i] = the i-th slot that chose expert e
//
// Workgroup e. Each invocation looks through its share of all slots, first to count and then to place, so
// that the order is that of the slots.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/expert_mlp.h"

layout(push_constant) uniform Push { ExpertMlpParams p; };

shared uint found[gl_WorkGroupSize.x];

void main()
{
    const uint expert = gl_WorkGroupID.x;
    const uint lane = gl_LocalInvocationID.x;
    const uint start = U32(p.starts).v[expert];
    if (start == U32(p.starts).v[expert + 1u])
        return;
    U32 ids = U32(p.ids);
    const uint share = (p.slots + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    const uint first = min(lane * share, p.slots);
    const uint last = min(first + share, p.slots);
    uint own = 0u;
    for (uint s = first; s < last; ++s)
        own += ids.v[s] == expert ? 1u : 0u;
    found[lane] = own;
    barrier();

    uint place = start;
    for (uint other = 0u; other < lane; ++other)
        place += found[other];
    for (uint s = first; s < last; ++s) {
        if (ids.v[s] == expert)
            U32(p.order).v[place++] = s;
    }
}
