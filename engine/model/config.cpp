#include "engine/model/config.h"

#include "engine/model/config_reader.h"
#include "engine/weights/json_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace perilune {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestConfig = 1ull << 20; // published ones have a few KB
constexpr int kDeepestConfig = 64;

// What the kernels take: their tables of experts, their grids of workgroups, their shared memory.
constexpr std::uint32_t kMostExperts = 1024;
constexpr std::uint32_t kMostHeads = 65535;
constexpr std::uint32_t kWidestNope = 8192;

void readRope(ConfigReader &reader, DecoderConfig &config, std::vector<std::string> &notes)
{
    // Old files: rope_theta and rope_scaling; files saved by newer libraries: both inside rope_parameters.
    const json &parameters = reader.object("rope_parameters");
    const json &old = reader.object("rope_scaling");
    const json &scaling = parameters.empty() ? old : parameters;
    ConfigReader rope = reader.inside(scaling, parameters.empty() ? "rope_scaling" : "rope_parameters");
    ConfigReader &withTheta = reader.has("rope_theta") ? reader : rope;
    if (!withTheta.has("rope_theta"))
        notes.push_back("config.json has no rope_theta; the references' 10000 is taken");
    // At 1 no pair turns slower than another, and YaRN has nothing to tell them apart by.
    config.ropeTheta = withTheta.number("rope_theta", 10000, 1.001, 1e12);
    const std::string type =
        rope.text(rope.has("rope_type") ? "rope_type" : "type", scaling.empty() ? "default" : "");
    RopeScaling &result = config.ropeScaling;
    if (type == "default") {
        result.kind = RopeScaling::Kind::None;
        return;
    }
    if (type == "linear")
        result.kind = RopeScaling::Kind::Linear;
    else if (type == "dynamic")
        result.kind = RopeScaling::Kind::Dynamic;
    else if (type == "yarn")
        result.kind = RopeScaling::Kind::Yarn;
    else
        rope.refuse("type", "default, linear, dynamic or yarn", '"' + type + '"');
    result.factor = rope.number("factor", {}, 1e-3, 1e6);
    result.originalMaxPositionEmbeddings = rope.number("original_max_position_embeddings", 4096, 1, 1e9);
    result.betaFast = rope.number("beta_fast", 32, 1e-6, 1e9);
    result.betaSlow = rope.number("beta_slow", 1, 1e-6, 1e9);
    result.mscale = rope.number("mscale", 1, 0, 1e3);
    result.mscaleAllDim = rope.number("mscale_all_dim", 0, 0, 1e3);
}

void readExperts(ConfigReader &reader, DecoderConfig &config)
{
    config.nRoutedExperts = reader.sizeOrNull("n_routed_experts", kMostExperts);
    config.nSharedExperts = reader.sizeOrNull("n_shared_experts", 1024);
    config.firstKDenseReplace = reader.size("first_k_dense_replace", {}, 0, 1 << 20);
    if (config.nRoutedExperts == 0)
        return;
    config.moeIntermediateSize = reader.size("moe_intermediate_size");
    config.numExpertsPerTok = reader.size("num_experts_per_tok");
    config.moeLayerFreq = reader.size("moe_layer_freq", 1);
    config.nGroup = reader.size("n_group");
    config.topkGroup = reader.size("topk_group");
    config.normTopkProb = reader.truth("norm_topk_prob", true);
    config.routedScalingFactor = static_cast<float>(reader.number("routed_scaling_factor", {}, 0, 1e6));

    const std::string scoring = reader.text("scoring_func", "sigmoid");
    const std::string method = reader.text("topk_method", "noaux_tc");
    config.softmaxScoring = scoring == "softmax";
    config.correctionBias = method == "noaux_tc";
    config.groupByMax = method == "group_limited_greedy";
    if (!config.softmaxScoring && scoring != "sigmoid")
        reader.refuse("scoring_func", "sigmoid or softmax", '"' + scoring + '"');
    if (!config.correctionBias && !config.groupByMax && method != "greedy")
        reader.refuse("topk_method", "noaux_tc, greedy or group_limited_greedy", '"' + method + '"');
    if (method == "greedy")
        config.nGroup = config.topkGroup = 1;

    if (config.nRoutedExperts % config.nGroup != 0)
        reader.refuse("n_group", "a divisor of n_routed_experts", std::to_string(config.nGroup));
    else if (config.topkGroup > config.nGroup)
        reader.refuse("topk_group", "at most n_group", std::to_string(config.topkGroup));
    else if (config.nGroup > 1 && !config.groupByMax && config.nRoutedExperts / config.nGroup < 2)
        reader.refuse("n_group", "at least two experts a group", std::to_string(config.nGroup));
    else if (config.numExpertsPerTok > config.nRoutedExperts / config.nGroup * config.topkGroup)
        reader.refuse("num_experts_per_tok", "at most the experts of the kept groups",
                      std::to_string(config.numExpertsPerTok));
}

