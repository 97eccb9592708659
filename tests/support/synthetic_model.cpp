#include "tests/support/synthetic_model.h"

#include "engine/base/bfloat16.h"
#include "engine/base/check.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace perilune::test {

namespace {

using Json = nlohmann::ordered_json;
using Shape = std::vector<std::uint64_t>;

enum class Format { Bf16, Int4Experts, Fp8 };

/// What the published configs say, in their own words.
struct Sizes {
    std::uint64_t layers, hidden, heads, qLora, moeIntermediate, intermediate, experts, chosen, shared;
    Format format = Format::Bf16;
    bool staleTables = false; ///< rotary_emb.inv_freq of each layer
};

constexpr std::uint64_t kVocabulary = 163840, kLatent = 512, kNope = 128, kRope = 64, kValue = 128;
constexpr std::uint64_t kTowerWidth = 1152, kTowerBlocks = 27, kTowerInner = 4304;

class Builder {
public:
    Builder(const Sizes &sizes, std::string prefix) : m(sizes), m_prefix(std::move(prefix)) {}

    std::vector<SyntheticTensor> tensors;

    void decoder()
    {
        plain(m_prefix + "model.embed_tokens.weight", {kVocabulary, m.hidden});
        for (std::uint64_t i = 0; i < m.layers; ++i)
            layer(i, m_prefix + "model.layers." + std::to_string(i) + ".");
        plain(m_prefix + "model.norm.weight", {m.hidden});
        plain(m_prefix + "lm_head.weight", {kVocabulary, m.hidden});
    }

    void vision(const std::string &projector, const char *first, const char *second)
    {
        const std::uint64_t d = kTowerWidth;
        pair("vision_tower.patch_embed.proj", {d, 3, 14, 14});
        plain("vision_tower.patch_embed.pos_emb.weight", {64, 64, d});
        for (std::uint64_t i = 0; i < kTowerBlocks; ++i) {
            const std::string block = "vision_tower.encoder.blocks." + std::to_string(i) + ".";
            pair(block + "norm0", {d});
            pair(block + "norm1", {d});
            pair(block + "wqkv", {3 * d, d});
            pair(block + "wo", {d, d});
            pair(block + "mlp.fc0", {kTowerInner, d});
            pair(block + "mlp.fc1", {d, kTowerInner});
        }
        pair("vision_tower.encoder.final_layernorm", {d});
        pair(projector + "pre_norm", {d});
        pair(projector + first, {4 * d, 4 * d});
        pair(projector + second, {m.hidden, 4 * d});
    }

private:
    void plain(const std::string &name, Shape shape, StoredType type = StoredType::BF16)
    {
        tensors.push_back({name, type, std::move(shape)});
    }
    void pair(const std::string &stem, const Shape &shape)
    {
        plain(stem + ".weight", shape);
        plain(stem + ".bias", {shape.front()});
    }
    void linear(const std::string &stem, std::uint64_t rows, std::uint64_t columns)
    {
        if (m.format != Format::Fp8)
            return plain(stem + ".weight", {rows, columns});
        plain(stem + ".weight", {rows, columns}, StoredType::F8E4M3);
        plain(stem + ".weight_scale_inv", {(rows + 127) / 128, (columns + 127) / 128}, StoredType::F32);
    }
    void expert(const std::string &stem, std::uint64_t rows, std::uint64_t columns)
    {
        if (m.format != Format::Int4Experts)
            return linear(stem, rows, columns);
        plain(stem + ".weight_packed", {rows, columns / 8}, StoredType::I32);
        plain(stem + ".weight_scale", {rows, columns / 32});
        plain(stem + ".weight_shape", {2}, StoredType::I32);
    }
    void mlp(const std::string &prefix, std::uint64_t inner)
    {
        linear(prefix + "gate_proj", inner, m.hidden);
        linear(prefix + "up_proj", inner, m.hidden);
        linear(prefix + "down_proj", m.hidden, inner);
    }

