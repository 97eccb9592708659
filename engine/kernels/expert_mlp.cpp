#include "engine/kernels/expert_mlp.h"

#include "engine/kernels/launch.h"
#include "engine/kernels/matmul_batch.h"
#include "shaders/expert_mlp.h"
#include "shaders/spirv.h"

#include <algorithm>
#include <array>

namespace perilune {
namespace {

struct Kernel {
    const char *name;
    std::span<const std::uint32_t> code;
};
struct Kernels {
    Kernel gateUpFew, downFew, gateUpMany, downMany;
};

const Kernels &kernelsOf(WeightFormat format)
{
    static const std::array<Kernels, 6> all{
        {{{"expert_gate_up_few_f32", spirv::expert_gate_up_few_f32},
          {"expert_down_few_f32", spirv::expert_down_few_f32},
          {"expert_gate_up_many_f32", spirv::expert_gate_up_many_f32},
          {"expert_down_many_f32", spirv::expert_down_many_f32}},
         {{"expert_gate_up_few_f16", spirv::expert_gate_up_few_f16},
          {"expert_down_few_f16", spirv::expert_down_few_f16},
          {"expert_gate_up_many_f16", spirv::expert_gate_up_many_f16},
          {"expert_down_many_f16", spirv::expert_down_many_f16}},
         {{"expert_gate_up_few_bf16", spirv::expert_gate_up_few_bf16},
          {"expert_down_few_bf16", spirv::expert_down_few_bf16},
          {"expert_gate_up_many_bf16", spirv::expert_gate_up_many_bf16},
          {"expert_down_many_bf16", spirv::expert_down_many_bf16}},
         {{"expert_gate_up_few_int4", spirv::expert_gate_up_few_int4},
          {"expert_down_few_int4", spirv::expert_down_few_int4},
          {"expert_gate_up_many_int4", spirv::expert_gate_up_many_int4},
          {"expert_down_many_int4", spirv::expert_down_many_int4}},
         {{"expert_gate_up_few_fp8", spirv::expert_gate_up_few_fp8},
          {"expert_down_few_fp8", spirv::expert_down_few_fp8},
          {"expert_gate_up_many_fp8", spirv::expert_gate_up_many_fp8},
          {"expert_down_many_fp8", spirv::expert_down_many_fp8}},
         {{"expert_gate_up_few_int8", spirv::expert_gate_up_few_int8},
          {"expert_down_few_int8", spirv::expert_down_few_int8},
          {"expert_gate_up_many_int8", spirv::expert_gate_up_many_int8},
          {"expert_down_many_int8", spirv::expert_down_many_int8}}}
    };
    return all[static_cast<std::size_t>(format)];
}

constexpr std::uint32_t kTileRows = 32;
// With as many slots an expert, on average, reading its weights once for a tile of them beats reading them
// again for each.
constexpr std::uint32_t kManySlots = 8;

std::uint64_t roundUp16(std::uint64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

// Where everything lies in the scratch memory.
struct Plan {
    bool many = false;
    std::uint32_t slots = 0;
    std::uint32_t tileCount = 0;
    ByteRange inner, parts, starts, order, tiles;
    std::uint64_t bytes = 0;
};

Plan planFor(const ExpertTable &table, std::uint32_t rows, std::uint32_t chosen, std::uint64_t start)
{
    Plan plan;
    plan.slots = rows * chosen;
    plan.many = plan.slots >= kManySlots * table.experts;
    const auto take = [&](std::uint64_t bytes) {
        const ByteRange range{start + plan.bytes, bytes};
        plan.bytes += roundUp16(bytes);
        return range;
    };
    plan.inner = take(std::uint64_t{plan.slots} * table.intermediate * 4);
    if (!plan.many)
        return plan;
    // Each expert's last tile may be a part of one.
    plan.tileCount = plan.slots / kTileRows + std::min(table.experts, plan.slots);
    plan.parts = take(std::uint64_t{plan.slots} * table.hidden * 4);
    plan.starts = take((std::uint64_t{table.experts} + 1) * 4);
    plan.order = take(std::uint64_t{plan.slots} * 4);
    plan.tiles = take(std::uint64_t{plan.tileCount} * 16);
    return plan;
}

struct Call {
    Device &device;
    const Tensor &x;
    const Tensor &ids;
    const Tensor &weights;
    const ExpertTable &table;
    const Tensor &y;
    Plan plan;
    params::ExpertMlpParams params;
    bool aligned = false;

    double products() const { return double{1} * plan.slots * table.hidden * table.intermediate; }
};

void recordFew(const Call &call)
{
    const Kernels &kernels = kernelsOf(call.table.format);
    const bool cpu = runsOnCpu(call.device); // sizes as in matmul_batch.cpp
    const std::uint32_t lanes = cpu ? 8 : 32;
    const std::uint32_t lines = 4;
    const std::uint32_t outputs = cpu ? 4 : 1;
    const std::vector<std::uint32_t> constants{lanes, lines, 1, outputs, 1, call.aligned ? 1u : 0u};
    call.device.dispatch({
        .name = kernels.gateUpFew.name,
        .code = kernels.gateUpFew.code,
        .groups = {ceilDivide(call.table.intermediate, std::uint64_t{lines} * outputs), call.plan.slots, 1},
        .constants = constants,
        .params = pushed(call.params),
        .reads = {call.x.range(), call.ids.range(), call.table.table, call.table.weights},
        .writes = {call.plan.inner},
        .work = 2 * call.products()
    });
    call.device.dispatch({
        .name = kernels.downFew.name,
        .code = kernels.downFew.code,
        .groups = {ceilDivide(call.table.hidden, std::uint64_t{lines} * outputs), call.x.rows, 1},
        .constants = constants,
        .params = pushed(call.params),
        .reads = {call.plan.inner, call.ids.range(), call.weights.range(), call.table.table,
                   call.table.weights, call.y.range()},
        .writes = {call.y.range()},
        .work = call.products()
    });
}

// Lists the slots by expert and cuts the lists into tiles.
void recordGrouping(const Call &call)
{
    const std::uint32_t workgroup = runsOnCpu(call.device) ? 32 : 256;
    call.device.dispatch({
        .name = "expert_count",
        .code = spirv::expert_count,
        .constants = {workgroup, 1, 1},
        .params = pushed(call.params),
        .reads = {call.ids.range()},
        .writes = {call.plan.starts, call.plan.tiles},
        .work = double{1}
          * call.plan.slots + call.table.experts
    });
    call.device.dispatch({
        .name = "expert_place",
        .code = spirv::expert_place,
        .groups = {call.table.experts, 1, 1},
        .constants = {workgroup, 1, 1},
        .params = pushed(call.params),
        .reads = {call.ids.range(), call.plan.starts},
        .writes = {call.plan.order},
        .work = double{2}
          * call.plan.slots * call.table.experts
    });
}

void recordMany(const Call &call)
{
    const Kernels &kernels = kernelsOf(call.table.format);
    const bool cpu = runsOnCpu(call.device);
    const std::uint32_t width = cpu ? 8 : 16;
    const std::uint32_t height = cpu ? 4 : 8;
    const std::uint32_t rowQuads = kTileRows / (4 * height);
    const std::uint32_t outputQuads = 2;
    const std::uint32_t tileOutputs = width * outputQuads * 4;
    const std::vector<std::uint32_t> constants{width,       height,   1,
                                               outputQuads, rowQuads, call.aligned ? 1u : 0u};
    call.device.dispatch({
        .name = kernels.gateUpMany.name,
        .code = kernels.gateUpMany.code,
        .groups = {ceilDivide(call.table.intermediate, tileOutputs / 2), call.plan.tileCount, 1},
        .constants = constants,
        .params = pushed(call.params),
        .reads = {call.x.range(), call.table.table, call.table.weights, call.plan.order, call.plan.tiles},
        .writes = {call.plan.inner},
        .work = 2 * call.products()
    });
    call.device.dispatch({
        .name = kernels.downMany.name,
        .code = kernels.downMany.code,
        .groups = {ceilDivide(call.table.hidden, tileOutputs), call.plan.tileCount, 1},
        .constants = constants,
        .params = pushed(call.params),
        .reads = {call.plan.inner, call.table.table, call.table.weights, call.plan.order, call.plan.tiles},
        .writes = {call.plan.parts},
        .work = call.products()
    });
    const std::uint32_t workgroup = cpu ? 32 : 256;
    call.device.dispatch({
        .name = "expert_combine",
        .code = spirv::expert_combine,
        .groups = {ceilDivide(call.table.hidden, workgroup), call.x.rows, 1},
        .constants = {workgroup, 1, 1},
        .params = pushed(call.params),
        .reads = {call.plan.parts, call.weights.range(), call.y.range()},
        .writes = {call.y.range()},
        .work = double{1}
          * call.plan.slots * call.table.hidden
    });
}

params::ExpertMlpParams paramsOf(const Tensor &x, const Tensor &ids, const Tensor &weights,
                                 const ExpertTable &table, const Tensor &y, const Plan &plan)
{
    return {.x = x.address,
            .ids = ids.address,
            .weights = weights.address,
            .table = table.table.address,
            .inner = plan.inner.address,
            .parts = plan.parts.address,
            .y = y.address,
            .starts = plan.starts.address,
            .order = plan.order.address,
            .tiles = plan.tiles.address,
            .hidden = table.hidden,
            .intermediate = table.intermediate,
            .experts = table.experts,
            .chosen = ids.columns,
            .slots = plan.slots,
            .tileCount = plan.tileCount,
            .tileRows = kTileRows};
}

} // namespace

void expertMlp(Device &device, const Tensor &x, const Tensor &ids, const Tensor &weights,
               const ExpertTable &table, const ByteRange &scratch, const Tensor &y)
{
    CHECK(x.type == DType::F32 && y.type == DType::F32 && weights.type == DType::F32);
    CHECK(ids.type == DType::U32 && ids.rows == x.rows && ids.columns > 0 && x.rows > 0);
    CHECK(weights.rows == ids.rows && weights.columns == ids.columns);
    CHECK(x.columns == table.hidden && y.columns == table.hidden && y.rows == x.rows);
    CHECK(!overlap(x.range(), y.range()) && scratch.address % 16 == 0);
    CHECK(table.experts > 0 && table.experts <= 1024);
    CHECK(table.table.bytes == std::uint64_t{table.experts} * 48 && table.table.address % 8 == 0);
    const std::uint32_t chunk = chunkOf(table.format);
    CHECK(table.format != WeightFormat::Int4 || (table.hidden % 32 == 0 && table.intermediate % 32 == 0));

    const Plan plan = planFor(table, x.rows, ids.columns, scratch.address);
    CHECK(plan.bytes <= scratch.bytes);
    const Call call{.device = device,
                    .x = x,
                    .ids = ids,
                    .weights = weights,
                    .table = table,
                    .y = y,
                    .plan = plan,
                    .params = paramsOf(x, ids, weights, table, y, plan),
                    .aligned = table.hidden % chunk == 0 && table.intermediate % chunk == 0};
    if (!plan.many) {
        recordFew(call);
        return;
    }
    recordGrouping(call);
    recordMany(call);
}

std::uint64_t expertMlpScratch(const ExpertTable &table, std::uint32_t rows, std::uint32_t chosen)
{
    return planFor(table, rows, chosen, 0).bytes;
}

} // namespace perilune
