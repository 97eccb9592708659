// The whole language model on every tiny checkpoint, array by array, against the model authors' own modules.
#include "tests/support/model_golden.h"

#include "engine/model/prefill.h"
#include "engine/session/classification.h"
#include "engine/session/sampler.h"

#include <QTest>

using namespace perilune;
using namespace perilune::test;

namespace {

// What tests/data/model/README.md asks of an engine that computes in f32. Logits reach about 19.
constexpr double kTolerance = 2e-3;
constexpr double kWeightTolerance = 1e-4;
// What sets a norm apart from one with another epsilon.
constexpr double kNormTolerance = 1e-5;

/// The first `columns` of each row of `wide`.
std::vector<float> firstColumns(const std::vector<float> &rows, std::size_t wide, std::size_t columns)
{
    std::vector<float> result;
    for (std::size_t at = 0; at < rows.size(); at += wide)
        result.insert(result.end(), rows.begin() + std::ptrdiff_t(at),
                      rows.begin() + std::ptrdiff_t(at + columns));
    return result;
}

} // namespace

class DecoderTest : public QObject {
    Q_OBJECT

private slots:
    void everyArrayEqualsTheReference_data();
    void everyArrayEqualsTheReference();
    void greedyTokensEqualTheReference_data();
    void greedyTokensEqualTheReference();
    void halfCacheKeepsTheTokens();
    void classesEqualTheReference();
    void theLastWordIsPooled();
    void residualsBeyondHalfPrecisionSurvive();

private:
    void compare(const GoldenModel &model, const std::string &prompt, const std::string &golden,
                 const std::vector<float> &actual, double tolerance)
    {
        const double error = worstError(actual, model.floats(prompt + golden));
        m_worst = std::max(m_worst, error);
        QVERIFY2(error <= tolerance,
                 qPrintable(QString::fromStdString(prompt + golden + ": off by ") + QString::number(error)));
    }
    double m_worst = 0;
    int m_norms = 0;
};

void DecoderTest::everyArrayEqualsTheReference_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("chunk");
    for (const char *name : {"tiny-k25", "tiny-moonlight", "tiny-k2-fp8", "tiny-kimi-vl", "tiny-groups"})
        QTest::newRow(name) << name << 256;
    QTest::newRow("tiny-k25 in chunks of 7") << "tiny-k25" << 7;
    QTest::newRow("tiny-moonlight in chunks of 7") << "tiny-moonlight" << 7;
}

void DecoderTest::everyArrayEqualsTheReference()
{
    QFETCH(QString, name);
    QFETCH(int, chunk);
    const auto opened = GoldenModel::open(name.toStdString(), std::uint32_t(chunk));
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    const GoldenModel &model = **opened;
    const std::uint32_t layers = model.opened.model->config().decoder.numHiddenLayers;
    m_worst = 0;
    m_norms = 0;

    for (const std::string &prompt : model.prompts()) {
        const GoldenPrompt input(model, prompt);
        Recorded seen;
        Session session = model.session();
        const auto synced = session.sync(input.prompt, seen.hooks(*model.opened.decoder), {});
        QVERIFY2(synced.has_value(), synced ? "" : synced.error().message.c_str());

        const bool media = model.has(prompt + ".inputs_embeds");
        compare(model, prompt, media ? ".inputs_embeds" : ".embed", seen.floats["inputs_embeds"],
                media ? kTolerance : 0);
        for (std::uint32_t i = 0; i < layers; ++i) {
            const std::string layer = std::to_string(i);
            compare(model, prompt, ".block." + layer, seen.floats["hidden." + layer], kTolerance);
            if (model.has(prompt + ".dbg." + layer + ".kv_a_layernorm")) {
                const DecoderConfig &c = model.opened.model->config().decoder;
                compare(model, prompt, ".dbg." + layer + ".input_layernorm",
                        seen.floats["input_layernorm." + layer], kNormTolerance);
                compare(model, prompt, ".dbg." + layer + ".kv_a_layernorm",
                        firstColumns(seen.floats["kv_a_layernorm." + layer], c.latentDim(), c.kvLoraRank),
                        kNormTolerance);
                ++m_norms;
            }
            if (!model.has(prompt + ".router." + layer + ".ids"))
                continue;
            QCOMPARE(seen.ids[i], model.integers(prompt + ".router." + layer + ".ids"));
            compare(model, prompt, ".router." + layer + ".weights", seen.weights[i], kWeightTolerance);
        }
        compare(model, prompt, ".final_norm", seen.floats["final_norm"], kTolerance);
        compare(model, prompt, ".logits", seen.logits, kTolerance);
        const std::size_t vocabulary = model.opened.decoder->vocabulary();
        const std::vector<float> last(seen.logits.end() - std::ptrdiff_t(vocabulary), seen.logits.end());
        QVERIFY(worstError({session.logits().begin(), session.logits().end()}, last) <= 1e-4);
    }
    QVERIFY2(m_norms >= 2, "no norm was compared");
    qInfo("worst difference %g", m_worst);
}