    void layer(std::uint64_t index, const std::string &prefix)
    {
        const std::string attention = prefix + "self_attn.";
        plain(prefix + "input_layernorm.weight", {m.hidden});
        plain(prefix + "post_attention_layernorm.weight", {m.hidden});
        if (m.qLora > 0) {
            linear(attention + "q_a_proj", m.qLora, m.hidden);
            plain(attention + "q_a_layernorm.weight", {m.qLora});
            linear(attention + "q_b_proj", m.heads * (kNope + kRope), m.qLora);
        } else {
            linear(attention + "q_proj", m.heads * (kNope + kRope), m.hidden);
        }
        linear(attention + "kv_a_proj_with_mqa", kLatent + kRope, m.hidden);
        plain(attention + "kv_a_layernorm.weight", {kLatent});
        linear(attention + "kv_b_proj", m.heads * (kNope + kValue), kLatent);
        linear(attention + "o_proj", m.hidden, m.heads * kValue);
        if (m.staleTables)
            plain(attention + "rotary_emb.inv_freq", {56});
        if (index == 0)
            return mlp(prefix + "mlp.", m.intermediate);
        plain(prefix + "mlp.gate.weight", {m.experts, m.hidden});
        plain(prefix + "mlp.gate.e_score_correction_bias", {m.experts}, StoredType::F32);
        for (std::uint64_t e = 0; e < m.experts; ++e) {
            const std::string stem = prefix + "mlp.experts." + std::to_string(e) + ".";
            expert(stem + "gate_proj", m.moeIntermediate, m.hidden);
            expert(stem + "up_proj", m.moeIntermediate, m.hidden);
            expert(stem + "down_proj", m.hidden, m.moeIntermediate);
        }
        mlp(prefix + "mlp.shared_experts.", m.moeIntermediate * m.shared);
    }

    const Sizes &m;
    std::string m_prefix;
};

Json decoderConfig(const Sizes &sizes)
{
    return {
        {"vocab_size",              kVocabulary          },
        {"hidden_size",             sizes.hidden         },
        {"num_hidden_layers",       sizes.layers         },
        {"num_attention_heads",     sizes.heads          },
        {"num_key_value_heads",     sizes.heads          },
        {"q_lora_rank",             nullptr              },
        {"kv_lora_rank",            kLatent              },
        {"qk_nope_head_dim",        kNope                },
        {"qk_rope_head_dim",        kRope                },
        {"v_head_dim",              kValue               },
        {"intermediate_size",       sizes.intermediate   },
        {"moe_intermediate_size",   sizes.moeIntermediate},
        {"n_routed_experts",        sizes.experts        },
        {"num_experts_per_tok",     sizes.chosen         },
        {"n_shared_experts",        sizes.shared         },
        {"first_k_dense_replace",   1                    },
        {"moe_layer_freq",          1                    },
        {"n_group",                 1                    },
        {"topk_group",              1                    },
        {"scoring_func",            "sigmoid"            },
        {"topk_method",             "noaux_tc"           },
        {"norm_topk_prob",          true                 },
        {"routed_scaling_factor",   2.446                },
        {"rms_norm_eps",            1e-5                 },
        {"rope_theta",              50000.0              },
        {"max_position_embeddings", 8192                 },
        {"hidden_act",              "silu"               },
        {"tie_word_embeddings",     false                }
    };
}

Json yarn(double factor, double betaFast)
{
    return {
        {"type",                             "yarn"  },
        {"factor",                           factor  },
        {"original_max_position_embeddings", 4096    },
        {"beta_fast",                        betaFast},
        {"beta_slow",                        1.0     },
        {"mscale",                           1.0     },
        {"mscale_all_dim",                   1.0     }
    };
}

Json int4Block()
{
    const Json weights{
        {"num_bits",   4      },
        {"group_size", 32     },
        {"symmetric",  true   },
        {"strategy",   "group"},
        {"type",       "int"  }
    };
    const Json group{
        {"weights", weights                },
        {"targets", Json::array({"Linear"})}
    };
    return {
        {"quant_method",  "compressed-tensors"                                                 },
        {"format",        "pack-quantized"                                                     },
        {"config_groups", Json{{"group_0", group}}                                             },
        {"ignore",        Json::array({"lm_head", "re:.*self_attn.*", "re:.*shared_experts.*"})}
    };
}

/// model-00001-of-000064.safetensors, or whatever the two numbers of digits make of it.
std::vector<std::string> shardNames(int count, int digits, int digitsOfAll)
{
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i) {
        char name[64];
        std::snprintf(name, sizeof name, "model-%0*d-of-%0*d.safetensors", digits, i, digitsOfAll, count);
        names.emplace_back(name);
    }
    return names;
}

