#include "engine/model/decoder_weights.h"

#include <string>

namespace perilune {

namespace {

using Shape = std::vector<std::uint64_t>;

struct MatrixRow {
    const char *name;
    WeightMatrix *field;
    std::uint64_t rows, columns;
    WeightLoader::Form form;
    bool present = true;
};

constexpr WeightLoader::Form kPlain{.formats = WeightLoader::Formats::Plain};

struct VectorRow {
    const char *name;
    Tensor *field;
    std::uint64_t size;
    bool present = true;
};

void bind(WeightLoader &loader, const std::string &prefix, std::initializer_list<MatrixRow> table)
{
    for (const MatrixRow &row : table) {
        if (row.present)
            loader.matrix(prefix + row.name, {row.rows, row.columns}, row.field, row.form);
    }
}

void bind(WeightLoader &loader, const std::string &prefix, std::initializer_list<VectorRow> table)
{
    for (const VectorRow &row : table) {
        if (row.present)
            loader.floats(prefix + row.name, {row.size}, row.field);
    }
}

void bindAttention(WeightLoader &loader, const std::string &prefix, const DecoderConfig &c,
                   AttentionWeights &w)
{
    const std::uint64_t heads = c.numAttentionHeads;
    const bool lora = c.qLoraRank > 0;
    const bool bias = c.attentionBias;
    const WeightLoader::Form attention{.part = WeightPart::Attention};
    bind(loader, prefix,
         {
             {.name = "q_proj",
              .field = &w.qProj,
              .rows = heads * c.qkHeadDim(),
              .columns = c.hiddenSize,
              .form = attention,
              .present = !lora},
             {.name = "q_a_proj",
              .field = &w.qAProj,
              .rows = c.qLoraRank,
              .columns = c.hiddenSize,
              .form = attention,
              .present = lora},
             {.name = "q_b_proj",
              .field = &w.qBProj,
              .rows = heads * c.qkHeadDim(),
              .columns = c.qLoraRank,
              .form = attention,
              .present = lora},
             {.name = "kv_a_proj_with_mqa",
              .field = &w.kvAProjWithMqa,
              .rows = c.latentDim(),
              .columns = c.hiddenSize,
              .form = attention},
             {.name = "kv_b_proj",
              .field = &w.kvBProj,
              .rows = heads * (c.qkNopeHeadDim + c.vHeadDim),
              .columns = c.kvLoraRank,
              .form = kPlain},
             {.name = "o_proj",
              .field = &w.oProj,
              .rows = c.hiddenSize,
              .columns = heads * c.vHeadDim,
              .form = attention},
    });
    bind(loader, prefix,
         {
             {.name = "q_a_layernorm.weight", .field = &w.qALayernorm, .size = c.qLoraRank, .present = lora},
             {.name = "kv_a_layernorm.weight", .field = &w.kvALayernorm, .size = c.kvLoraRank},
             {.name = "q_a_proj.bias", .field = &w.qAProjBias, .size = c.qLoraRank, .present = bias && lora},
             {.name = "kv_a_proj_with_mqa.bias",
              .field = &w.kvAProjBias,
              .size = c.latentDim(),
              .present = bias},
             {.name = "o_proj.bias", .field = &w.oProjBias, .size = c.hiddenSize, .present = bias},
    });
}

/// gate_proj, up_proj and down_proj of hidden and intermediate size.
void bindMlp(WeightLoader &loader, const std::string &prefix, std::uint64_t hidden,
             std::uint64_t intermediate, WeightPart part, MlpWeights &w)
{
    const WeightLoader::Form form{.part = part};
    bind(loader, prefix,
         {
             {.name = "gate_proj",
              .field = &w.gateProj,
              .rows = intermediate,
              .columns = hidden,
              .form = form                                                                                  },
             {.name = "up_proj",   .field = &w.upProj, .rows = intermediate, .columns = hidden, .form = form},
             {.name = "down_proj",
              .field = &w.downProj,
              .rows = hidden,
              .columns = intermediate,
              .form = form                                                                                  },
    });
}

void bindMoe(WeightLoader &loader, const std::string &prefix, const DecoderConfig &c, std::uint32_t layer,
             LayerWeights &w)
{
    bind(loader, prefix,
         {
             {.name = "gate",
              .field = &w.gate,
              .rows = c.nRoutedExperts,
              .columns = c.hiddenSize,
              .form = kPlain}
    });
    bind(loader, prefix,
         {
             {.name = "gate.e_score_correction_bias",
              .field = &w.eScoreCorrectionBias,
              .size = c.nRoutedExperts,
              .present = c.correctionBias}
    });
    w.experts.experts = c.nRoutedExperts;
    w.experts.hidden = c.hiddenSize;
    w.experts.intermediate = c.moeIntermediateSize;
    if (c.nSharedExperts > 0)
        bindMlp(loader, prefix + "shared_experts.", c.hiddenSize,
                std::uint64_t{c.moeIntermediateSize} * c.nSharedExperts, WeightPart::Shared, w.sharedExperts);
    loader.movableGroup("the experts of layer " + std::to_string(layer));
    loader.experts(prefix + "experts.", &w.experts);
}

bool contains(const std::string &text, const char *piece)
{
    return text.find(piece) != std::string::npos;
}

} // namespace

void bindDecoderWeights(WeightLoader &loader, const ModelConfig &config, DecoderWeights &weights)
{
    const DecoderConfig &c = config.decoder;
    const std::string root = config.prefix + "model.";
    const std::string embedding = root + "embed_tokens";
    loader.onHost(embedding + ".weight", {c.vocabSize, c.hiddenSize}, &weights.embedTokens);
    weights.layers.resize(c.numHiddenLayers);
    for (std::uint32_t i = 0; i < c.numHiddenLayers; ++i) {
        LayerWeights &layer = weights.layers[i];
        const std::string prefix = root + "layers." + std::to_string(i) + ".";
        loader.group("the weights of layer " + std::to_string(i));
        loader.floats(prefix + "input_layernorm.weight", {c.hiddenSize}, &layer.inputLayernorm);
        bindAttention(loader, prefix + "self_attn.", c, layer.selfAttn);
        loader.floats(prefix + "post_attention_layernorm.weight", {c.hiddenSize},
                      &layer.postAttentionLayernorm);
        if (c.isMoe(i))
            bindMoe(loader, prefix + "mlp.", c, i, layer);
        else
            bindMlp(loader, prefix + "mlp.", c.hiddenSize, c.intermediateSize, WeightPart::Dense, layer.mlp);
    }
    loader.group("the output head");
    loader.floats(root + "norm.weight", {c.hiddenSize}, &weights.norm);
    if (config.numLabels > 0)
        loader.matrix(config.prefix + "score", {config.numLabels, c.hiddenSize}, &weights.lmHead,
                      {.part = WeightPart::Head});
    else
        loader.matrix(c.tieWordEmbeddings ? embedding : config.prefix + "lm_head",
                      {c.vocabSize, c.hiddenSize}, &weights.lmHead, {.part = WeightPart::Head});
}

std::uint64_t bytesPerToken(const DecoderConfig &config, const DecoderWeights &weights)
{
    std::uint64_t bytes = 0;
    const auto add = [&](const WeightMatrix &matrix) {
        bytes += matrix.data.bytes + matrix.scales.bytes;
        for (const WeightMatrix &piece : matrix.pieces)
            bytes += piece.data.bytes;
    };
    for (const LayerWeights &layer : weights.layers) {
        const AttentionWeights &a = layer.selfAttn;
        for (const WeightMatrix *matrix :
             {&a.qProj, &a.qAProj, &a.qBProj, &a.kvAProjWithMqa, &a.kvBProj, &a.oProj})
            add(*matrix);
        for (const MlpWeights *mlp : {&layer.mlp, &layer.sharedExperts}) {
            add(mlp->gateProj);
            add(mlp->upProj);
            add(mlp->downProj);
        }
        add(layer.gate);
        if (layer.experts.experts > 0)
            bytes += layer.experts.weights.bytes / layer.experts.experts * config.numExpertsPerTok;
    }
    add(weights.lmHead);
    return bytes;
}

std::string reasonToIgnore(const std::string &tensor, const ModelConfig &config)
{
    if (contains(tensor, "rotary_emb.inv_freq"))
        return "a stale rotary table; angles are computed from config.json";
    const std::string layers = config.prefix + "model.layers.";
    if (tensor.starts_with(layers)) {
        const std::uint64_t layer = std::strtoull(tensor.c_str() + layers.size(), nullptr, 10);
        if (layer >= config.decoder.numHiddenLayers)
            return "of a multi-token-prediction layer, which answering does not need";
    }
    if (config.decoder.tieWordEmbeddings && tensor == config.prefix + "lm_head.weight")
        return "the head is tied to the embeddings";
    if (config.numLabels > 0 && tensor == config.prefix + "lm_head.weight")
        return "the checkpoint classifies";
    return {};
}

} // namespace perilune
