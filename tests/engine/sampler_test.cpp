#include "engine/session/sampler.h"

#include <cmath>
#include <limits>
#include <map>
#include <QTest>

using namespace perilune;

namespace {

SamplingOptions options(float temperature, std::uint64_t seed)
{
    SamplingOptions result;
    result.temperature = temperature;
    result.seed = seed;
    return result;
}

/// How often each token is chosen in `times` draws.
std::map<std::uint32_t, int> counts(const SamplingOptions &wished, const std::vector<float> &logits,
                                    int times)
{
    Sampler sampler(wished);
    std::map<std::uint32_t, int> result;
    for (int i = 0; i < times; ++i)
        ++result[*sampler.choose(logits)];
    return result;
}

// Probabilities 0.5, 0.25, 0.125, 0.125 at temperature 1.
const std::vector<float> kHalves = {std::log(4.0f), std::log(2.0f), 0.0f, 0.0f};

} // namespace

class SamplerTest : public QObject {
    Q_OBJECT

private slots:
    void greedyTakesTheFirstOfTheLargest();
    void frequenciesFollowTheProbabilities();
    void temperatureSharpensAndFlattens();
    void topKKeepsTheMostLikely();
    void topPKeepsTheFewestThatReachIt();
    void minPDropsTheUnlikely();
    void theSameSeedGivesTheSameTokens();
    void notANumberIsRefused();
    void hugeLogitsDoNotOverflow();
};

void SamplerTest::greedyTakesTheFirstOfTheLargest()
{
    Sampler sampler(options(0, 1));
    QCOMPARE(*sampler.choose(std::vector<float>{1, 3, 3, 2}), 1u);
    QCOMPARE(*sampler.choose(std::vector<float>{-INFINITY, -1e30f}), 1u);
}

void SamplerTest::frequenciesFollowTheProbabilities()
{
    const auto seen = counts(options(1, 7), kHalves, 20000);
    QVERIFY(std::abs(seen.at(0) - 10000) < 350); // five standard deviations
    QVERIFY(std::abs(seen.at(1) - 5000) < 310);
    QVERIFY(std::abs(seen.at(2) - 2500) < 240);
    QVERIFY(std::abs(seen.at(3) - 2500) < 240);
}

void SamplerTest::temperatureSharpensAndFlattens()
{
    // Squared and rooted odds: at 0.5 the first has 16 of 16 + 4 + 1 + 1.
    QVERIFY(std::abs(counts(options(0.5f, 3), kHalves, 22000).at(0) - 16000) < 340);
    QVERIFY(std::abs(counts(options(2.0f, 3), kHalves, 20000).at(0) - 20000 * 2 / 5.4142) < 350);
}

void SamplerTest::topKKeepsTheMostLikely()
{
    SamplingOptions two = options(1, 5);
    two.topK = 2;
    const auto seen = counts(two, kHalves, 9000);
    QCOMPARE(seen.size(), std::size_t(2));
    QVERIFY(std::abs(seen.at(0) - 6000) < 230);
}

void SamplerTest::topPKeepsTheFewestThatReachIt()
{
    SamplingOptions most = options(1, 5);
    most.topP = 0.74f;
    QCOMPARE(counts(most, kHalves, 500).size(), std::size_t(2));
    most.topP = 0.76f;
    QCOMPARE(counts(most, kHalves, 500).size(), std::size_t(3));
    most.topP = 0;
    QCOMPARE(counts(most, kHalves, 50).size(), std::size_t(1));
}

void SamplerTest::minPDropsTheUnlikely()
{
    SamplingOptions likely = options(1, 5);
    likely.minP = 0.3f;
    QCOMPARE(counts(likely, kHalves, 500).size(), std::size_t(2));
    likely.minP = 0.2f;
    QCOMPARE(counts(likely, kHalves, 500).size(), std::size_t(4));
}

void SamplerTest::theSameSeedGivesTheSameTokens()
{
    Sampler first(options(1, 42)), second(options(1, 42)), other(options(1, 43));
    int differ = 0;
    for (int i = 0; i < 200; ++i) {
        const std::uint32_t token = *first.choose(kHalves);
        QCOMPARE(*second.choose(kHalves), token);
        differ += *other.choose(kHalves) != token;
    }
    QVERIFY(differ > 50);
    QCOMPARE(first.seed(), 42u);
    QVERIFY(Sampler(SamplingOptions{}).seed() != Sampler(SamplingOptions{}).seed());
}

void SamplerTest::notANumberIsRefused()
{
    Sampler sampler(options(0, 1));
    const auto chosen = sampler.choose(std::vector<float>{1, NAN});
    QVERIFY(!chosen);
    QVERIFY(chosen.error().message.find("token 1") != std::string::npos);
}

void SamplerTest::hugeLogitsDoNotOverflow()
{
    Sampler sampler(options(0.01f, 1));
    QCOMPARE(*sampler.choose(std::vector<float>{3e38f, -3e38f}), 0u);
}

QTEST_GUILESS_MAIN(SamplerTest)
#include "sampler_test.moc"
