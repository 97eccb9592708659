#pragma once

#include "engine/gpu/tensor.h"
#include "engine/model/config.h"
#include "engine/weights/weight_loader.h"

#include <vector>

namespace perilune {

/// gate and up (intermediate, hiddenSize), down (hiddenSize, intermediate).
struct MlpWeights {
    WeightMatrix gateProj, upProj, downProj;
};

/// Multi-head latent attention of one layer. H is numAttentionHeads.
struct AttentionWeights {
    WeightMatrix qProj;                        // (H · (qkNope + qkRope), hiddenSize); only without qLoraRank
    WeightMatrix qAProj;                       // (qLoraRank, hiddenSize); only with it, as the next two
    Tensor qALayernorm;                        // (1, qLoraRank)
    WeightMatrix qBProj;                       // (H · (qkNope + qkRope), qLoraRank)
    WeightMatrix kvAProjWithMqa;               // (kvLoraRank + qkRope, hiddenSize)
    Tensor kvALayernorm;                       // (1, kvLoraRank)
    WeightMatrix kvBProj;                      // (H · (qkNope + vHeadDim), kvLoraRank); F32, F16 or BF16
    WeightMatrix oProj;                        // (hiddenSize, H · vHeadDim)
    Tensor qAProjBias, kvAProjBias, oProjBias; // (1, outputs); address 0 without attentionBias
};

struct LayerWeights {
    Tensor inputLayernorm; // (1, hiddenSize)
    AttentionWeights selfAttn;
    Tensor postAttentionLayernorm; // (1, hiddenSize)
    MlpWeights mlp;                // of a dense layer
    WeightMatrix gate;             // router, (nRoutedExperts, hiddenSize); F32, F16 or BF16
    Tensor eScoreCorrectionBias;   // (1, nRoutedExperts); address 0 where the method has none
    ExpertTable experts;
    MlpWeights sharedExperts; // one fused MLP; unused without nSharedExperts
};

struct DecoderWeights {
    const StoredTensor *embedTokens = nullptr; // (vocabSize, hiddenSize), in its file
    std::vector<LayerWeights> layers;
    Tensor norm;         // (1, hiddenSize)
    WeightMatrix lmHead; // (vocabSize, hiddenSize), or score.weight (numLabels, hiddenSize)
};

/// Binds every tensor of the decoder; what is missing or has another shape stands in loader.problems().
/// `weights` must stay where it is until the loader has uploaded.
void bindDecoderWeights(WeightLoader &loader, const ModelConfig &config, DecoderWeights &weights);

/// Bytes of weights that one token reads: everything but the experts that are not chosen.
std::uint64_t bytesPerToken(const DecoderConfig &config, const DecoderWeights &weights);

/// Why a tensor that nothing was bound to may be left aside ("stale rotary table"); empty where it is
/// unknown.
std::string reasonToIgnore(const std::string &tensor, const ModelConfig &config);

} // namespace perilune
