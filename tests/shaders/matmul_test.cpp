#include "engine/kernels/matmul.h"

#include "tests/support/kernel_test.h"
#include "tests/support/packed_weights.h"
#include "tests/support/qtest_strings.h"

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

} // namespace

class MatmulTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void addsBiasAndAccumulates_data();
    void addsBiasAndAccumulates();
    void largeInputsStayInRange_data();
    void largeInputsStayInRange();
    void piecesGiveTheWhole_data();
    void piecesGiveTheWhole();
    void cleanupTestCase();

private:
    // f32 sums of n terms in any order: about sqrt(n) units in the last place of the largest partial
    // sum, itself about sqrt(n) terms large.
    test::Tolerance tolerance(int columns) const { return {.absolute = 3e-7 * columns, .relative = 1e-5}; }
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
};

void MatmulTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void MatmulTest::matchesReference_data()
{
    QTest::addColumn<WeightFormat>("format");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("outputs");
    QTest::addColumn<int>("columns");

    struct Case {
        const char *name;
        int rows, outputs, columns;
        bool oddColumns; // not for int4, whose groups have 32 columns
    };
    const Case cases[] = {
        {"one element",                         1,  1,   1,    true },
        {"one group",                           1,  1,   32,   false},
        {"fewer than a subgroup",               2,  3,   3,    true },
        {"one more than the workgroup's lines", 3,  257, 64,   false},
        {"odd columns",                         5,  17,  257,  true },
        {"blocks cut at the edge",              7,  130, 160,  false},
        {"most rows of few",                    8,  33,  96,   false},
        {"fewest rows of many",                 9,  33,  96,   false},
        {"odd columns, many rows",              19, 35,  131,  true },
        {"several tiles",                       70, 150, 288,  false},
        {"Kimi K2.5 hidden size",               1,  24,  7168, false},
        {"Kimi K2.5 hidden size, many rows",    33, 24,  7168, false},
    };
    for (const auto &[name, format] : kFormats) {
        for (const Case &c : cases) {
            if (format == WeightFormat::Int4 && c.oddColumns)
                continue;
            QTest::addRow("%s, %s", name, c.name) << format << c.rows << c.outputs << c.columns;
        }
    }
}

void MatmulTest::matchesReference()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    QFETCH(int, outputs);
    QFETCH(int, columns);
    const std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    const test::PackedWeight weight = test::packedNoise(format, outputs, columns, /*seed=*/2);
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const WeightMatrix gpuWeight = test::place(*m_test, weight);
    const Tensor gpuY = m_test->empty(rows, outputs);

    const std::string wrong = m_test->run([&](Device &device) { matmul(device, gpuX, gpuWeight, gpuY); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::matmul(x, weight.values, columns), tolerance(columns)),
             "");
}

void MatmulTest::addsBiasAndAccumulates_data()
{
    QTest::addColumn<WeightFormat>("format");
    QTest::addColumn<int>("rows");
    for (const auto &[name, format] : kFormats) {
        QTest::addRow("%s, few rows", name) << format << 3;
        QTest::addRow("%s, many rows", name) << format << 20;
    }
}

void MatmulTest::addsBiasAndAccumulates()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    const int outputs = 19;
    const int columns = 64;
    const std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    const std::vector<float> before = test::noise(std::size_t(rows) * outputs, /*seed=*/3);
    const std::vector<float> bias = test::noise(outputs, /*seed=*/4);
    const test::PackedWeight weight = test::packedNoise(format, outputs, columns, /*seed=*/2);
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const WeightMatrix gpuWeight = test::place(*m_test, weight);
    const Tensor gpuBias = m_test->floats(1, outputs, bias);
    for (const bool withBias : {true, false}) {
        for (const bool accumulate : {true, false}) {
            const Tensor gpuY = m_test->floats(rows, outputs, before);
            std::vector<double> expected = test::matmul(x, weight.values, columns);
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[i] += (withBias ? bias[i % outputs] : 0.0f) + (accumulate ? before[i] : 0.0f);

            const std::string wrong = m_test->run([&](Device &device) {
                matmul(device, gpuX, gpuWeight, gpuY,
                       {.bias = withBias ? gpuBias : Tensor{}, .accumulate = accumulate});
            });

            QCOMPARE(wrong, "");
            QCOMPARE(m_test->compare(m_test->read(gpuY), expected, tolerance(columns)), "");
        }
    }
}