/// What the kernels address in 32 bits: a row of activations, of which there are up to 256 at a time.
void checkWidths(ConfigReader &reader, const DecoderConfig &config)
{
    constexpr std::uint64_t kWidest = (1u << 24) - 1;
    const std::uint64_t heads = config.numAttentionHeads;
    const auto bound = [&](const char *key, const std::string &what, std::uint64_t width) {
        if (width > kWidest)
            reader.refuse(key,
                          "so small that " + what + " has at most " + std::to_string(kWidest) + " values",
                          "one of " + std::to_string(width));
    };
    const auto widest = std::max({config.qkNopeHeadDim, config.kvLoraRank});
    bound("num_attention_heads", "the query of all heads",
          heads * (std::uint64_t{widest} + config.qkRopeHeadDim));
    bound("num_attention_heads", "the value of all heads",
          heads * (std::uint64_t{config.qkNopeHeadDim} + config.vHeadDim));
    bound("n_shared_experts", "the MLP of the shared experts",
          std::uint64_t{config.nSharedExperts} * config.moeIntermediateSize);
    bound("kv_lora_rank", "a row of the cache", std::uint64_t{config.kvLoraRank} + config.qkRopeHeadDim);
}

DecoderConfig readDecoder(ConfigReader &reader, std::vector<std::string> &notes)
{
    DecoderConfig config;
    config.vocabSize = reader.size("vocab_size");
    config.hiddenSize = reader.size("hidden_size");
    config.numHiddenLayers = reader.size("num_hidden_layers", {}, 1, 4096);
    config.numAttentionHeads = reader.size("num_attention_heads", {}, 1, kMostHeads);
    config.qLoraRank = reader.sizeOrNull("q_lora_rank", 1 << 20);
    config.kvLoraRank = reader.size("kv_lora_rank");
    config.qkNopeHeadDim = reader.size("qk_nope_head_dim", {}, 1, kWidestNope);
    config.qkRopeHeadDim = reader.size("qk_rope_head_dim");
    config.vHeadDim = reader.size("v_head_dim");
    config.intermediateSize = reader.size("intermediate_size");
    config.rmsNormEps = static_cast<float>(reader.number("rms_norm_eps", {}, 0, 1));
    config.maxPositionEmbeddings = reader.size("max_position_embeddings", {}, 1, 1u << 30);
    config.attentionBias = reader.truth("attention_bias", false);
    config.tieWordEmbeddings = reader.truth("tie_word_embeddings", false);
    readExperts(reader, config);
    readRope(reader, config, notes);
    checkWidths(reader, config);
    if (config.kvLoraRank % 4 != 0)
        reader.refuse("kv_lora_rank", "a multiple of 4", std::to_string(config.kvLoraRank));
    if (config.qkRopeHeadDim % 4 != 0)
        reader.refuse("qk_rope_head_dim", "a multiple of 4", std::to_string(config.qkRopeHeadDim));
    if (const std::string act = reader.text("hidden_act", "silu"); act != "silu")
        reader.refuse("hidden_act", "silu", '"' + act + '"');
    return config;
}