void DecoderTest::greedyTokensEqualTheReference_data()
{
    everyArrayEqualsTheReference_data();
}

void DecoderTest::greedyTokensEqualTheReference()
{
    QFETCH(QString, name);
    QFETCH(int, chunk);
    const auto opened = GoldenModel::open(name.toStdString(), std::uint32_t(chunk));
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    const GoldenModel &model = **opened;
    SamplingOptions greedy;
    greedy.temperature = 0;
    Sampler sampler(greedy);

    for (const std::string &prompt : model.prompts()) {
        if (!model.has(prompt + ".greedy.tokens"))
            continue;
        const GoldenPrompt input(model, prompt);
        Session session = model.session();
        QVERIFY(session.sync(input.prompt, {}, {}).has_value());
        std::vector<std::int64_t> tokens;
        std::vector<float> logits;
        for (int i = 0; i < 16; ++i) {
            logits.insert(logits.end(), session.logits().begin(), session.logits().end());
            tokens.push_back(*sampler.choose(session.logits()));
            QVERIFY(session.append(std::uint32_t(tokens.back()), {}).has_value());
        }
        QCOMPARE(tokens, model.integers(prompt + ".greedy.tokens"));
        compare(model, prompt, ".greedy.logits", logits, kTolerance);
    }
}

void DecoderTest::halfCacheKeepsTheTokens()
{
    const auto opened = GoldenModel::open("tiny-moonlight", 256, true);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    const GoldenModel &model = **opened;
    SamplingOptions greedy;
    greedy.temperature = 0;
    Sampler sampler(greedy);

    for (const std::string &prompt : model.prompts()) {
        const GoldenPrompt input(model, prompt);
        Recorded seen;
        Session session = model.session();
        QVERIFY(session.sync(input.prompt, seen.hooks(*model.opened.decoder), {}).has_value());
        const double error = worstError(seen.logits, model.floats(prompt + ".logits"));
        QVERIFY2(error > 1e-5, "the cache is not in half precision");
        QVERIFY(error <= 0.5);
        std::vector<std::int64_t> tokens;
        for (int i = 0; i < 16; ++i) {
            tokens.push_back(*sampler.choose(session.logits()));
            QVERIFY(session.append(std::uint32_t(tokens.back()), {}).has_value());
        }
        QCOMPARE(tokens, model.integers(prompt + ".greedy.tokens"));
    }
}

