#include "engine/kernels/route_experts.h"

#include "engine/weights/safetensors.h"
#include "tests/support/kernel_test.h"
#include "tests/support/packed_weights.h"
#include "tests/support/qtest_strings.h"

#include <cmath>

using namespace perilune;

class RouteExpertsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesTheAuthors_data();
    void matchesTheAuthors();
    void weightsMayBeStoredInHalf();
    void tiesGoToTheLowerIndex();
    void manyExperts();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    std::shared_ptr<const SafetensorsFile> m_golden;
};

void RouteExpertsTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
    const auto file = SafetensorsFile::open(TEST_DATA_DIR "/model/router.safetensors");
    QVERIFY(file.has_value());
    m_golden = *file;
}

void RouteExpertsTest::matchesTheAuthors_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"k25", "bigbias", "moonlight", "dsv3_groups", "groups_negbias", "nonorm", "top1",
                             "v2_softmax_greedy", "v2_softmax_group"})
        QTest::newRow(name) << QString(name);
}

void RouteExpertsTest::matchesTheAuthors()
{
    QFETCH(QString, name);
    const auto tensor = [&](const char *what) { return m_golden->find((name + "." + what).toStdString()); };
    const std::vector<std::int64_t> params = *integersOf(*tensor("params"));
    const std::vector<float> x = *floatsOf(*tensor("x"));
    std::vector<float> weight = *floatsOf(*tensor("weight"));
    const std::vector<std::int64_t> ids = *integersOf(*tensor("ids"));
    const std::vector<float> weights = *floatsOf(*tensor("weights"));
    const auto experts = std::size_t(params[0]);
    const auto chosen = std::size_t(params[1]);
    const std::size_t hidden = weight.size() / experts;
    const std::size_t rows = x.size() / hidden;
    const Tensor gpuX = m_test->floats(rows, hidden, x);
    const WeightMatrix gpuWeight = m_test->weight(experts, hidden, weight);
    const StoredTensor *bias = tensor("e_score_correction_bias");
    const Tensor gpuBias = bias ? m_test->floats(1, experts, *floatsOf(*bias)) : Tensor{};
    const Tensor gpuIds = m_test->empty(rows, chosen, DType::U32);
    const Tensor gpuWeights = m_test->empty(rows, chosen);
    const Tensor scratch = m_test->empty(rows, experts);
    const RouterOptions options{.experts = std::uint32_t(experts),
                                .chosen = std::uint32_t(chosen),
                                .groups = std::uint32_t(params[2]),
                                .keptGroups = std::uint32_t(params[3]),
                                .softmax = params[5] == 1,
                                .groupByMax = params[5] == 1,
                                .normalize = params[4] == 1,
                                .scale = floatsOf(*tensor("scale"))->front()};

    const std::string wrong = m_test->run([&](Device &device) {
        routeExperts(device, gpuX, gpuWeight, gpuBias, gpuIds, gpuWeights, scratch, options);
    });

    QCOMPARE(wrong, "");
    const std::vector<std::uint32_t> actualIds = m_test->readWords(gpuIds);
    QCOMPARE(std::vector<std::int64_t>(actualIds.begin(), actualIds.end()), ids);
    QCOMPARE(m_test->compare(m_test->read(gpuWeights), std::vector<double>(weights.begin(), weights.end()),
                             {.absolute = 1e-9, .relative = 1e-5}),
             "");
    // The kernel keeps its scores to itself; what it makes them of it leaves in scratch.
    const std::vector<float> made = m_test->read(scratch);
    const std::vector<float> scores = *floatsOf(*tensor("scores"));
    QCOMPARE(made.size(), scores.size());
    for (std::size_t t = 0; t < rows; ++t) {
        double sum = 0;
        for (std::size_t e = 0; e < experts; ++e)
            sum += std::exp(double{made[t * experts + e]});
        for (std::size_t i = t * experts; i < (t + 1) * experts; ++i) {
            const double score =
                options.softmax ? std::exp(double{made[i]}) / sum : 1 / (1 + std::exp(-double{made[i]}));
            QVERIFY(std::abs(score - scores[i]) <= 1e-5 * scores[i] + 1e-9);
        }
    }
}

