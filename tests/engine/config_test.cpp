// What config.json may say, in old and new spellings, and the sentence where it says something else.
#include "engine/model/config.h"

#include <QFile>
#include <QTest>

using namespace perilune;

namespace {

QByteArray flat()
{
    return R"({
        "model_type": "deepseek_v3", "architectures": ["DeepseekV3ForCausalLM"],
        "vocab_size": 512, "hidden_size": 128, "num_hidden_layers": 3, "num_attention_heads": 4,
        "q_lora_rank": null, "kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 16, "v_head_dim": 16,
        "intermediate_size": 256, "moe_intermediate_size": 48, "n_routed_experts": 8, "num_experts_per_tok": 3,
        "n_shared_experts": 2, "first_k_dense_replace": 1, "moe_layer_freq": 1, "n_group": 1, "topk_group": 1,
        "scoring_func": "sigmoid", "topk_method": "noaux_tc", "norm_topk_prob": true, "routed_scaling_factor": 2.446,
        "rms_norm_eps": 1e-05, "rope_theta": 50000.0, "max_position_embeddings": 8192, "eos_token_id": 502
    })";
}

Result<ModelConfig> parse(const QByteArray &json)
{
    return parseConfig(json.toStdString(), "config.json");
}

QByteArray checkpoint(const char *name)
{
    QFile file(QString(TEST_DATA_DIR "/model/%1/config.json").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ConfigTest : public QObject {
    Q_OBJECT

private slots:
    void flatConfigIsRead();
    void nestedConfigIsRead();
    void visionKeysOfBothLayoutsAreRead();
    void newSpellingOfRopeIsRead();
    void aMissingThetaIsNoted();
    void faultsAreNamed_data();
    void faultsAreNamed();
};

void ConfigTest::flatConfigIsRead()
{
    const Result<ModelConfig> config = parse(flat());

    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->prefix, std::string());
    QCOMPARE(config->decoder.qLoraRank, 0u);
    QCOMPARE(config->decoder.nSharedExperts, 2u);
    QCOMPARE(config->decoder.routedScalingFactor, 2.446f);
    QVERIFY(!config->decoder.isMoe(0) && config->decoder.isMoe(1));
    QVERIFY(config->decoder.ropeScaling.kind == RopeScaling::Kind::None);
    QCOMPARE(config->eosTokenIds, std::vector<std::uint32_t>{502});
    QVERIFY(!config->vision && !config->quantization && config->numLabels == 0);
}

void ConfigTest::nestedConfigIsRead()
{
    const Result<ModelConfig> config = parse(checkpoint("tiny-k25"));

    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->architecture, std::string("KimiK25ForConditionalGeneration"));
    QCOMPARE(config->prefix, std::string("language_model."));
    QCOMPARE(config->decoder.qLoraRank, 48u);
    QVERIFY(config->decoder.ropeScaling.kind == RopeScaling::Kind::Yarn);
    QCOMPARE(config->decoder.ropeScaling.factor, 8.0);
    QCOMPARE(config->mediaPlaceholderTokenId, 506u);
    QVERIFY(config->quantization.has_value());
    QCOMPARE(config->quantization->method, std::string("compressed-tensors"));
    QCOMPARE(config->quantization->groupSize, 32u);
}

void ConfigTest::visionKeysOfBothLayoutsAreRead()
{
    const Result<ModelConfig> k25 = parse(checkpoint("tiny-k25"));
    const Result<ModelConfig> kimiVl = parse(checkpoint("tiny-kimi-vl"));

    QVERIFY(k25 && k25->vision && kimiVl && kimiVl->vision);
    QCOMPARE(k25->vision->hiddenSize, 96u);
    QCOMPARE(k25->vision->posEmbTime, 4u);
    QVERIFY(!k25->vision->kimiVl);
    QCOMPARE(kimiVl->vision->hiddenSize, 80u);
    QCOMPARE(kimiVl->vision->posEmbTime, 1u);
    QCOMPARE(kimiVl->vision->textHiddenSize, 112u);
    QVERIFY(kimiVl->vision->kimiVl);
}

void ConfigTest::newSpellingOfRopeIsRead()
{
    QByteArray json = flat();
    json.replace(
        R"("rope_theta": 50000.0,)",
        R"("rope_parameters": {"rope_type": "yarn", "rope_theta": 123.0, "factor": 4, "mscale_all_dim": 0.5},)");

    const Result<ModelConfig> config = parse(json);

    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->decoder.ropeTheta, 123.0);
    QCOMPARE(config->decoder.ropeScaling.factor, 4.0);
    QCOMPARE(config->decoder.ropeScaling.mscaleAllDim, 0.5);
    QCOMPARE(config->decoder.ropeScaling.betaFast, 32.0);
    json.replace(R"("rope_type": "yarn")", R"("rope_type": "default")");
    QVERIFY(parse(json)->decoder.ropeScaling.kind == RopeScaling::Kind::None);
}

void ConfigTest::aMissingThetaIsNoted()
{
    QByteArray json = flat();
    QVERIFY(parse(json)->notes.empty());
    json.replace(R"("rope_theta": 50000.0,)", "");

    const Result<ModelConfig> config = parse(json);

    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->decoder.ropeTheta, 10000.0);
    QCOMPARE(config->notes.size(), std::size_t(1));
    QVERIFY(config->notes[0].find("rope_theta") != std::string::npos);
}

