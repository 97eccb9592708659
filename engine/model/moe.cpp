#include "engine/model/moe.h"

#include "engine/kernels/expert_mlp.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/route_experts.h"
#include "engine/kernels/swiglu.h"

namespace perilune {

void denseMlp(Device &device, const MlpWeights &weights, const Activations &a)
{
    // The widest MLP owns the memory; a narrower one uses its beginning.
    const Tensor gate{a.gate.address, a.gate.rows, weights.gateProj.rows, DType::F32};
    const Tensor up{a.up.address, a.up.rows, weights.upProj.rows, DType::F32};
    matmul(device, a.normed, weights.gateProj, gate);
    matmul(device, a.normed, weights.upProj, up);
    swiglu(device, gate, up, gate);
    matmul(device, gate, weights.downProj, a.residual, {.bias = {}, .accumulate = true});
}

void mixtureOfExperts(Device &device, const DecoderConfig &config, const LayerWeights &layer,
                      const Activations &a)
{
    routeExperts(device, a.normed, layer.gate, layer.eScoreCorrectionBias, a.ids, a.weights, a.scores,
                 {.experts = config.nRoutedExperts,
                  .chosen = config.numExpertsPerTok,
                  .groups = config.nGroup,
                  .keptGroups = config.topkGroup,
                  .softmax = config.softmaxScoring,
                  .groupByMax = config.groupByMax,
                  .normalize = config.normTopkProb,
                  .scale = config.routedScalingFactor});
    expertMlp(device, a.normed, a.ids, a.weights, layer.experts, a.expertScratch, a.residual);
    if (config.nSharedExperts > 0)
        denseMlp(device, layer.sharedExperts, a);
}

} // namespace perilune
