#include "engine/kernels/route_experts.h"

#include "engine/kernels/launch.h"
#include "engine/kernels/matmul.h"
#include "shaders/route_experts.h"
#include "shaders/spirv.h"

namespace perilune {
namespace {

void checkShapes(const Tensor &bias, const Tensor &ids, const Tensor &weights, const Tensor &scratch,
                 const RouterOptions &options)
{
    CHECK(options.experts > 0 && options.experts <= 1024);
    CHECK(options.chosen > 0 && options.groups > 0 && options.experts % options.groups == 0);
    CHECK(options.keptGroups > 0 && options.keptGroups <= options.groups);
    CHECK(options.chosen <= options.experts / options.groups * options.keptGroups);
    CHECK(ids.type == DType::U32 && weights.type == DType::F32 && scratch.type == DType::F32);
    CHECK(ids.columns == options.chosen && weights.columns == options.chosen && weights.rows == ids.rows);
    CHECK(scratch.rows == ids.rows && scratch.columns == options.experts);
    CHECK(!bias.address || (bias.type == DType::F32 && bias.elements() == options.experts));
}

} // namespace

void routeExperts(Device &device, const Tensor &x, const WeightMatrix &weight, const Tensor &bias,
                  const Tensor &ids, const Tensor &weights, const Tensor &scratch,
                  const RouterOptions &options)
{
    checkShapes(bias, ids, weights, scratch, options);
    matmul(device, x, weight, scratch);

    const bool normalize = options.normalize && options.chosen > 1;
    const params::RouteExpertsParams params{.scores = scratch.address,
                                            .bias = bias.address,
                                            .ids = ids.address,
                                            .weights = weights.address,
                                            .experts = options.experts,
                                            .chosen = options.chosen,
                                            .groups = options.groups,
                                            .keptGroups = options.keptGroups,
                                            .softmax = options.softmax ? 1u : 0u,
                                            .groupByMax = options.groupByMax ? 1u : 0u,
                                            .normalize = normalize ? 1u : 0u,
                                            .scale = options.scale};
    Dispatch dispatch{
        .name = "route_experts",
        .code = spirv::route_experts,
        .groups = {x.rows, 1, 1},
        .constants = {runsOnCpu(device) ? 32u : 256u, 1, 1},
        .params = pushed(params),
        .reads = {scratch.range()},
        .writes = {ids.range(), weights.range()},
        .work = 2.0 * x.rows * options.experts * options.experts
    };
    if (bias.address)
        dispatch.reads.push_back(bias.range());
    device.dispatch(dispatch);
}

} // namespace perilune
