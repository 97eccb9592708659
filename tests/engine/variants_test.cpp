// What a config may ask for beyond the tiny checkpoints of the references: tied embeddings, biases of
// attention, layers for several tokens at once. Each against a checkpoint that says the same in other words.
#include "engine/session/opened_model.h"
#include "engine/session/session.h"
#include "engine/weights/safetensors_writer.h"
#include "tests/support/model_golden.h"
#include "tests/support/qtest_strings.h"

#include <filesystem>
#include <map>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
using namespace perilune::test;

class VariantsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aTiedHeadIsTheEmbedding();
    void layersForSeveralTokensAreSkipped();
    void biasesAreAdded();
    void denseLayersBetweenAreAskedFor();

private:
    struct Stored {
        std::vector<std::uint64_t> shape;
        std::vector<float> values;
    };
    using Tensors = std::map<std::string, Stored>;
    struct Outcome {
        std::vector<float> logits;
        std::vector<std::string> notes;
        std::string error;
    };

    /// The logits after a fixed prompt, of a checkpoint with these tensors and tiny-moonlight's config,
    /// changed.
    static Outcome run(const Tensors &tensors, const QByteArray &from = "", const QByteArray &to = "")
    {
        const QTemporaryDir place;
        SafetensorsWriter writer;
        for (const auto &[name, stored] : tensors)
            writer.add(name, stored.shape, std::span<const float>(stored.values));
        QFile source(TEST_DATA_DIR "/model/tiny-moonlight/config.json"),
            changed(place.filePath("config.json"));
        const bool opens = source.open(QFile::ReadOnly) && changed.open(QFile::WriteOnly);
        QByteArray config = source.readAll();
        if (!opens || !config.contains(from) ||
            !writer.write(place.filePath("model.safetensors").toStdString()))
            return {{}, {}, "the checkpoint can't be made"};
        if (!from.isEmpty())
            config.replace(from, to);
        changed.write(config);
        changed.close();
        auto opened = openModel({.folder = place.path().toStdString(),
                                 .device = {},
                                 .cacheFolder = {},
                                 .context = 32,
                                 .chunk = 8,
                                 .quantize = {}},
                                {}, {});
        if (!opened)
            return {{}, {}, opened.error().message};
        Session session(*opened->device, *opened->decoder, nullptr,
                        opened->model->config().decoder.hiddenSize);
        Prompt prompt;
        for (std::uint32_t i = 0; i < 12; ++i)
            prompt.tokens.push_back(3 + i * 7);
        if (const auto synced = session.sync(prompt, {}, {}); !synced)
            return {{}, {}, synced.error().message};
        return {
            {session.logits().begin(), session.logits().end()},
            opened->model->notes(), ""
        };
    }

    Tensors m_tensors; // of tiny-moonlight
    Outcome m_plain;
};

void VariantsTest::initTestCase()
{
    const auto file = SafetensorsFile::open(TEST_DATA_DIR "/model/tiny-moonlight/model.safetensors");
    QVERIFY(file.has_value());
    for (const StoredTensor &tensor : (*file)->tensors())
        m_tensors[tensor.name] = {tensor.shape, *floatsOf(tensor)};
    m_plain = run(m_tensors);
    QCOMPARE(m_plain.error, "");
    QVERIFY(!m_plain.logits.empty() && m_plain.notes.empty());
}

void VariantsTest::aTiedHeadIsTheEmbedding()
{
    Tensors copied = m_tensors, without = m_tensors;
    copied["lm_head.weight"] = copied["model.embed_tokens.weight"];
    without.erase("lm_head.weight");
    const QByteArray key = "\"tie_word_embeddings\": false", tie = "\"tie_word_embeddings\": true";

    const Outcome expected = run(copied);
    const Outcome tied = run(without, key, tie);
    const Outcome withHead = run(m_tensors, key, tie);

    QCOMPARE(tied.error, "");
    QVERIFY(worstError(expected.logits, m_plain.logits) > 0.1);
    QVERIFY(worstError(tied.logits, expected.logits) <= 1e-5);
    QVERIFY(worstError(withHead.logits, expected.logits) <= 1e-5);
    QCOMPARE(withHead.notes.size(), std::size_t(1));
    QVERIFY2(withHead.notes[0].find("lm_head.weight are ignored: the head is tied") != std::string::npos,
             withHead.notes[0].c_str());
}