SyntheticModel k25(unsigned layers)
{
    const Sizes sizes{.layers = layers ? layers : 61u,
                      .hidden = 7168,
                      .heads = 64,
                      .qLora = 1536,
                      .moeIntermediate = 2048,
                      .intermediate = 18432,
                      .experts = 384,
                      .chosen = 8,
                      .shared = 1,
                      .format = Format::Int4Experts};
    Builder builder(sizes, "language_model.");
    builder.decoder();
    builder.vision("mm_projector.", "proj.0", "proj.2");
    Json text = decoderConfig(sizes);
    text["model_type"] = "kimi_k2";
    text["q_lora_rank"] = sizes.qLora;
    text["routed_scaling_factor"] = 2.827;
    text["max_position_embeddings"] = 262144;
    text["rope_scaling"] = yarn(64, 32);
    text["quantization_config"] = int4Block();
    const Json vision{
        {"vt_hidden_size",         kTowerWidth    },
        {"vt_num_hidden_layers",   kTowerBlocks   },
        {"vt_num_attention_heads", 16             },
        {"vt_intermediate_size",   kTowerInner    },
        {"patch_size",             14             },
        {"init_pos_emb_height",    64             },
        {"init_pos_emb_width",     64             },
        {"init_pos_emb_time",      4              },
        {"merge_kernel_size",      {2, 2}         },
        {"merge_type",             "sd2_tpool"    },
        {"pos_emb_type",           "divided_fixed"},
        {"mm_projector_type",      "patchmerger"  },
        {"mm_hidden_size",         kTowerWidth    },
        {"text_hidden_size",       sizes.hidden   },
        {"projector_ln_eps",       1e-5           }
    };
    const Json top{
        {"architectures",              Json::array({"KimiK25ForConditionalGeneration"})},
        {"model_type",                 "kimi_k25"                                      },
        {"media_placeholder_token_id", 163605                                          },
        {"pad_token_id",               163839                                          },
        {"text_config",                text                                            },
        {"vision_config",              vision                                          }
    };
    return {top.dump(2), std::move(builder.tensors), shardNames(64, 5, 6)};
}

SyntheticModel k2Instruct(unsigned layers)
{
    const Sizes sizes{.layers = layers ? layers : 61u,
                      .hidden = 7168,
                      .heads = 64,
                      .qLora = 1536,
                      .moeIntermediate = 2048,
                      .intermediate = 18432,
                      .experts = 384,
                      .chosen = 8,
                      .shared = 1,
                      .format = Format::Fp8,
                      .staleTables = true};
    Builder builder(sizes, "");
    builder.decoder();
    Json top = decoderConfig(sizes);
    top["architectures"] = Json::array({"DeepseekV3ForCausalLM"});
    top["model_type"] = "kimi_k2";
    top["q_lora_rank"] = sizes.qLora;
    top["routed_scaling_factor"] = 2.827;
    top["rms_norm_eps"] = 1e-6;
    top["max_position_embeddings"] = 131072;
    top["rope_scaling"] = yarn(32, 1);
    top["quantization_config"] = {
        {"quant_method",      "fp8"     },
        {"fmt",               "e4m3"    },
        {"activation_scheme", "dynamic" },
        {"weight_block_size", {128, 128}}
    };
    return {top.dump(2), std::move(builder.tensors), shardNames(61, 1, 1)};
}

