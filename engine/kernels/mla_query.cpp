#include "engine/kernels/mla_query.h"

#include "engine/kernels/launch.h"
#include "engine/kernels/matmul_batch.h"
#include "shaders/mla_query.h"
#include "shaders/spirv.h"

#include <algorithm>

namespace perilune {
namespace {

void chooseKernel(WeightFormat format, Dispatch &dispatch)
{
    switch (format) {
    case WeightFormat::F32:
        dispatch.name = "mla_query_f32";
        dispatch.code = spirv::mla_query_f32;
        return;
    case WeightFormat::F16:
        dispatch.name = "mla_query_f16";
        dispatch.code = spirv::mla_query_f16;
        return;
    case WeightFormat::BF16:
        dispatch.name = "mla_query_bf16";
        dispatch.code = spirv::mla_query_bf16;
        return;
    default: CHECK(false);
    }
}

// Rows of q for each read of the weights: as many as there are, within 16 and a part of shared memory.
std::uint32_t rowsTogether(std::uint32_t rows, std::uint32_t nopeDim)
{
    std::uint32_t together = 1;
    while (together < 16 && together < rows && 2 * together * nopeDim * 4 <= 16384)
        together *= 2;
    return together;
}

} // namespace

void mlaQuery(Device &device, const MlaShape &shape, const Tensor &q, const WeightMatrix &kvUp,
              const Tensor &rope, const Tensor &latent, std::uint32_t position)
{
    checkWeight(kvUp);
    CHECK(q.type == DType::F32 && rope.type == DType::F32 && latent.type == DType::F32);
    CHECK(shape.rank % 4 == 0 && shape.ropeDim % 2 == 0 && shape.nopeDim > 0);
    CHECK(std::uint64_t{kvUp.columns} == shape.rank);
    CHECK(kvUp.rows == shape.heads * (shape.nopeDim + shape.valueDim));
    CHECK(q.rows > 0 && q.columns == shape.heads * (shape.nopeDim + shape.ropeDim));
    CHECK(latent.rows == q.rows && latent.columns == shape.heads * shape.latent());
    CHECK(rope.columns == shape.ropeDim && position <= rope.rows && q.rows <= rope.rows - position);

    const params::MlaQueryParams params{.q = q.address,
                                        .kvUp = kvUp.data.address,
                                        .rope = rope.address,
                                        .latent = latent.address,
                                        .rows = q.rows,
                                        .heads = shape.heads,
                                        .rank = shape.rank,
                                        .nopeDim = shape.nopeDim,
                                        .ropeDim = shape.ropeDim,
                                        .headRows = shape.nopeDim + shape.valueDim,
                                        .position = position};
    const std::uint32_t workgroup = runsOnCpu(device) ? 32 : 64;
    const std::uint32_t together = rowsTogether(q.rows, shape.nopeDim);
    Dispatch dispatch;
    chooseKernel(kvUp.format, dispatch);
    dispatch.groups = {ceilDivide(shape.rank / 4, workgroup) + 1, ceilDivide(q.rows, together), shape.heads};
    dispatch.constants = {workgroup, 1, 1, together, shape.nopeDim};
    dispatch.params = pushed(params);
    dispatch.reads = {q.range(), kvUp.data, rows(rope, position, q.rows)};
    dispatch.writes = {latent.range()};
    dispatch.work = double{1} * q.rows * shape.heads * shape.nopeDim * shape.rank;
    device.dispatch(dispatch);
}

} // namespace perilune
