#include "engine/kernels/rms_norm.h"

#include "tests/support/kernel_test.h"

#include "tests/support/qtest_strings.h"

using namespace perilune;

class RmsNormTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void outputMayBeTheInput();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    // f32 sums of up to 7168 terms: a few units in the last place.
    test::Tolerance m_tolerance{.absolute = 1e-7, .relative = 1e-5};
};

void RmsNormTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void RmsNormTest::matchesReference_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<float>("epsilon");
    QTest::addColumn<float>("size");

    QTest::newRow("one element") << 1 << 1 << 1e-6f << 1.0f;
    QTest::newRow("fewer columns than a subgroup") << 3 << 3 << 1e-6f << 1.0f;
    QTest::newRow("one more than the workgroup") << 2 << 257 << 1e-6f << 1.0f;
    QTest::newRow("Kimi K2.5 hidden size") << 4 << 7168 << 1e-6f << 1.0f;
    QTest::newRow("values up to 1e5") << 2 << 1000 << 1e-5f << 1e5f;
    QTest::newRow("epsilon outweighs the values") << 2 << 64 << 10.0f << 1.0f;
    QTest::newRow("epsilon outweighs tiny values") << 2 << 64 << 1e-6f << 1e-4f;
}

void RmsNormTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(float, epsilon);
    QFETCH(float, size);
    std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    for (float &value : x)
        value *= size;
    const std::vector<float> weight = test::noise(columns, /*seed=*/2);
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const Tensor gpuWeight = m_test->floats(1, columns, weight);
    const Tensor gpuY = m_test->empty(rows, columns);

    const std::string wrong =
        m_test->run([&](Device &device) { rmsNorm(device, gpuX, gpuWeight, gpuY, epsilon); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::rmsNorm(x, weight, epsilon), m_tolerance), "");
}

void RmsNormTest::outputMayBeTheInput()
{
    const std::vector<float> x = test::noise(2 * 300, /*seed=*/1);
    const std::vector<float> weight = test::noise(300, /*seed=*/2);
    const Tensor gpuX = m_test->floats(2, 300, x);
    const Tensor gpuWeight = m_test->floats(1, 300, weight);

    const std::string wrong =
        m_test->run([&](Device &device) { rmsNorm(device, gpuX, gpuWeight, gpuX, 1e-6f); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuX), test::rmsNorm(x, weight, 1e-6f), m_tolerance), "");
}

void RmsNormTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"rms_norm"}), "");
}

QTEST_GUILESS_MAIN(RmsNormTest)
#include "rms_norm_test.moc"