void MatmulTest::largeInputsStayInRange_data()
{
    addsBiasAndAccumulates_data();
}

// A residual stream has values beyond what f16 can hold.
void MatmulTest::largeInputsStayInRange()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    std::vector<float> x = test::noise(std::size_t(rows) * 128, /*seed=*/1);
    for (float &value : x)
        value *= 1e5f;
    const test::PackedWeight weight = test::packedNoise(format, 40, 128, /*seed=*/2);
    const Tensor gpuX = m_test->floats(rows, 128, x);
    const WeightMatrix gpuWeight = test::place(*m_test, weight);
    const Tensor gpuY = m_test->empty(rows, 40);

    const std::string wrong = m_test->run([&](Device &device) { matmul(device, gpuX, gpuWeight, gpuY); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::matmul(x, weight.values, 128),
                             {.absolute = 1e5 * 3e-7 * 128, .relative = 1e-5}),
             "");
}

void MatmulTest::piecesGiveTheWhole_data()
{
    addsBiasAndAccumulates_data();
}

// A matrix that lies in blocks of its rows, each an allocation of its own.
void MatmulTest::piecesGiveTheWhole()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    const std::uint32_t outputs = 300, columns = 96;
    const std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    const std::vector<float> before = test::noise(std::size_t(rows) * outputs, /*seed=*/3);
    const std::vector<float> bias = test::noise(outputs, /*seed=*/4);
    const test::PackedWeight weight = test::packedNoise(format, outputs, columns, /*seed=*/2);
    const std::size_t scaleRows = format == WeightFormat::Fp8 ? 3 : outputs;
    const ByteRange scales = weight.scales.empty() ? ByteRange{} : m_test->bytes(weight.scales);
    WeightMatrix pieces{format, outputs, columns, {}, scales};
    for (std::uint32_t first = 0; first < outputs; first += 128) {
        const std::uint32_t count = std::min(128u, outputs - first);
        const std::size_t rowBytes = weight.data.size() / outputs;
        const std::size_t scaleBytes = weight.scales.size() / scaleRows;
        const std::uint32_t together = format == WeightFormat::Fp8 ? 128 : 1;
        WeightMatrix piece{format,
                           count,
                           columns,
                           m_test->bytes(std::span(weight.data).subspan(first * rowBytes, count * rowBytes)),
                           {}};
        if (scales.bytes > 0)
            piece.scales = {scales.address + first / together * scaleBytes,
                            (count + together - 1) / together * scaleBytes};
        pieces.pieces.push_back(piece);
    }
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const Tensor gpuBias = m_test->floats(1, outputs, bias);
    const Tensor gpuY = m_test->floats(rows, outputs, before);
    std::vector<double> expected = test::matmul(x, weight.values, columns);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += bias[i % outputs] + before[i];

    const std::string wrong = m_test->run(
        [&](Device &device) { matmul(device, gpuX, pieces, gpuY, {.bias = gpuBias, .accumulate = true}); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, tolerance(columns)), "");
}

void MatmulTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"matmul_few_f32", "matmul_few_f16", "matmul_few_bf16", "matmul_few_int4",
                              "matmul_few_fp8", "matmul_many_f32", "matmul_many_f16", "matmul_many_bf16",
                              "matmul_many_int4", "matmul_many_fp8", "matmul_few_int8", "matmul_many_int8"}),
             "");
}

QTEST_GUILESS_MAIN(MatmulTest)
#include "matmul_test.moc"