void VariantsTest::layersForSeveralTokensAreSkipped()
{
    Tensors three = m_tensors;
    std::erase_if(three, [](const auto &tensor) { return tensor.first.starts_with("model.layers.3."); });
    const QByteArray key = "\"num_hidden_layers\": 4", fewer = "\"num_hidden_layers\": 3";

    const Outcome expected = run(three, key, fewer);
    const Outcome skipped = run(m_tensors, key, fewer);
    const Outcome missing = run(three);

    QCOMPARE(skipped.error, "");
    QVERIFY(worstError(expected.logits, m_plain.logits) > 0.01);
    QVERIFY(worstError(skipped.logits, expected.logits) <= 1e-5);
    QCOMPARE(skipped.notes.size(), std::size_t(1));
    QVERIFY(skipped.notes[0].find("multi-token-prediction") != std::string::npos);
    QVERIFY2(missing.error.find("tensor model.layers.3.input_layernorm.weight is missing") !=
                 std::string::npos,
             missing.error.c_str());
}

// A bias of o_proj is what each layer adds to every position; one of the latent that is nothing changes
// nothing.
void VariantsTest::biasesAreAdded()
{
    Tensors zeros = m_tensors;
    for (int layer = 0; layer < 4; ++layer) {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".self_attn.";
        for (const char *name : {"kv_a_proj_with_mqa", "o_proj"}) {
            const std::uint64_t rows = m_tensors.at(prefix + name + ".weight").shape[0];
            zeros[prefix + name + ".bias"] = {{rows}, std::vector<float>(rows, 0.0f)};
        }
    }
    Tensors first = zeros, moved = m_tensors;
    // What the first layer's o_proj adds, and the same added to every embedding, seen past its norms: with
    // o_proj and the latent of layer 0 at nothing both give the same residual to the MLP.
    std::vector<float> &weight = first["model.layers.0.self_attn.o_proj.weight"].values;
    std::fill(weight.begin(), weight.end(), 0.0f);
    moved["model.layers.0.self_attn.o_proj.weight"].values = weight;
    std::vector<float> &bias = first["model.layers.0.self_attn.o_proj.bias"].values;
    for (std::size_t i = 0; i < bias.size(); ++i)
        bias[i] = 0.01f * float(i % 7) - 0.02f;
    std::vector<float> &embeddings = moved["model.embed_tokens.weight"].values;
    for (std::size_t i = 0; i < embeddings.size(); ++i)
        embeddings[i] += bias[i % bias.size()];
    const QByteArray key = "\"attention_bias\": false", on = "\"attention_bias\": true";

    const Outcome same = run(zeros, key, on);
    const Outcome added = run(first, key, on);
    const Outcome expected = run(moved);
    const Outcome without = run(m_tensors, key, on);

    QCOMPARE(same.error, "");
    QVERIFY(worstError(same.logits, m_plain.logits) <= 1e-5);
    QVERIFY2(worstError(added.logits, expected.logits) <= 1e-4,
             qPrintable(QString::number(worstError(added.logits, expected.logits))));
    QVERIFY(worstError(added.logits, same.logits) > 0.01);
    QVERIFY2(without.error.find("kv_a_proj_with_mqa.bias is missing") != std::string::npos,
             without.error.c_str());
}

void VariantsTest::denseLayersBetweenAreAskedFor()
{
    const Outcome dense = run(m_tensors, "\"moe_layer_freq\": 1", "\"moe_layer_freq\": 2");

    QVERIFY2(dense.error.find(
                 "tensor model.layers.1.mlp.gate_proj.weight is missing; config.json asks for it with the "
                 "shape (256, 128)") != std::string::npos,
             dense.error.c_str());
}

QTEST_GUILESS_MAIN(VariantsTest)
#include "variants_test.moc"