void DecoderTest::classesEqualTheReference()
{
    const auto opened = GoldenModel::open("tiny-seqcls", 16);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    GoldenModel &model = **opened;
    Decoder &decoder = *model.opened.decoder;

    for (int c = 0; model.has("c" + std::to_string(c) + ".input_ids"); ++c) {
        const std::string name = "c" + std::to_string(c);
        const std::vector<std::int64_t> ids = model.integers(name + ".input_ids");
        const std::vector<std::int64_t> pooled = model.integers(name + ".pooled_index");
        const std::size_t length = ids.size() / pooled.size();
        std::vector<float> logits, all;
        Recorded seen;
        for (std::size_t row = 0; row < pooled.size(); ++row) {
            const std::vector<std::uint32_t> tokens(ids.begin() + std::ptrdiff_t(row * length),
                                                    ids.begin() + std::ptrdiff_t((row + 1) * length));
            PrefillHooks hooks;
            hooks.tap = &seen.tap;
            hooks.chunkDone = [&](std::uint32_t first, std::uint32_t count) -> Status {
                if (Status done = decoder.logitsOf(0, count, all, {}); !done)
                    return done;
                const std::uint32_t place = pooledPosition(tokens, model.opened.model->config().padTokenId);
                if (place != std::uint32_t(pooled[row]))
                    return Error{ErrorCode::InvalidInput, "another position than the reference's is pooled"};
                if (place < first || place >= first + count)
                    return Done{};
                return decoder.logitsOf(place - first, 1, logits, {});
            };
            QVERIFY(prefill(decoder, {tokens, {}}, 0, hooks, {}).has_value());
        }
        compare(model, name, ".pooled_logits", logits, kTolerance);
        compare(model, name, ".scores_all", all, kTolerance);
        compare(model, name, ".final_norm", seen.floats["final_norm"], kTolerance);
    }
}

void DecoderTest::theLastWordIsPooled()
{
    using Row = std::vector<std::uint32_t>;
    QCOMPARE(pooledPosition(Row{5, 6, 7, 0, 0}, 0), 2u);
    QCOMPARE(pooledPosition(Row{5, 0, 7, 0}, 0), 2u); // the same id within the row is no padding
    QCOMPARE(pooledPosition(Row{5, 6}, 0), 1u);
    QCOMPARE(pooledPosition(Row{0, 0, 0}, 0), 2u); // nothing but padding
    QCOMPARE(pooledPosition(Row{5, 6, 0}, std::nullopt), 2u);
    QCOMPARE(pooledPosition(Row{0}, 0), 0u);
}

// The blocks see normalised rows, so what they add to a row of 1e5 is what they add to the same row at 1e4;
// the rest is the rounding of 1e5 in f32. Half precision ends at 65504, BF16 has steps of 512 there.
void DecoderTest::residualsBeyondHalfPrecisionSurvive()
{
    const auto opened = GoldenModel::open("tiny-moonlight", 16);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    Device &device = *(*opened)->opened.device;
    Decoder &decoder = *(*opened)->opened.decoder;
    const std::uint32_t hidden = (*opened)->opened.model->config().decoder.hiddenSize;
    const auto buffer = device.allocate(std::uint64_t(hidden) * sizeof(float), MemoryKind::Device, "a row");
    QVERIFY(buffer.has_value());
    const std::vector<std::uint32_t> tokens{3, 0, 5};

    const auto added = [&](float size) {
        std::vector<float> row(hidden);
        for (std::uint32_t i = 0; i < hidden; ++i)
            row[i] = (i % 3 == 0 ? size : -size) * (1.0f + 0.25f * float(i % 5));
        const bool uploaded = device.upload((*buffer)->address(), std::as_bytes(std::span(row))).has_value();
        Recorded seen;
        const MediaRows media{1, (*buffer)->tensor(1, hidden)};
        const bool done = uploaded && decoder
                                          .forward(
                                              {
                                                  tokens, {&media, 1},
                                                   0
        },
                                              Decoder::Logits::Last, {}, &seen.tap)
                                          .has_value();
        std::vector<float> result;
        for (std::uint32_t i = 0; done && i < hidden; ++i)
            result.push_back(seen.floats["hidden.0"][hidden + i] - row[i]);
        return result;
    };
    const std::vector<float> large = added(1e5f), small = added(1e4f);

    QCOMPARE(large.size(), std::size_t(hidden));
    const std::vector<float> nothing(hidden, 0);
    QVERIFY(worstError(small, nothing) > 0.1);
    QVERIFY2(worstError(large, small) <= 0.03, qPrintable(QString::number(worstError(large, small))));
    for (const float logit : decoder.logits())
        QVERIFY(std::isfinite(logit));
}

QTEST_GUILESS_MAIN(DecoderTest)
#include "decoder_test.moc"
