#version 450
// starts[e] = Σ_{e' < e} n(e'), n(e) the slots that chose expert e; and tiles of at most tileRows slots
//
// One workgroup. Counting is by integers, so its order doesn't matter; each invocation then goes through
// its share of the experts.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/expert_mlp.h"

layout(push_constant) uniform Push { ExpertMlpParams p; };

const uint kMostExperts = 1024u;
shared uint counts[kMostExperts];
shared uint slotsBefore[gl_WorkGroupSize.x]; // of the shares before an invocation's
shared uint tilesBefore[gl_WorkGroupSize.x];

void main()
{
    const uint lane = gl_LocalInvocationID.x;
    for (uint e = lane; e < p.experts; e += gl_WorkGroupSize.x)
        counts[e] = 0u;
    barrier();
    for (uint s = lane; s < p.slots; s += gl_WorkGroupSize.x)
        atomicAdd(counts[U32(p.ids).v[s]], 1u);
    barrier();

    const uint share = (p.experts + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    const uint first = min(lane * share, p.experts);
    const uint last = min(first + share, p.experts);
    uint ownSlots = 0u;
    uint ownTiles = 0u;
    for (uint e = first; e < last; ++e) {
        ownSlots += counts[e];
        ownTiles += (counts[e] + p.tileRows - 1u) / p.tileRows;
    }
    slotsBefore[lane] = ownSlots;
    tilesBefore[lane] = ownTiles;
    barrier();
    uint place = 0u;
    uint tile = 0u;
    uint tiles = 0u; // of all
    for (uint other = 0u; other < gl_WorkGroupSize.x; ++other) {
        place += other < lane ? slotsBefore[other] : 0u;
        tile += other < lane ? tilesBefore[other] : 0u;
        tiles += tilesBefore[other];
    }

    U32 list = U32(p.tiles);
    for (uint e = first; e < last; ++e) {
        U32(p.starts).v[e] = place;
        for (uint done = 0u; done < counts[e]; done += p.tileRows) {
            list.v[4u * tile] = e;
            list.v[4u * tile + 1u] = place + done;
            list.v[4u * tile + 2u] = min(p.tileRows, counts[e] - done);
            list.v[4u * tile + 3u] = 0u;
            ++tile;
        }
        place += counts[e];
    }
    if (lane == 0u)
        U32(p.starts).v[p.experts] = p.slots;
    for (uint i = 4u * tiles + lane; i < 4u * p.tileCount; i += gl_WorkGroupSize.x)
        list.v[i] = 0u;
}
