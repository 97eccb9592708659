#pragma once

#include "engine/kernels/expert_mlp.h"
#include "engine/kernels/latent_cache.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/mla_attention.h"
#include "engine/kernels/mla_value.h"
#include "engine/kernels/rms_norm.h"
#include "engine/kernels/route_experts.h"
#include "engine/kernels/swiglu.h"

namespace perilune::test {

/// Records one layer of a small decoder on a device that runs nothing: what comes after what, for tests of
/// barriers. Addresses are made up, one behind the other.
inline void recordLayer(Device &device, std::uint32_t rows, std::uint32_t position)
{
    std::uint64_t next = 0x100000;
    const auto take = [&](std::uint64_t bytes) {
        const ByteRange range{next, bytes};
        next += (bytes + 255) / 256 * 256;
        return range;
    };
    const auto tensor = [&](std::uint32_t count, std::uint32_t columns, DType type = DType::F32) {
        Tensor t{0, count, columns, type};
        t.address = take(t.bytes()).address;
        return t;
    };
    const auto weight = [&](std::uint32_t count, std::uint32_t columns) {
        return WeightMatrix{WeightFormat::BF16, count, columns, take(std::uint64_t{2} * count * columns), {}};
    };
    const MlaShape shape{4, 48, 24, 16, 32};
    const std::uint32_t hidden = 192;
    const std::uint32_t keys = position + rows;
    const Tensor stream = tensor(rows, hidden);
    const Tensor normed = tensor(rows, hidden);
    const Tensor low = tensor(rows, 64);
    const Tensor q = tensor(rows, shape.heads * (shape.nopeDim + shape.ropeDim));
    const Tensor kv = tensor(rows, shape.latent());
    const Tensor rope = tensor(keys, shape.ropeDim);
    const Tensor cache = tensor(keys, shape.latent(), DType::F16);
    const Tensor latent = tensor(rows, shape.heads * shape.latent());
    const Tensor context = tensor(rows, shape.heads * shape.rank);
    const Tensor values = tensor(rows, shape.heads * shape.valueDim);
    const WeightMatrix kvUp = weight(shape.heads * (shape.nopeDim + shape.valueDim), shape.rank);

    rmsNorm(device, stream, tensor(1, hidden), normed, 1e-5f);
    matmul(device, normed, weight(64, hidden), low);
    matmul(device, normed, weight(shape.latent(), hidden), kv);
    rmsNorm(device, low, tensor(1, 64), low, 1e-6f);
    latentCache(device, kv, tensor(1, shape.rank), rope, cache, position, 1e-6f);
    matmul(device, low, weight(q.columns, 64), q);
    mlaQuery(device, shape, q, kvUp, rope, latent, position);
    mlaAttention(device, shape, latent, cache, context, take(mlaAttentionScratch(shape, rows, keys)),
                 position, 0.1f);
    mlaValue(device, shape, context, kvUp, values);
    matmul(device, values, weight(hidden, values.columns), stream, {.bias = {}, .accumulate = true});

    const RouterOptions options{.experts = 16, .chosen = 2};
    const Tensor ids = tensor(rows, 2, DType::U32);
    const Tensor weights = tensor(rows, 2);
    const Tensor gate = tensor(rows, 96);
    const Tensor up = tensor(rows, 96);
    const ExpertTable table{WeightFormat::Int4,          16, hidden, 96, take(std::uint64_t{16} * 48),
                            take(std::uint64_t{1} << 20)};
    rmsNorm(device, stream, tensor(1, hidden), normed, 1e-5f);
    routeExperts(device, normed, weight(16, hidden), tensor(1, 16), ids, weights, tensor(rows, 16), options);
    matmul(device, normed, weight(96, hidden), gate);
    matmul(device, normed, weight(96, hidden), up);
    swiglu(device, gate, up, gate);
    matmul(device, gate, weight(hidden, 96), stream, {.bias = {}, .accumulate = true});
    expertMlp(device, normed, ids, weights, table, take(expertMlpScratch(table, rows, 2)), stream);
}

} // namespace perilune::test
