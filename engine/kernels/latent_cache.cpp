#include "engine/kernels/latent_cache.h"

#include "engine/kernels/launch.h"
#include "shaders/latent_cache.h"
#include "shaders/spirv.h"

namespace perilune {

void latentCache(Device &device, const Tensor &kv, const Tensor &weight, const Tensor &rope,
                 const Tensor &cache, std::uint32_t position, float epsilon)
{
    const std::uint32_t rank = weight.columns;
    const std::uint32_t ropeDim = rope.columns;
    const bool half = cache.type == DType::F16;
    CHECK(kv.type == DType::F32 && weight.type == DType::F32 && rope.type == DType::F32);
    CHECK(half || cache.type == DType::F32);
    CHECK(weight.rows == 1 && rank % 2 == 0 && ropeDim % 2 == 0);
    CHECK(kv.columns == rank + ropeDim && cache.columns == kv.columns);
    CHECK(kv.rows > 0 && position <= cache.rows && kv.rows <= cache.rows - position);
    CHECK(position <= rope.rows && kv.rows <= rope.rows - position);

    const params::LatentCacheParams params{.kv = kv.address,
                                           .weight = weight.address,
                                           .rope = rope.address,
                                           .cache = cache.address,
                                           .rank = rank,
                                           .ropeDim = ropeDim,
                                           .position = position,
                                           .epsilon = epsilon};
    device.dispatch({
        .name = half ? "latent_cache_f16" : "latent_cache_f32",
        .code = half ? spirv::latent_cache_f16 : spirv::latent_cache_f32,
        .groups = {kv.rows, 1, 1},
        .constants = {runsOnCpu(device) ? 32u : 128u, 1, 1},
        .params = pushed(params),
        .reads = {kv.range(), weight.range(), rows(rope, position, kv.rows)},
        .writes = {rows(cache, position, kv.rows)},
        .work = 4.0 * static_cast<double>(kv.elements())
    });
}

} // namespace perilune