VisionConfig readVision(ConfigReader &reader, bool kimiVl, std::uint32_t textHiddenSize)
{
    VisionConfig config;
    config.kimiVl = kimiVl;
    config.hiddenSize = reader.size(reader.either("vt_hidden_size", "hidden_size"), {}, 1, 1 << 20);
    config.numHiddenLayers =
        reader.size(reader.either("vt_num_hidden_layers", "num_hidden_layers"), {}, 1, 4096);
    config.numAttentionHeads = reader.size(reader.either("vt_num_attention_heads", "num_attention_heads"));
    config.intermediateSize =
        reader.size(reader.either("vt_intermediate_size", "intermediate_size"), {}, 1, 1 << 22);
    config.patchSize = reader.size("patch_size", 14, 1, 1024);
    config.posEmbHeight = reader.size(reader.either("init_pos_emb_height", "pos_emb_height"), 64, 1, 65536);
    config.posEmbWidth = reader.size(reader.either("init_pos_emb_width", "pos_emb_width"), 64, 1, 65536);
    config.posEmbTime =
        kimiVl ? 1 : reader.size(reader.either("init_pos_emb_time", "pos_emb_time"), 4, 1, 1024);
    const std::vector<std::uint32_t> merge = reader.sizes("merge_kernel_size", {2, 2});
    if (merge.size() != 2 || merge[0] != 2 || merge[1] != 2)
        reader.refuse("merge_kernel_size", "[2, 2]", "something else");
    config.projectorLnEps = static_cast<float>(reader.number("projector_ln_eps", 1e-5, 0, 1));
    config.textHiddenSize =
        reader.size(reader.either("text_hidden_size", "projection_hidden_size"), textHiddenSize);

    const std::pair<const char *, const char *> only[] = {
        {"merge_type",        "sd2_tpool"       },
        {"pos_emb_type",      "divided_fixed"   },
        {"video_attn_type",   "spatial_temporal"},
        {"mm_projector_type", "patchmerger"     }
    };
    for (const auto &[key, value] : only) {
        if (const std::string found = reader.text(key, value); found != value)
            reader.refuse(key, '"' + std::string(value) + '"', '"' + found + '"');
    }
    if (config.numAttentionHeads == 0 || config.hiddenSize % (4 * config.numAttentionHeads) != 0)
        reader.refuse("hidden_size", "a multiple of 4 times the number of heads",
                      std::to_string(config.hiddenSize));
    if (config.textHiddenSize != textHiddenSize)
        reader.refuse("text_hidden_size", "the decoder's hidden_size, " + std::to_string(textHiddenSize),
                      std::to_string(config.textHiddenSize));
    return config;
}

std::optional<QuantizationConfig> readQuantization(ConfigReader &reader)
{
    QuantizationConfig config;
    config.method = reader.text("quant_method", "");
    config.format = reader.text("format", "");
    if (config.method == "fp8") {
        const std::vector<std::uint32_t> size = reader.sizes("weight_block_size", {});
        if (size != std::vector<std::uint32_t>{128, 128}) {
            reader.refuse("weight_block_size", "[128, 128]", size.empty() ? "nothing" : "other sizes");
            return config;
        }
        config.blockRows = size[0];
        config.blockColumns = size[1];
    } else if (config.method == "compressed-tensors") {
        const json &groups = reader.object("config_groups");
        const json none = json::object();
        const json &group = groups.empty() ? none : *groups.begin();
        if (!group.is_object())
            reader.refuse("config_groups", "objects of objects", "something else");
        ConfigReader each = reader.inside(group.is_object() ? group : none, "config_groups.*");
        ConfigReader inner = each.inside(each.object("weights"), "weights");
        config.bits = inner.size("num_bits", {}, 1, 64);
        config.groupSize = inner.size("group_size", {}, 1, 1 << 20);
        if (config.format != "pack-quantized" || config.bits != 4 || config.groupSize != 32 ||
            !inner.truth("symmetric", true))
            reader.refuse("format", "pack-quantized with 4 symmetric bits in groups of 32",
                          config.format + " with " + std::to_string(config.bits) + " bits in groups of " +
                              std::to_string(config.groupSize));
    } else {
        reader.refuse("quant_method", "compressed-tensors or fp8", '"' + config.method + '"');
    }
    return config;
}

std::optional<std::uint32_t> tokenId(const json &top, const json &text, const char *key)
{
    for (const json *object : {&top, &text}) {
        const auto found = object->find(key);
        if (found != object->end() && found->is_number_unsigned() &&
            found->get<std::uint64_t>() <= UINT32_MAX)
            return found->get<std::uint32_t>();
    }
    return {};
}

