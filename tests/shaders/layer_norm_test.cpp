#include "engine/kernels/layer_norm.h"

#include "tests/support/kernel_test.h"
#include "tests/support/vision_reference.h"

#include <QTest>

using namespace perilune;

class LayerNormTest : public QObject {
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
    // f32 sums of up to 1152 terms: a few units in the last place of values of unit size.
    test::Tolerance m_tolerance{.absolute = 1e-5, .relative = 1e-5};
};

void LayerNormTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void LayerNormTest::matchesReference_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<float>("epsilon");
    QTest::addColumn<float>("size");
    QTest::addColumn<float>("shift");

    QTest::newRow("one element") << 1 << 1 << 1e-5f << 1.0f << 0.0f;
    QTest::newRow("fewer columns than a subgroup") << 3 << 3 << 1e-5f << 1.0f << 0.0f;
    QTest::newRow("one more than the workgroup") << 2 << 129 << 1e-5f << 1.0f << 0.0f;
    QTest::newRow("the tiny tower") << 60 << 96 << 1e-5f << 1.0f << 0.0f;
    QTest::newRow("MoonViT's width") << 5 << 1152 << 1e-5f << 1.0f << 0.0f;
    QTest::newRow("values up to 1e5") << 2 << 1000 << 1e-5f << 1e5f << 0.0f;
    QTest::newRow("epsilon outweighs the values") << 2 << 64 << 10.0f << 1.0f << 0.0f;
    // The mean of the squares less the square of the mean would leave nothing of these.
    QTest::newRow("far from zero") << 2 << 1152 << 1e-5f << 1.0f << 64.0f;
}

void LayerNormTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(float, epsilon);
    QFETCH(float, size);
    QFETCH(float, shift);
    std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    for (float &value : x)
        value = value * size + shift;
    const std::vector<float> weight = test::noise(columns, /*seed=*/2);
    const std::vector<float> bias = test::noise(columns, /*seed=*/3);
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const Tensor gpuWeight = m_test->floats(1, columns, weight);
    const Tensor gpuBias = m_test->floats(1, columns, bias);
    const Tensor gpuY = m_test->empty(rows, columns);

    const std::string wrong =
        m_test->run([&](Device &device) { layerNorm(device, gpuX, gpuWeight, gpuBias, gpuY, epsilon); });

    QCOMPARE(wrong, "");
    // The mean's rounding is a share of the shift.
    const test::Tolerance tolerance{m_tolerance.absolute + 1e-6 * double(shift), m_tolerance.relative};
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::layerNorm(x, weight, bias, epsilon), tolerance), "");
}

void LayerNormTest::outputMayBeTheInput()
{
    const std::vector<float> x = test::noise(2 * 300, /*seed=*/1);
    const std::vector<float> weight = test::noise(300, /*seed=*/2);
    const std::vector<float> bias = test::noise(300, /*seed=*/3);
    const Tensor gpuX = m_test->floats(2, 300, x);
    const Tensor gpuWeight = m_test->floats(1, 300, weight);
    const Tensor gpuBias = m_test->floats(1, 300, bias);

    const std::string wrong =
        m_test->run([&](Device &device) { layerNorm(device, gpuX, gpuWeight, gpuBias, gpuX, 1e-5f); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuX), test::layerNorm(x, weight, bias, 1e-5f), m_tolerance), "");
}

void LayerNormTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"layer_norm"}), "");
}

QTEST_GUILESS_MAIN(LayerNormTest)
#include "layer_norm_test.moc"
