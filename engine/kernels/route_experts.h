#pragma once

#include "engine/gpu/device.h"

namespace perilune {

struct RouterOptions {
    std::uint32_t experts = 0;    ///< n_routed_experts, up to 1024
    std::uint32_t chosen = 0;     ///< num_experts_per_tok
    std::uint32_t groups = 1;     ///< n_group
    std::uint32_t keptGroups = 1; ///< topk_group
    bool softmax = false;         ///< scoring_func: sigmoid otherwise
    bool groupByMax = false;      ///< group score: largest in the group, else sum of the two largest
    bool normalize = true;        ///< norm_topk_prob (never where chosen is 1)
    float scale = 1.0f;           ///< routed_scaling_factor
};

/// Records the choice of experts, on the device and in f32 throughout.
///
/// x        (rows, hidden) f32
/// weight   (experts, hidden) F32, F16 or BF16
/// bias     (1, experts) f32, e_score_correction_bias: takes part in the choice, not in the weights;
///          address 0 for none
///
/// ids      (rows, chosen) u32, in rising order of the expert
///
/// weights  (rows, chosen) f32, in the same order
///
/// scratch  (rows, experts) f32: what the scores are made of, before sigmoid or softmax
///
/// Ties go to the lower index; dropped groups count as minus infinity. Source: DeepSeek-V3 report
/// section 2.1.2.
void routeExperts(Device &device, const Tensor &x, const WeightMatrix &weight, const Tensor &bias,
                  const Tensor &ids, const Tensor &weights, const Tensor &scratch,
                  const RouterOptions &options);

} // namespace perilune