Sizes smallSizes(unsigned layers)
{
    return {.layers = layers ? layers : 27u,
            .hidden = 2048,
            .heads = 16,
            .qLora = 0,
            .moeIntermediate = 1408,
            .intermediate = 11264,
            .experts = 64,
            .chosen = 6,
            .shared = 2};
}

SyntheticModel kimiVl(unsigned layers)
{
    const Sizes sizes = smallSizes(layers);
    Builder builder(sizes, "language_model.");
    builder.decoder();
    builder.vision("multi_modal_projector.", "linear_1", "linear_2");
    Json text = decoderConfig(sizes);
    text["model_type"] = "deepseek_v3";
    text["rope_theta"] = 800000.0;
    text["max_position_embeddings"] = 131072;
    const Json vision{
        {"model_type",          "moonvit"   },
        {"hidden_size",         kTowerWidth },
        {"num_hidden_layers",   kTowerBlocks},
        {"num_attention_heads", 16          },
        {"intermediate_size",   kTowerInner },
        {"patch_size",          14          },
        {"init_pos_emb_height", 64          },
        {"init_pos_emb_width",  64          },
        {"merge_kernel_size",   {2, 2}      }
    };
    const Json top{
        {"architectures",              Json::array({"KimiVLForConditionalGeneration"})},
        {"model_type",                 "kimi_vl"                                      },
        {"media_placeholder_token_id", 163605                                         },
        {"text_config",                text                                           },
        {"vision_config",              vision                                         }
    };
    return {top.dump(2), std::move(builder.tensors), shardNames(7, 5, 5)};
}

SyntheticModel moonlight(unsigned layers)
{
    const Sizes sizes = smallSizes(layers);
    Builder builder(sizes, "");
    builder.decoder();
    Json top = decoderConfig(sizes);
    top["architectures"] = Json::array({"DeepseekV3ForCausalLM"});
    top["model_type"] = "deepseek_v3";
    return {top.dump(2), std::move(builder.tensors),
            layers ? std::vector<std::string>{"model.safetensors"} : shardNames(27, 5, 5)};
}

/// Repeatable random numbers, fast: checkpoints have gigabytes of them.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15ull + 1) {}
    /// Even in [-1, 1).
    float next()
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return static_cast<float>(static_cast<std::int32_t>(m_state >> 32)) * 0x1p-31f;
    }

private:
    std::uint64_t m_state;
};

std::vector<std::byte> randomBytes(const SyntheticTensor &tensor, Noise &noise)
{
    CHECK(tensor.type == StoredType::BF16 || tensor.type == StoredType::F32);
    std::vector<std::byte> bytes(tensor.bytes());
    std::uint64_t inputs = 1;
    for (std::size_t i = 1; i < tensor.shape.size(); ++i)
        inputs *= tensor.shape[i];
    // Norms near 1, matrices such that outputs are as large as inputs, biases small.
    const bool norm = tensor.shape.size() == 1 && tensor.name.ends_with("norm.weight");
    const float size = tensor.shape.size() == 1 ? 0.1f : std::sqrt(3.0f / static_cast<float>(inputs));
    const std::uint64_t width = bytesOf(tensor.type);
    for (std::uint64_t i = 0; i * width < bytes.size(); ++i) {
        const float value = (norm ? 1.0f : 0.0f) + noise.next() * size;
        const std::uint16_t half = toBfloat16(value);
        std::memcpy(bytes.data() + i * width, width == 2 ? static_cast<const void *>(&half) : &value, width);
    }
    return bytes;
}

std::string entryText(const SyntheticTensor &tensor, std::uint64_t begin)
{
    std::string shape;
    for (const std::uint64_t size : tensor.shape)
        shape += (shape.empty() ? "" : ",") + std::to_string(size);
    return '"' + tensor.name + "\":{\"dtype\":\"" + std::string(nameOf(tensor.type)) + "\",\"shape\":[" +
           shape + "],\"data_offsets\":[" + std::to_string(begin) + ',' +
           std::to_string(begin + tensor.bytes()) + "]}";
}