void RouteExpertsTest::weightsMayBeStoredInHalf()
{
    for (const WeightFormat format : {WeightFormat::F16, WeightFormat::BF16}) {
        std::vector<float> weight = test::noise(16 * 24, 5);
        const std::vector<float> x = test::noise(3 * 24, 6);
        const WeightMatrix gpuWeight = m_test->weight(16, 24, weight, format);
        const Tensor gpuX = m_test->floats(3, 24, x);
        const Tensor ids = m_test->empty(3, 2, DType::U32);
        const Tensor weights = m_test->empty(3, 2);
        const Tensor scratch = m_test->empty(3, 16);
        const RouterOptions options{.experts = 16, .chosen = 2};

        const std::string wrong = m_test->run([&](Device &device) {
            routeExperts(device, gpuX, gpuWeight, {}, ids, weights, scratch, options);
        });

        QCOMPARE(wrong, "");
        const std::vector<double> scores = test::matmul(x, weight, 24);
        const std::vector<std::uint32_t> actual = m_test->readWords(ids);
        for (std::size_t t = 0; t < 3; ++t) {
            std::vector<std::uint32_t> order(16);
            for (std::uint32_t e = 0; e < 16; ++e)
                order[e] = e;
            std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
                return scores[t * 16 + a] > scores[t * 16 + b];
            });
            QCOMPARE(actual[t * 2], std::min(order[0], order[1]));
            QCOMPARE(actual[t * 2 + 1], std::max(order[0], order[1]));
        }
    }
}

void RouteExpertsTest::tiesGoToTheLowerIndex()
{
    std::vector<float> weight(40 * 4, 0.25f); // every expert scores the same
    const std::vector<float> x(2 * 4, 1.0f);
    const Tensor ids = m_test->empty(2, 3, DType::U32);
    const Tensor weights = m_test->empty(2, 3);
    const RouterOptions options{.experts = 40, .chosen = 3, .groups = 4, .keptGroups = 2, .scale = 2.0f};

    const Tensor gpuX = m_test->floats(2, 4, x);
    const WeightMatrix gpuWeight = m_test->weight(40, 4, weight);
    const Tensor scratch = m_test->empty(2, 40);
    const std::string wrong = m_test->run(
        [&](Device &device) { routeExperts(device, gpuX, gpuWeight, {}, ids, weights, scratch, options); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->readWords(ids), (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
    QCOMPARE(m_test->compare(m_test->read(weights), std::vector<double>(6, 2.0 / 3), {.relative = 1e-6}), "");
}

void RouteExpertsTest::manyExperts()
{
    std::vector<float> weight = test::noise(1024 * 8, 1);
    const std::vector<float> x = test::noise(8, 2);
    const Tensor gpuX = m_test->floats(1, 8, x);
    const WeightMatrix gpuWeight = m_test->weight(1024, 8, weight);
    const Tensor ids = m_test->empty(1, 16, DType::U32);
    const Tensor weights = m_test->empty(1, 16);
    const Tensor scratch = m_test->empty(1, 1024);
    const RouterOptions options{.experts = 1024, .chosen = 16, .normalize = false};

    const std::string wrong = m_test->run(
        [&](Device &device) { routeExperts(device, gpuX, gpuWeight, {}, ids, weights, scratch, options); });

    QCOMPARE(wrong, "");
    std::vector<std::pair<double, std::uint32_t>> scores;
    for (std::uint32_t e = 0; e < 1024; ++e)
        scores.emplace_back(-test::matmul(x, std::span(weight).subspan(e * 8, 8), 8)[0], e);
    std::sort(scores.begin(), scores.end());
    std::vector<std::uint32_t> expected;
    for (std::size_t k = 0; k < 16; ++k)
        expected.push_back(scores[k].second);
    std::sort(expected.begin(), expected.end());
    QCOMPARE(m_test->readWords(ids), expected);
}

void RouteExpertsTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"route_experts"}), "");
}

QTEST_GUILESS_MAIN(RouteExpertsTest)
#include "route_experts_test.moc"