void ConfigTest::faultsAreNamed_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("says");
    const auto changed = [](const char *name, const char *from, const char *to, const char *says) {
        QByteArray json = flat();
        if (!json.contains(from))
            qFatal("no %s", from);
        QTest::newRow(name) << json.replace(from, to) << says;
    };
    QTest::newRow("not JSON") << QByteArray("{") << "not a JSON object";
    QTest::newRow("a list") << QByteArray("[]") << "not a JSON object";
    QTest::newRow("deep") << QByteArray(100000, '[') << "nests deeper";
    changed("other model", "deepseek_v3", "llama",
            "model_type must be kimi_k25, kimi_vl, kimi_k2 or deepseek_v3, but there is \"llama\"");
    changed("no text config", "deepseek_v3", "kimi_k25", "text_config");
    changed("missing size", "\"hidden_size\": 128,", "",
            "hidden_size must be a whole number, but there is nothing");
    changed("missing rank", "\"q_lora_rank\": null,", "",
            "q_lora_rank must be a whole number, but there is nothing");
    changed("text for a size", "\"vocab_size\": 512", "\"vocab_size\": \"512\"",
            "vocab_size must be a whole number from 1");
    changed("negative", "\"v_head_dim\": 16", "\"v_head_dim\": -16", "there is -16");
    changed("huge", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 1000000000", "num_hidden_layers");
    changed("odd rope", "\"qk_rope_head_dim\": 16", "\"qk_rope_head_dim\": 15",
            "qk_rope_head_dim must be a multiple of 4");
    changed("odd rank", "\"kv_lora_rank\": 32", "\"kv_lora_rank\": 30",
            "kv_lora_rank must be a multiple of 4");
    changed("too many experts", "\"n_routed_experts\": 8", "\"n_routed_experts\": 1025", "from 0 to 1024");
    changed("too many heads", "\"num_attention_heads\": 4", "\"num_attention_heads\": 65536",
            "from 1 to 65535");
    changed("too wide heads", "\"qk_nope_head_dim\": 16", "\"qk_nope_head_dim\": 8193", "from 1 to 8192");
    changed("other scoring", "\"sigmoid\"", "\"tanh\"", "scoring_func must be sigmoid or softmax");
    changed("other method", "\"noaux_tc\"", "\"best\"", "topk_method");
    changed("groups", "\"n_group\": 1", "\"n_group\": 3", "a divisor of n_routed_experts");
    changed("kept groups", "\"topk_group\": 1", "\"topk_group\": 2", "topk_group must be at most n_group");
    changed("chosen", "\"num_experts_per_tok\": 3", "\"num_experts_per_tok\": 9", "at most the experts");
    changed("other rope", "\"rope_theta\": 50000.0",
            "\"rope_theta\": 5.0, \"rope_scaling\": {\"type\": \"longrope\", \"factor\": 2}", "\"longrope\"");
    changed("no factor", "\"rope_theta\": 50000.0",
            "\"rope_theta\": 5.0, \"rope_scaling\": {\"type\": \"yarn\"}", "rope_scaling.factor");
    changed("8 bits", "\"eos_token_id\": 502",
            R"("quantization_config": {"quant_method": "compressed-tensors", "format": "pack-quantized",
               "config_groups": {"group_0": {"weights": {"num_bits": 8, "group_size": 32, "symmetric": true}}}})",
            "4 symmetric bits");
    changed("block size", "\"eos_token_id\": 502",
            R"("quantization_config": {"quant_method": "fp8", "weight_block_size": [64, 128]})",
            "[128, 128]");
    changed("text for a rope", "\"rope_theta\": 50000.0", "\"rope_theta\": 5.0, \"rope_scaling\": \"yarn\"",
            "rope_scaling must be an object, but there is \"yarn\"");
    changed("list for a rope", "\"rope_theta\": 50000.0",
            "\"rope_theta\": 5.0, \"rope_scaling\": [{\"type\": \"yarn\"}]",
            "rope_scaling must be an object, but there is [");
    changed("text for a quantization", "\"eos_token_id\": 502", "\"quantization_config\": \"fp8\"",
            "quantization_config must be an object, but there is \"fp8\"");
    changed("list for a tower", "\"eos_token_id\": 502", "\"vision_config\": []",
            "vision_config must be an object, but there is []");
    changed("theta that turns nothing", "\"rope_theta\": 50000.0", "\"rope_theta\": 1",
            "rope_theta must be a number from 1.001 to 1e+12, but there is 1");
    changed("a key twice", "\"eos_token_id\": 502", "\"rope_theta\": 5", "rope_theta stands there twice");
    changed("an inner key twice", "\"eos_token_id\": 502", R"("x": [{"a": 1, "a": 2}])",
            "a stands there twice");
    changed("not a number", "\"rope_theta\": 50000.0", "\"rope_theta\": NaN",
            "rope_theta must be a JSON value, but there is NaN");
    changed("infinite", "\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": -Infinity",
            "rms_norm_eps must be a JSON value, but there is -Infinity");
    changed("a range", "\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": 2",
            "rms_norm_eps must be a number from 0 to 1, but there is 2");
    QByteArray wide = flat();
    wide.replace("\"num_attention_heads\": 4", "\"num_attention_heads\": 65535");
    wide.replace("\"kv_lora_rank\": 32", "\"kv_lora_rank\": 16777216");
    QTest::newRow("heads too wide together") << wide << "the query of all heads has at most 16777215 values";
    changed("other quantization", "\"eos_token_id\": 502",
            R"("quantization_config": {"quant_method": "awq"})", "\"awq\"");
}

void ConfigTest::faultsAreNamed()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, says);

    const Result<ModelConfig> config = parse(json);

    QVERIFY(!config);
    const QString message = QString::fromStdString(config.error().message);
    QVERIFY2(message.startsWith("config.json") && message.contains(says), qPrintable(message));
}

QTEST_GUILESS_MAIN(ConfigTest)
#include "config_test.moc"