/// The matrix that X.weight_shape describes: its packed words stand two tensors before it.
std::vector<std::byte> shapeBytes(const SyntheticTensor *shape)
{
    const Shape &packed = (shape - 2)->shape;
    const std::int32_t values[] = {static_cast<std::int32_t>(packed[0]),
                                   static_cast<std::int32_t>(packed[1] * 8)};
    std::vector<std::byte> bytes(sizeof values);
    std::memcpy(bytes.data(), values, sizeof values);
    return bytes;
}

Status writeShard(const std::string &path, std::span<const SyntheticTensor> tensors, unsigned seed)
{
    std::string text = "{";
    std::uint64_t end = 0;
    for (const SyntheticTensor &tensor : tensors) {
        text += (end == 0 ? "" : ",") + entryText(tensor, end);
        end += tensor.bytes();
    }
    text += '}';
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(&length), sizeof length);
    file.write(text.data(), static_cast<std::streamsize>(length));
    Noise noise(seed);
    std::uint64_t place = 8 + length;
    for (const SyntheticTensor &tensor : tensors) {
        const bool shape = tensor.name.ends_with(".weight_shape");
        if (shape || seed > 0) {
            const std::vector<std::byte> bytes = shape ? shapeBytes(&tensor) : randomBytes(tensor, noise);
            file.seekp(static_cast<std::streamoff>(place));
            file.write(reinterpret_cast<const char *>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        }
        place += tensor.bytes();
    }
    file.close();
    std::error_code failed;
    std::filesystem::resize_file(path, place, failed);
    if (!file || failed)
        return Error{ErrorCode::Io, path + " can't be written"};
    return Done{};
}

} // namespace

std::uint64_t SyntheticTensor::bytes() const
{
    std::uint64_t result = bytesOf(type);
    for (const std::uint64_t size : shape)
        result *= size;
    return result;
}

std::uint64_t SyntheticModel::bytes() const
{
    std::uint64_t result = 0;
    for (const SyntheticTensor &tensor : tensors)
        result += tensor.bytes();
    return result;
}

SyntheticModel syntheticModel(const std::string &kind, unsigned layers)
{
    return kind == "k2.5"          ? k25(layers)
           : kind == "k2-instruct" ? k2Instruct(layers)
           : kind == "kimi-vl"     ? kimiVl(layers)
           : kind == "moonlight"   ? moonlight(layers)
                                   : SyntheticModel{};
}

Status writeSynthetic(const SyntheticModel &model, const std::string &folder, unsigned seed)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    std::ofstream(folder + "/config.json") << model.config << '\n';

    // Shards of about the same size, each a run of tensors; a layer may lie in two of them.
    const std::uint64_t all = model.bytes();
    std::string map;
    std::size_t first = 0;
    std::uint64_t before = 0;
    for (std::size_t shard = 0; shard < model.shards.size(); ++shard) {
        std::size_t end = first;
        while (end < model.tensors.size() && before * model.shards.size() < all * (shard + 1)) {
            map +=
                (map.empty() ? "\"" : ",\"") + model.tensors[end].name + "\":\"" + model.shards[shard] + '"';
            before += model.tensors[end++].bytes();
        }
        const std::span<const SyntheticTensor> run(model.tensors.data() + first, end - first);
        if (Status written = writeShard(folder + "/" + model.shards[shard], run,
                                        seed ? seed + static_cast<unsigned>(shard) : 0);
            !written)
            return written;
        first = end;
    }
    if (model.shards.size() > 1)
        std::ofstream(folder + "/model.safetensors.index.json")
            << "{\"metadata\":{\"total_size\":" << all << "},\"weight_map\":{" << map << "}}\n";
    return Done{};
}

} // namespace perilune::test
