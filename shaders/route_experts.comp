#version 450
// s = sigmoid(z) or softmax(z), c = s + bias; of the keptGroups best groups (by the sum of their two
// largest c, or by the largest), the `chosen` experts with the largest c; w = scale · s [/ (Σ s + 1e-20)]
//
// Workgroup t: row t. An expert is chosen where fewer than `chosen` others beat it, which every invocation
// counts for its experts; equal ones rank by index, so the choice never depends on timing. f32.
// Source: DeepSeek-V3 report, arXiv:2412.19437, section 2.1.2.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/activation.glsl"
#include "shaders/include/reduce.glsl"
#include "shaders/route_experts.h"

layout(push_constant) uniform Push { RouteExpertsParams p; };

const uint kMostExperts = 1024u;
const float kDropped = -3.4028235e38; // below every score

shared float scores[kMostExperts];      // s
shared float choice[kMostExperts];      // c
shared float groupScores[kMostExperts];
shared uint isChosen[kMostExperts];

const uint kStep = gl_WorkGroupSize.x;

void loadScores()
{
    const uint lane = gl_LocalInvocationID.x;
    F32 z = F32(at(p.scores, gl_WorkGroupID.x, p.experts * 4u));
    float largest = kDropped;
    for (uint e = lane; e < p.experts; e += kStep)
        largest = max(largest, z.v[e]);
    float sum = 1.0;
    if (p.softmax != 0u) {
        largest = workgroupMax(largest);
        sum = 0.0;
        for (uint e = lane; e < p.experts; e += kStep)
            sum += exp(z.v[e] - largest);
        sum = workgroupSum(sum);
    }
    for (uint e = lane; e < p.experts; e += kStep) {
        scores[e] = p.softmax != 0u ? exp(z.v[e] - largest) / sum : sigmoid(z.v[e]);
        choice[e] = scores[e] + (isNull(p.bias) ? 0.0 : F32(p.bias).v[e]);
    }
}

// Experts of groups that are not kept rank behind all others.
void dropGroups()
{
    const uint size = p.experts / p.groups;
    for (uint g = gl_LocalInvocationID.x; g < p.groups; g += kStep) {
        float first = kDropped;
        float second = kDropped;
        for (uint e = g * size; e < (g + 1u) * size; ++e) {
            second = max(second, min(first, choice[e]));
            first = max(first, choice[e]);
        }
        groupScores[g] = p.groupByMax != 0u || size == 1u ? first : first + second;
    }
    barrier();
    for (uint e = gl_LocalInvocationID.x; e < p.experts; e += kStep) {
        const uint own = e / size;
        uint better = 0u;
        for (uint g = 0u; g < p.groups; ++g) {
            if (groupScores[g] > groupScores[own] || (groupScores[g] == groupScores[own] && g < own))
                ++better;
        }
        if (better >= p.keptGroups)
            choice[e] = kDropped;
    }
    barrier();
}

void main()
{
    const uint lane = gl_LocalInvocationID.x;
    loadScores();
    barrier();
    if (p.groups > 1u)
        dropGroups();

    float sum = 0.0;
    for (uint e = lane; e < p.experts; e += kStep) {
        uint better = 0u;
        for (uint other = 0u; other < p.experts; ++other) {
            if (choice[other] > choice[e] || (choice[other] == choice[e] && other < e))
                ++better;
        }
        isChosen[e] = better < p.chosen ? 1u : 0u;
        if (better < p.chosen)
            sum += scores[e];
    }
    const float factor = p.normalize != 0u ? p.scale / (workgroupSum(sum) + 1e-20) : p.scale;
    barrier();

    U32 ids = U32(at(p.ids, gl_WorkGroupID.x, p.chosen * 4u));
    F32 weights = F32(at(p.weights, gl_WorkGroupID.x, p.chosen * 4u));
    for (uint e = lane; e < p.experts; e += kStep) {
        uint place = 0u;
        for (uint other = 0u; other < e; ++other)
            place += isChosen[other];
        if (isChosen[e] == 1u && place < p.chosen) { // NaN may choose too many
            ids.v[place] = e;
            weights.v[place] = scores[e] * factor;
        }
    }
}
