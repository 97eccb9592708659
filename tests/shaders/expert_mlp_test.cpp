#include "engine/kernels/expert_mlp.h"

#include "tests/support/kernel_test.h"
#include "tests/support/packed_weights.h"
#include "tests/support/qtest_strings.h"

#include <algorithm>
#include <numeric>

using namespace perilune;

namespace {

const std::vector<std::pair<const char *, WeightFormat>> kFormats{
    {"f32",  WeightFormat::F32 },
    {"f16",  WeightFormat::F16 },
    {"bf16", WeightFormat::BF16},
    {"int4", WeightFormat::Int4},
    {"fp8",  WeightFormat::Fp8 },
    {"int8", WeightFormat::Int8},
};

/// Experts on the host, and where they lie on the device.
struct Experts {
    std::vector<test::PackedWeight> matrices; // gate, up, down of each
    ExpertTable table;
};

std::uint64_t roundUp(std::uint64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

Experts placeExperts(test::KernelTest &device, WeightFormat format, std::uint32_t count, std::uint32_t hidden,
                     std::uint32_t intermediate)
{
    Experts experts;
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < 3 * count; ++i) {
        const bool down = i % 3 == 2;
        experts.matrices.push_back(
            test::packedNoise(format, down ? hidden : intermediate, down ? intermediate : hidden, 100 + i));
        bytes +=
            roundUp(experts.matrices.back().data.size()) + roundUp(experts.matrices.back().scales.size());
    }
    const ByteRange weights = device.bytes(bytes);
    std::vector<std::uint64_t> rows;
    std::uint64_t next = weights.address;
    for (const test::PackedWeight &matrix : experts.matrices) {
        for (const std::vector<std::byte> *part : {&matrix.data, &matrix.scales}) {
            rows.push_back(part->empty() ? 0 : next);
            CHECK(device.device().upload(next, *part).has_value());
            next += roundUp(part->size());
        }
    }
    const ByteRange table = device.bytes(std::as_bytes(std::span(rows)));
    experts.table = {format, count, hidden, intermediate, table, weights};
    return experts;
}

std::vector<float> rounded(const std::vector<double> &values)
{
    return {values.begin(), values.end()};
}

/// What one expert makes of one row.
std::vector<double> expertOf(const Experts &experts, std::uint32_t expert, std::span<const float> x)
{
    const test::PackedWeight *matrices = &experts.matrices[3 * expert];
    const std::vector<double> gate = test::matmul(x, matrices[0].values, x.size());
    const std::vector<double> up = test::matmul(x, matrices[1].values, x.size());
    std::vector<double> inner(gate.size());
    for (std::size_t i = 0; i < inner.size(); ++i)
        inner[i] = test::silu(gate[i]) * up[i];
    return test::matmul(rounded(inner), matrices[2].values, inner.size());
}

} // namespace

class ExpertMlpTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void allRowsMayChooseOneExpert();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
};

void ExpertMlpTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void ExpertMlpTest::matchesReference_data()
{
    QTest::addColumn<WeightFormat>("format");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("experts");
    QTest::addColumn<int>("chosen");
    QTest::addColumn<int>("hidden");
    QTest::addColumn<int>("intermediate");
    QTest::addColumn<float>("size");

    for (const auto &[name, format] : kFormats) {
        QTest::addRow("%s, one expert, one row", name) << format << 1 << 1 << 1 << 32 << 32 << 1.0f;
        QTest::addRow("%s, decode", name) << format << 1 << 8 << 3 << 96 << 64 << 1.0f;
        QTest::addRow("%s, a few rows", name) << format << 7 << 8 << 3 << 96 << 160 << 1.0f;
        QTest::addRow("%s, prompt", name) << format << 45 << 8 << 3 << 96 << 160 << 1.0f;
        QTest::addRow("%s, prompt over several tiles", name) << format << 70 << 3 << 2 << 160 << 96 << 1.0f;
        QTest::addRow("%s, values up to 1e5", name) << format << 2 << 4 << 2 << 64 << 32 << 1e5f;
        QTest::addRow("%s, values up to 1e5, prompt", name) << format << 40 << 4 << 2 << 64 << 32 << 1e5f;
        if (format != WeightFormat::Int4) {
            QTest::addRow("%s, odd sizes", name) << format << 2 << 4 << 2 << 37 << 19 << 1.0f;
            QTest::addRow("%s, odd sizes, prompt", name) << format << 41 << 4 << 2 << 37 << 19 << 1.0f;
        }
    }
    QTest::newRow("int8, Moonlight expert") << WeightFormat::Int8 << 1 << 2 << 2 << 2048 << 1408 << 0.1f;
    QTest::newRow("int4, Kimi K2.5 expert") << WeightFormat::Int4 << 1 << 2 << 2 << 7168 << 2048 << 0.1f;
}

