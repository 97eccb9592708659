// Parameters of route_experts.comp; read by the shader and by engine/kernels/route_experts.cpp.
#ifndef PERILUNE_SHADERS_ROUTE_EXPERTS_H
#define PERILUNE_SHADERS_ROUTE_EXPERTS_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct RouteExpertsParams {
    Address scores;  // (rows, experts) f32: x · Wᵀ, before sigmoid or softmax
    Address bias;    // (experts) f32, or 0
    Address ids;     // (rows, chosen) u32
    Address weights; // (rows, chosen) f32
    uint experts;    // at most 1024
    uint chosen;
    uint groups;
    uint keptGroups;
    uint softmax;    // 0: sigmoid
    uint groupByMax; // 0: sum of the two largest
    uint normalize;
    float scale;
};

PARAMS_END
#endif
