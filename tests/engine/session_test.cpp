// One timeline: what is shared is not evaluated again, and the answer is the same as without a past.
#include "tests/support/model_golden.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
using namespace perilune::test;

namespace {

std::vector<float> copyOf(std::span<const float> values)
{
    return {values.begin(), values.end()};
}

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aSharedPrefixIsNotEvaluatedAgain();
    void mediaAreComparedByContent();
    void anOtherPictureIsEvaluatedAgain();
    void longerThanTheContextIsRefusedWithBothNumbers();
    void aFullContextRefusesOneMore();
    void aStopIsHeardAndLosesNothing();
    void progressCountsWhatIsNew();
    void dynamicAnglesAreThoseOfTheLength();

private:
    /// The logits of `prompt` in a session without a past.
    std::vector<float> fresh(const Prompt &prompt)
    {
        Session session = m_model->session();
        const auto synced = session.sync(prompt, {}, {});
        return synced ? copyOf(session.logits()) : std::vector<float>();
    }

    std::unique_ptr<GoldenModel> m_model;
};

void SessionTest::initTestCase()
{
    auto opened = GoldenModel::open("tiny-k25", 16);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    m_model = *std::move(opened);
}

void SessionTest::aSharedPrefixIsNotEvaluatedAgain()
{
    const GoldenPrompt golden(*m_model, "p1");
    Prompt longer = golden.prompt;
    longer.tokens.insert(longer.tokens.end(), {5, 6, 7});
    Prompt forked = golden.prompt;
    const std::size_t fork = forked.tokens.size() / 2;
    forked.tokens[fork] = (forked.tokens[fork] + 1) % 400;
    const std::vector<float> longerFresh = fresh(longer), forkedFresh = fresh(forked),
                             plain = fresh(golden.prompt);

    Session session = m_model->session();
    QCOMPARE(session.sync(golden.prompt, {}, {})->cached, 0u);
    const auto extended = session.sync(longer, {}, {});
    const double extendedError = worstError(copyOf(session.logits()), longerFresh);
    const auto branched = session.sync(forked, {}, {});
    const double branchedError = worstError(copyOf(session.logits()), forkedFresh);
    const auto back = session.sync(golden.prompt, {}, {});
    const double backError = worstError(copyOf(session.logits()), plain);
    const auto again = session.sync(golden.prompt, {}, {});

    QCOMPARE(extended->cached, std::uint32_t(golden.prompt.tokens.size()));
    QCOMPARE(branched->cached, std::uint32_t(fork));
    QCOMPARE(back->cached, std::uint32_t(fork));
    QCOMPARE(again->cached, std::uint32_t(golden.prompt.tokens.size()) - 1);
    QVERIFY2(extendedError <= 1e-4 && branchedError <= 1e-4 && backError <= 1e-4,
             qPrintable(QString("%1 %2 %3").arg(extendedError).arg(branchedError).arg(backError)));
}

void SessionTest::mediaAreComparedByContent()
{
    GoldenPrompt golden(*m_model, "mm1");
    Session session = m_model->session();
    QVERIFY(session.sync(golden.prompt, {}, {}).has_value());
    const std::vector<float> first = copyOf(session.logits());

    GoldenPrompt same(*m_model, "mm1"); // other memory, equal content
    bool encoded = false;
    SyncHooks hooks;
    hooks.vision = [&](std::uint64_t, std::uint64_t) { encoded = true; };
    const auto synced = session.sync(same.prompt, hooks, {});

    QCOMPARE(synced->cached, std::uint32_t(same.prompt.tokens.size()) - 1);
    QVERIFY(!encoded);
    QVERIFY(worstError(copyOf(session.logits()), first) <= 1e-4);
}

void SessionTest::anOtherPictureIsEvaluatedAgain()
{
    GoldenPrompt golden(*m_model, "mm0");
    Session session = m_model->session();
    QVERIFY(session.sync(golden.prompt, {}, {}).has_value());

    GoldenPrompt other(*m_model, "mm0");
    for (float &value : other.pixels.front())
        value = -value;
    other.prompt.media.front().contentId = "another picture";
    const auto synced = session.sync(other.prompt, {}, {});

    const std::vector<float> logits = copyOf(session.logits()); // fresh() shares the cache

    QCOMPARE(synced->cached, other.prompt.media.front().row);
    QVERIFY(worstError(logits, fresh(other.prompt)) <= 1e-4);
    QVERIFY(worstError(logits, fresh(golden.prompt)) > 0.01);
}

void SessionTest::longerThanTheContextIsRefusedWithBothNumbers()
{
    Session session = m_model->session();
    Prompt prompt;
    prompt.tokens.assign(321, 3);

    const auto synced = session.sync(prompt, {}, {});

    QVERIFY(!synced);
    QCOMPARE(synced.error().code, ErrorCode::OutOfMemory);
    const QString message = QString::fromStdString(synced.error().message);
    QVERIFY2(message.contains("321") && message.contains("320"), qPrintable(message));
}