void ExpertMlpTest::matchesReference()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    QFETCH(int, experts);
    QFETCH(int, chosen);
    QFETCH(int, hidden);
    QFETCH(int, intermediate);
    QFETCH(float, size);
    std::vector<float> x = test::noise(std::size_t(rows) * hidden, /*seed=*/1);
    for (float &value : x)
        value *= size;
    const std::vector<float> before = test::noise(std::size_t(rows) * hidden, /*seed=*/2);
    const std::vector<float> weights = test::noise(std::size_t(rows) * chosen, /*seed=*/3);
    std::vector<std::uint32_t> ids;
    std::mt19937 random(4);
    for (int t = 0; t < rows; ++t) {
        std::vector<std::uint32_t> all(experts);
        std::iota(all.begin(), all.end(), 0u);
        std::shuffle(all.begin(), all.end(), random);
        std::sort(all.begin(), all.begin() + chosen);
        ids.insert(ids.end(), all.begin(), all.begin() + chosen);
    }
    const Experts layer = placeExperts(*m_test, format, experts, hidden, intermediate);
    const Tensor gpuX = m_test->floats(rows, hidden, x);
    const Tensor gpuIds = m_test->words(rows, chosen, ids);
    const Tensor gpuWeights = m_test->floats(rows, chosen, weights);
    const Tensor gpuY = m_test->floats(rows, hidden, before);
    const ByteRange scratch = m_test->bytes(expertMlpScratch(layer.table, rows, chosen));
    std::vector<double> expected(before.begin(), before.end());
    double largest = 0; // of the terms that are summed
    for (int t = 0; t < rows; ++t) {
        for (int k = 0; k < chosen; ++k) {
            const auto row = std::span(x).subspan(std::size_t(t) * hidden, hidden);
            const std::vector<double> out = expertOf(layer, ids[t * chosen + k], row);
            for (int c = 0; c < hidden; ++c) {
                expected[std::size_t(t) * hidden + c] += weights[t * chosen + k] * out[c];
                largest = std::max(largest, std::abs(out[c]));
            }
        }
    }

    const std::string wrong = m_test->run(
        [&](Device &device) { expertMlp(device, gpuX, gpuIds, gpuWeights, layer.table, scratch, gpuY); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, {.absolute = 1e-6 + 1e-5 * largest}), "");
}

void ExpertMlpTest::allRowsMayChooseOneExpert()
{
    const int rows = 100;
    const std::vector<float> x = test::noise(rows * 64, 1);
    const std::vector<std::uint32_t> ids(rows, 2);
    const std::vector<float> weights(rows, 1.0f);
    const Experts layer = placeExperts(*m_test, WeightFormat::BF16, 5, 64, 32);
    const Tensor gpuX = m_test->floats(rows, 64, x);
    const Tensor gpuIds = m_test->words(rows, 1, ids);
    const Tensor gpuWeights = m_test->floats(rows, 1, weights);
    const Tensor gpuY = m_test->floats(rows, 64, std::vector<float>(rows * 64, 0.0f));
    const ByteRange scratch = m_test->bytes(expertMlpScratch(layer.table, rows, 1));

    const std::string wrong = m_test->run(
        [&](Device &device) { expertMlp(device, gpuX, gpuIds, gpuWeights, layer.table, scratch, gpuY); });

    QCOMPARE(wrong, "");
    std::vector<double> expected;
    for (int t = 0; t < rows; ++t) {
        const std::vector<double> out = expertOf(layer, 2, std::span(x).subspan(std::size_t(t) * 64, 64));
        expected.insert(expected.end(), out.begin(), out.end());
    }
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, {.absolute = 1e-4, .relative = 1e-5}), "");
}

void ExpertMlpTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({
                 "expert_gate_up_few_f32",
                 "expert_gate_up_few_f16",
                 "expert_gate_up_few_bf16",
                 "expert_gate_up_few_int4",
                 "expert_gate_up_few_fp8",
                 "expert_gate_up_few_int8",
                 "expert_down_few_f32",
                 "expert_down_few_f16",
                 "expert_down_few_bf16",
                 "expert_down_few_int4",
                 "expert_down_few_fp8",
                 "expert_down_few_int8",
                 "expert_gate_up_many_f32",
                 "expert_gate_up_many_f16",
                 "expert_gate_up_many_bf16",
                 "expert_gate_up_many_int4",
                 "expert_gate_up_many_fp8",
                 "expert_gate_up_many_int8",
                 "expert_down_many_f32",
                 "expert_down_many_f16",
                 "expert_down_many_bf16",
                 "expert_down_many_int4",
                 "expert_down_many_fp8",
                 "expert_down_many_int8",
                 "expert_count",
                 "expert_place",
                 "expert_combine",
             }),
             "");
}

QTEST_GUILESS_MAIN(ExpertMlpTest)
#include "expert_mlp_test.moc"
