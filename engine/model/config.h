#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// rope_scaling (old files) or rope_parameters (new ones).
struct RopeScaling {
    enum class Kind { None, Linear, Dynamic, Yarn };
    Kind kind = Kind::None;
    double factor = 1;
    double originalMaxPositionEmbeddings = 4096;
    double betaFast = 32, betaSlow = 1;
    double mscale = 1, mscaleAllDim = 0;
};

/// The language model. Fields are the keys of config.json in camelCase.
struct DecoderConfig {
    std::uint32_t vocabSize = 0;
    std::uint32_t hiddenSize = 0;
    std::uint32_t numHiddenLayers = 0;
    std::uint32_t numAttentionHeads = 0;
    std::uint32_t qLoraRank = 0; ///< 0: no low-rank query (null in the file)
    std::uint32_t kvLoraRank = 0;
    std::uint32_t qkNopeHeadDim = 0;
    std::uint32_t qkRopeHeadDim = 0;
    std::uint32_t vHeadDim = 0;
    std::uint32_t intermediateSize = 0;    ///< of the dense layers
    std::uint32_t moeIntermediateSize = 0; ///< of one expert
    std::uint32_t nRoutedExperts = 0;      ///< 0: every layer is dense
    std::uint32_t numExpertsPerTok = 0;
    std::uint32_t nSharedExperts = 0; ///< fused into one MLP of nSharedExperts · moeIntermediateSize
    std::uint32_t firstKDenseReplace = 0;
    std::uint32_t moeLayerFreq = 1;
    std::uint32_t nGroup = 1, topkGroup = 1;
    bool softmaxScoring = false; ///< scoring_func: sigmoid in every Kimi model
    bool correctionBias = true;  ///< topk_method noaux_tc: e_score_correction_bias takes part in the choice
    bool groupByMax = false;     ///< topk_method group_limited_greedy
    bool normTopkProb = true;
    float routedScalingFactor = 1;
    float rmsNormEps = 1e-6f;
    double ropeTheta = 10000;
    RopeScaling ropeScaling;
    std::uint32_t maxPositionEmbeddings = 0;
    bool attentionBias = false; ///< on q_a_proj, kv_a_proj_with_mqa and o_proj
    bool tieWordEmbeddings = false;

    bool isMoe(std::uint32_t layer) const
    {
        return nRoutedExperts > 0 && layer >= firstKDenseReplace && layer % moeLayerFreq == 0;
    }
    std::uint32_t qkHeadDim() const { return qkNopeHeadDim + qkRopeHeadDim; }
    std::uint32_t latentDim() const { return kvLoraRank + qkRopeHeadDim; }
};

/// MoonViT and its projector. K2.5 names the tower's keys with a vt_ prefix, Kimi-VL without.
struct VisionConfig {
    std::uint32_t hiddenSize = 0; ///< D
    std::uint32_t numHiddenLayers = 0;
    std::uint32_t numAttentionHeads = 0; ///< D / heads is divisible by 4
    std::uint32_t intermediateSize = 0;
    std::uint32_t patchSize = 14;
    std::uint32_t posEmbHeight = 64, posEmbWidth = 64; ///< of the stored position table
    std::uint32_t posEmbTime = 4;                      ///< most frames of a medium; 1 for Kimi-VL
    std::uint32_t mergeHeight = 2, mergeWidth = 2;
    std::uint32_t textHiddenSize = 0; ///< width of the decoder
    float projectorLnEps = 1e-5f;
    bool kimiVl = false; ///< names multi_modal_projector.linear_{1,2}; else mm_projector.proj.{0,2}

    std::uint32_t headDim() const { return hiddenSize / numAttentionHeads; }
    std::uint32_t merge() const { return mergeHeight * mergeWidth; }
};

/// quantization_config, for what can't be seen from the tensors and to compare with them.
struct QuantizationConfig {
    std::string method; ///< quant_method: "compressed-tensors", "fp8"
    std::string format; ///< "pack-quantized"; empty for fp8
    std::uint32_t bits = 0, groupSize = 0;
    std::uint32_t blockRows = 0, blockColumns = 0; ///< weight_block_size
};

/// config.json of a model folder, checked.
struct ModelConfig {
    std::string architecture; ///< architectures[0], or model_type where there is none
    std::string modelType;    ///< at top level
    std::string prefix;       ///< of decoder tensors: "language_model." or empty
    DecoderConfig decoder;
    std::optional<VisionConfig> vision;
    std::optional<QuantizationConfig> quantization;
    std::uint32_t mediaPlaceholderTokenId = 163605;
    std::optional<std::uint32_t> bosTokenId, padTokenId;
    std::vector<std::uint32_t> eosTokenIds;
    std::uint32_t numLabels = 0;    ///< of a sequence-classification head; 0: a language-model head
    std::vector<std::string> notes; ///< what the file leaves out and is taken to be: a sentence each
};

/// Reads and checks FOLDER/config.json. The error names the key, what was expected and what stands there.
Result<ModelConfig> readConfig(const std::string &folder);

/// The same from the file's text; `file` names it in messages.
Result<ModelConfig> parseConfig(std::string_view json, const std::string &file);

} // namespace perilune
