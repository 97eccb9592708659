#include "engine/kernels/gelu.h"

#include "tests/support/kernel_test.h"
#include "tests/support/vision_reference.h"

#include <QTest>

using namespace perilune;

class GeluErfTest : public QObject {
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
    // The formula is off by 1.5e-7, f32 by as much again. The tanh form differs by 5e-4.
    test::Tolerance m_tolerance{.absolute = 1e-6, .relative = 1e-6};
};

void GeluErfTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void GeluErfTest::matchesReference_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<float>("size");

    QTest::newRow("one element") << 1 << 1 << 1.0f;
    QTest::newRow("fewer columns than a subgroup") << 3 << 3 << 4.0f;
    QTest::newRow("one more than the workgroup") << 2 << 65 << 4.0f;
    QTest::newRow("MoonViT's MLP") << 7 << 4304 << 6.0f;
    QTest::newRow("values up to 1e5") << 2 << 1000 << 1e5f;
    QTest::newRow("values where a cube overflows") << 2 << 1000 << 1e15f;
}

void GeluErfTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(float, size);
    std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    std::vector<double> expected;
    for (float &value : x) {
        value *= size;
        expected.push_back(test::geluErf(value));
    }
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const Tensor gpuY = m_test->empty(rows, columns);

    const std::string wrong = m_test->run([&](Device &device) { geluErf(device, gpuX, gpuY); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, m_tolerance), "");
}

void GeluErfTest::outputMayBeTheInput()
{
    const std::vector<float> x = test::noise(2 * 300, /*seed=*/1);
    std::vector<double> expected;
    for (const float value : x)
        expected.push_back(test::geluErf(value));
    const Tensor gpuX = m_test->floats(2, 300, x);

    const std::string wrong = m_test->run([&](Device &device) { geluErf(device, gpuX, gpuX); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuX), expected, m_tolerance), "");
}

void GeluErfTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"gelu_erf"}), "");
}

QTEST_GUILESS_MAIN(GeluErfTest)
#include "gelu_erf_test.moc"
