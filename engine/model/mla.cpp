#include "engine/model/mla.h"

#include "engine/kernels/latent_cache.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/mla_attention.h"
#include "engine/kernels/mla_value.h"
#include "engine/kernels/rms_norm.h"

namespace perilune {

void latentAttention(Device &device, const MlaShape &shape, const AttentionWeights &weights,
                     const AttentionPast &past, const Activations &a)
{
    if (a.qLow.columns > 0) {
        matmul(device, a.normed, weights.qAProj, a.qLow, {.bias = weights.qAProjBias});
        rmsNorm(device, a.qLow, weights.qALayernorm, a.qLow, kLatentNormEpsilon);
        matmul(device, a.qLow, weights.qBProj, a.q);
    } else {
        matmul(device, a.normed, weights.qProj, a.q);
    }
    matmul(device, a.normed, weights.kvAProjWithMqa, a.kv, {.bias = weights.kvAProjBias});
    latentCache(device, a.kv, weights.kvALayernorm, past.rope, past.cache, past.position, kLatentNormEpsilon);

    mlaQuery(device, shape, a.q, weights.kvBProj, past.rope, a.latent, past.position);
    mlaAttention(device, shape, a.latent, past.cache, a.context, a.attentionScratch, past.position,
                 past.scale);
    mlaValue(device, shape, a.context, weights.kvBProj, a.attended);
    matmul(device, a.attended, weights.oProj, a.residual, {.bias = weights.oProjBias, .accumulate = true});
}

} // namespace perilune