void readTokens(const json &top, const json &text, ModelConfig &config)
{
    config.bosTokenId = tokenId(top, text, "bos_token_id");
    config.padTokenId = tokenId(top, text, "pad_token_id");
    if (const auto one = tokenId(top, text, "eos_token_id"))
        config.eosTokenIds.push_back(*one);
    for (const json *object : {&top, &text}) { // generation configs may list several
        const auto list = object->find("eos_token_id");
        if (!config.eosTokenIds.empty() || list == object->end() || !list->is_array())
            continue;
        for (const json &id : *list) {
            if (id.is_number_unsigned() && id.get<std::uint64_t>() <= UINT32_MAX)
                config.eosTokenIds.push_back(id.get<std::uint32_t>());
        }
    }
    if (const auto media = tokenId(top, text, "media_placeholder_token_id"))
        config.mediaPlaceholderTokenId = *media;
    else if (const auto image = tokenId(top, text, "image_token_id"))
        config.mediaPlaceholderTokenId = *image;
}

ModelConfig readModel(const json &top, ConfigReader &reader)
{
    ModelConfig config;
    config.modelType = reader.text("model_type", "");
    config.architecture = config.modelType;
    if (const auto list = top.find("architectures");
        list != top.end() && list->is_array() && !list->empty() && list->front().is_string())
        config.architecture = list->front().get<std::string>();

    const bool nested = config.modelType == "kimi_k25" || config.modelType == "kimi_vl";
    if (!nested && config.modelType != "kimi_k2" && config.modelType != "deepseek_v3")
        reader.refuse("model_type", "kimi_k25, kimi_vl, kimi_k2 or deepseek_v3",
                      '"' + config.modelType + '"');
    const json &sizes = reader.object("text_config");
    if (nested && sizes.empty())
        reader.refuse("text_config", "the decoder's sizes", "nothing");
    const json &text = nested ? sizes : top;
    ConfigReader decoder = nested ? reader.inside(text, "text_config") : reader.inside(top, "");
    config.prefix = nested ? "language_model." : "";
    if (!reader.firstFault().empty())
        return config;
    config.decoder = readDecoder(decoder, config.notes);

    const json &ofText = decoder.object("quantization_config"), &ofAll = reader.object("quantization_config");
    const json &block = ofText.empty() ? ofAll : ofText;
    ConfigReader quantization = reader.inside(block, "quantization_config");
    if (!block.empty())
        config.quantization = readQuantization(quantization);

    const json &tower = reader.object("vision_config");
    if (nested && !tower.empty()) {
        ConfigReader vision = reader.inside(tower, "vision_config");
        config.vision = readVision(vision, config.modelType == "kimi_vl", config.decoder.hiddenSize);
    }
    readTokens(top, text, config);
    if (config.architecture.find("SequenceClassification") != std::string::npos) {
        const json &labels = reader.object("id2label");
        config.numLabels =
            reader.size("num_labels", labels.empty() ? 2 : static_cast<std::uint32_t>(labels.size()));
    }
    return config;
}

} // namespace

Result<ModelConfig> parseConfig(std::string_view text, const std::string &file)
{
    if (!nestsAtMost(text, kDeepestConfig))
        return Error{ErrorCode::Corrupt,
                     file + " nests deeper than " + std::to_string(kDeepestConfig) + " levels"};
    if (Status good = checkJsonObject(text, file); !good)
        return std::move(good).error();
    const json top = json::parse(text, nullptr, false);
    if (!top.is_object())
        return Error{ErrorCode::Corrupt, file + " is not a JSON object"};
    std::string fault;
    ConfigReader reader(top, "", fault);
    ModelConfig config = readModel(top, reader);
    if (!fault.empty())
        return Error{ErrorCode::Unsupported, file + ": " + fault};
    return config;
}

Result<ModelConfig> readConfig(const std::string &folder)
{
    const std::string file = folder + "/config.json";
    const Result<std::string> text = readJsonFile(file, kLongestConfig);
    if (!text)
        return text.error();
    return parseConfig(*text, file);
}

} // namespace perilune