void SessionTest::aFullContextRefusesOneMore()
{
    Session session = m_model->session();
    Prompt prompt;
    prompt.tokens.assign(320, 3);

    QVERIFY(session.sync(prompt, {}, {}).has_value());

    QCOMPARE(session.room(), 0u);
    const Status appended = session.append(4, {});
    QVERIFY(!appended && appended.error().code == ErrorCode::OutOfMemory);
}

void SessionTest::aStopIsHeardAndLosesNothing()
{
    Prompt prompt;
    for (std::uint32_t i = 0; i < 200; ++i)
        prompt.tokens.push_back(i * 7 % 400);
    const std::vector<float> expected = fresh(prompt);
    Session session = m_model->session();
    std::stop_source source;
    SyncHooks hooks;
    hooks.prefill = [&](std::uint64_t done, std::uint64_t) {
        if (done >= 64)
            source.request_stop();
    };

    const auto stopped = session.sync(prompt, hooks, source.get_token());
    const auto resumed = session.sync(prompt, {}, {});

    QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    QVERIFY(resumed.has_value());
    QCOMPARE(resumed->cached, 64u);
    QVERIFY(worstError(copyOf(session.logits()), expected) <= 1e-4);
}

void SessionTest::progressCountsWhatIsNew()
{
    Prompt prompt;
    prompt.tokens.assign(40, 9);
    Session session = m_model->session();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
    SyncHooks hooks;
    hooks.prefill = [&](std::uint64_t done, std::uint64_t total) { seen.emplace_back(done, total); };

    QVERIFY(session.sync(prompt, hooks, {}).has_value());

    QCOMPARE(seen, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                       {16, 40},
                       {32, 40},
                       {40, 40}
    }));
}

// Dynamic RoPE takes its angles from the length of the sequence: what was evaluated in another one is no
// good, but in one of its own length it is.
void SessionTest::dynamicAnglesAreThoseOfTheLength()
{
    const QTemporaryDir place;
    const std::string folder = place.path().toStdString();
    QVERIFY(QFile::copy(TEST_DATA_DIR "/model/tiny-moonlight/model.safetensors",
                        place.filePath("model.safetensors")));
    QFile source(TEST_DATA_DIR "/model/tiny-moonlight/config.json"), changed(place.filePath("config.json"));
    QVERIFY(source.open(QFile::ReadOnly) && changed.open(QFile::WriteOnly));
    QByteArray config = source.readAll();
    config.replace("\"rope_theta\"",
                   "\"rope_scaling\": {\"type\": \"dynamic\", \"factor\": 4}, \"rope_theta\"");
    config.replace("\"max_position_embeddings\": 256", "\"max_position_embeddings\": 16");
    changed.write(config);
    changed.close();
    auto opened = openModel(
        {.folder = folder, .device = {}, .cacheFolder = {}, .context = 64, .chunk = 8, .quantize = {}}, {},
        {});
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    QVERIFY(opened->model->config().decoder.ropeScaling.kind == RopeScaling::Kind::Dynamic);
    QCOMPARE(opened->model->config().decoder.maxPositionEmbeddings, 16u);
    const auto promptOf = [](std::uint32_t length) {
        Prompt prompt;
        for (std::uint32_t i = 0; i < length; ++i)
            prompt.tokens.push_back(3 + i * 7);
        return prompt;
    };
    const auto start = [&] {
        return Session(*opened->device, *opened->decoder, nullptr,
                       opened->model->config().decoder.hiddenSize);
    };
    const auto freshOf = [&](std::uint32_t length) {
        Session session = start();
        return session.sync(promptOf(length), {}, {}) ? copyOf(session.logits()) : std::vector<float>();
    };
    const std::vector<float> ten = freshOf(10), twelve = freshOf(12), forty = freshOf(40),
                             thirty = freshOf(30);

    Session session = start();
    const auto synced = [&](std::uint32_t length, const std::vector<float> &expected) {
        const auto report = session.sync(promptOf(length), {}, {});
        const bool same = report && worstError(copyOf(session.logits()), expected) <= 1e-4;
        return same ? int(report->cached) : -1;
    };

    QCOMPARE(synced(40, forty), 0);
    QCOMPARE(synced(10, ten), 0); // not what the long one left
    QCOMPARE(synced(12, twelve), 10);
    QCOMPARE(synced(40, forty), 0);
    QCOMPARE(synced(40, forty), 39);
    QCOMPARE(synced(30, thirty), 0);
}

QTEST_GUILESS_MAIN(SessionTest)
#include "session_test.moc"
