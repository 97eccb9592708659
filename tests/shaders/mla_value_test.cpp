// mla_value is products of matmul's kernels, one for each head.
#include "engine/kernels/mla_value.h"

#include "tests/support/kernel_test.h"
#include "tests/support/packed_weights.h"
#include "tests/support/qtest_strings.h"

using namespace perilune;

class MlaValueTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
};

void MlaValueTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void MlaValueTest::matchesReference_data()
{
    QTest::addColumn<WeightFormat>("format");
    QTest::addColumn<int>("rows");
    QTest::addColumn<MlaShape>("shape");
    const std::vector<std::pair<const char *, WeightFormat>> formats{
        {"f32",  WeightFormat::F32 },
        {"f16",  WeightFormat::F16 },
        {"bf16", WeightFormat::BF16},
    };
    for (const auto &[name, format] : formats) {
        QTest::addRow("%s, smallest", name) << format << 1 << MlaShape{1, 4, 1, 2, 1};
        QTest::addRow("%s, tiny", name) << format << 5 << MlaShape{4, 32, 20, 16, 12};
        QTest::addRow("%s, rank that is no multiple of a chunk", name)
            << format << 3 << MlaShape{3, 36, 7, 16, 13};
        QTest::addRow("%s, many rows", name) << format << 19 << MlaShape{3, 48, 24, 16, 20};
        QTest::addRow("%s, Kimi K2.5", name) << format << 1 << MlaShape{64, 512, 128, 64, 128};
    }
}

void MlaValueTest::matchesReference()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    QFETCH(MlaShape, shape);
    const std::size_t headRows = shape.nopeDim + shape.valueDim;
    const std::vector<float> context = test::noise(std::size_t(rows) * shape.heads * shape.rank, /*seed=*/1);
    const test::PackedWeight kvUp = test::packedNoise(format, shape.heads * headRows, shape.rank, /*seed=*/2);
    const Tensor gpuContext = m_test->floats(rows, shape.heads * shape.rank, context);
    const WeightMatrix gpuKvUp = test::place(*m_test, kvUp);
    const Tensor out = m_test->empty(rows, shape.heads * shape.valueDim);
    std::vector<double> expected;
    for (int t = 0; t < rows; ++t) {
        for (std::size_t h = 0; h < shape.heads; ++h) {
            const auto head = std::span(context).subspan((t * shape.heads + h) * shape.rank, shape.rank);
            const auto weights = std::span(kvUp.values)
                                     .subspan((h * headRows + shape.nopeDim) * shape.rank,
                                              std::size_t{shape.valueDim} * shape.rank);
            const std::vector<double> value = test::matmul(head, weights, shape.rank);
            expected.insert(expected.end(), value.begin(), value.end());
        }
    }

    const std::string wrong =
        m_test->run([&](Device &device) { mlaValue(device, shape, gpuContext, gpuKvUp, out); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(out), expected, {.absolute = 2e-5, .relative = 1e-5}), "");
}

void MlaValueTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"matmul_few_bf16", "matmul_many_bf16"}), "");
}

QTEST_GUILESS_MAIN(MlaValueTest)
#include "mla_value_test.moc"
