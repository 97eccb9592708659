#include "engine/kernels/mla_attention.h"

#include "engine/kernels/launch.h"
#include "shaders/mla_attention.h"
#include "shaders/spirv.h"

#include <algorithm>

namespace perilune {
namespace {

// How the work is laid out: `lanes` invocations share a query, `lines` lines of `own` queries are a
// workgroup, and the keys are cut into `parts`.
struct Layout {
    std::uint32_t lanes = 0;
    std::uint32_t lines = 0;
    std::uint32_t own = 2;
    std::uint32_t groups = 0; // of queries
    std::uint32_t mostParts = 0;
    std::uint32_t partKeys = 0;
    std::uint32_t parts = 0;
};

// With fewer workgroups than that, a long context is cut into parts, so that a GPU has enough to do.
constexpr std::uint32_t kEnoughGroups = 256;
constexpr std::uint32_t kEnoughGroupsCpu = 16;
// Keys of a part at least: below, combining costs more than it gains.
constexpr std::uint32_t kFewestKeys = 128;

Layout layoutFor(bool cpu, const MlaShape &shape, std::uint32_t rows, std::uint32_t keys)
{
    Layout layout;
    const std::uint32_t queries = rows * shape.heads;
    // On CPUs, as measured on lavapipe and 8 wide at least (see README.md); many quads of an element in one
    // invocation take its compiler minutes.
    const bool small = cpu && shape.latent() <= 144;
    layout.lanes = small ? 8 : 16;
    layout.lines = cpu ? 2 : 16;
    layout.own = small ? 4 : 2;
    layout.groups = ceilDivide(queries, std::uint64_t{layout.lines} * layout.own);
    layout.mostParts = std::max(1u, (cpu ? kEnoughGroupsCpu : kEnoughGroups) / layout.groups);
    layout.partKeys = std::max(kFewestKeys, ceilDivide(keys, layout.mostParts));
    layout.parts = ceilDivide(keys, layout.partKeys);
    return layout;
}

// Bytes of the partial sums of `parts` parts; their weights stand behind them.
std::uint64_t sumBytes(const MlaShape &shape, std::uint64_t queries, std::uint64_t parts)
{
    return parts * queries * shape.rank * 4;
}

std::uint64_t weightBytes(std::uint64_t queries, std::uint64_t parts)
{
    return parts * queries * 8;
}

void combine(Device &device, const MlaShape &shape, const Layout &layout, ByteRange sums, ByteRange weights,
             const Tensor &context)
{
    const std::uint32_t queries = context.rows * shape.heads;
    const params::MlaCombineParams params{.sums = sums.address,
                                          .weights = weights.address,
                                          .context = context.address,
                                          .queries = queries,
                                          .parts = layout.parts,
                                          .rank = shape.rank};
    const std::uint32_t workgroup = runsOnCpu(device) ? 32 : 128;
    device.dispatch({
        .name = "mla_combine",
        .code = spirv::mla_combine,
        .groups = {ceilDivide(shape.rank, workgroup), queries, 1},
        .constants = {workgroup, 1, 1},
        .params = pushed(params),
        .reads = {sums, weights},
        .writes = {context.range()},
        .work = 2.0 * layout.parts * queries * shape.rank
    });
}

void checkShapes(const MlaShape &shape, const Tensor &latent, const Tensor &cache, const Tensor &context,
                 std::uint32_t position)
{
    CHECK(shape.rank % 4 == 0 && shape.latent() % 4 == 0);
    CHECK(latent.type == DType::F32 && context.type == DType::F32);
    CHECK(cache.type == DType::F32 || cache.type == DType::F16);
    CHECK(cache.columns == shape.latent() && latent.columns == shape.heads * shape.latent());
    CHECK(context.columns == shape.heads * shape.rank && context.rows == latent.rows && latent.rows > 0);
    CHECK(position <= cache.rows && latent.rows <= cache.rows - position);
}

} // namespace

void mlaAttention(Device &device, const MlaShape &shape, const Tensor &latent, const Tensor &cache,
                  const Tensor &context, const ByteRange &scratch, std::uint32_t position, float scale)
{
    checkShapes(shape, latent, cache, context, position);
    const std::uint32_t queries = latent.rows * shape.heads;
    const std::uint32_t keys = position + latent.rows;
    const Layout layout = layoutFor(runsOnCpu(device), shape, latent.rows, keys);
    const bool whole = layout.parts == 1;
    const ByteRange sums =
        whole ? context.range() : ByteRange{scratch.address, sumBytes(shape, queries, layout.parts)};
    const ByteRange weights =
        whole ? ByteRange{} : ByteRange{sums.address + sums.bytes, weightBytes(queries, layout.parts)};
    CHECK(whole || sums.bytes + weights.bytes <= scratch.bytes);

    const params::MlaAttentionParams params{.latent = latent.address,
                                            .cache = cache.address,
                                            .sums = sums.address,
                                            .weights = weights.address,
                                            .queries = queries,
                                            .heads = shape.heads,
                                            .rank = shape.rank,
                                            .width = shape.latent(),
                                            .position = position,
                                            .partKeys = layout.partKeys,
                                            .scale = scale};
    const bool half = cache.type == DType::F16;
    Dispatch dispatch{
        .name = half ? "mla_attention_f16" : "mla_attention_f32",
        .code = half ? spirv::mla_attention_f16 : spirv::mla_attention_f32,
        .groups = {layout.groups, layout.parts, 1},
        .constants = {layout.lanes, layout.lines, 1, layout.own, ceilDivide(shape.latent() / 4, layout.lanes),
                   ceilDivide(shape.rank / 4, layout.lanes)},
        .params = pushed(params),
        .reads = {latent.range(), rows(cache, 0, keys)},
        .writes = {sums},
        .work = double{1}
          * queries * keys * (shape.latent() + shape.rank)
    };
    if (!whole)
        dispatch.writes.push_back(weights);
    device.dispatch(dispatch);
    if (!whole)
        combine(device, shape, layout, sums, weights, context);
}

std::uint64_t mlaAttentionScratch(const MlaShape &shape, std::uint32_t rows, std::uint32_t capacity)
{
    // The largest of all calls: each number of rows has its own number of parts.
    std::uint64_t most = 0;
    for (const bool cpu : {true, false}) {
        for (std::uint32_t r = 1; r <= rows; ++r) {
            const std::uint32_t parts =
                std::min(layoutFor(cpu, shape, r, capacity).mostParts, ceilDivide(capacity, kFewestKeys));
            const std::uint64_t queries = std::uint64_t{r} * shape.heads;
            if (parts > 1)
                most = std::max(most, sumBytes(shape, queries, parts) + weightBytes(queries, parts));
        }
    }
    return std::max<std::uint64_t>(most, 16);
}

} // namespace perilune
