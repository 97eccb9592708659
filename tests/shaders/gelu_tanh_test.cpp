#include "engine/kernels/gelu.h"

#include "tests/support/kernel_test.h"
#include "tests/support/vision_reference.h"

#include <QTest>

using namespace perilune;

class GeluTanhTest : public QObject {
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
    // One exponential in f32. The exact GELU differs by 5e-4.
    test::Tolerance m_tolerance{.absolute = 2e-6, .relative = 2e-6};
};

void GeluTanhTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void GeluTanhTest::matchesReference_data()
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

void GeluTanhTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(float, size);
    std::vector<float> x = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    std::vector<double> expected;
    for (float &value : x) {
        value *= size;
        expected.push_back(test::geluTanh(value));
    }
    const Tensor gpuX = m_test->floats(rows, columns, x);
    const Tensor gpuY = m_test->empty(rows, columns);

    const std::string wrong = m_test->run([&](Device &device) { geluTanh(device, gpuX, gpuY); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, m_tolerance), "");
}

void GeluTanhTest::outputMayBeTheInput()
{
    const std::vector<float> x = test::noise(2 * 300, /*seed=*/1);
    std::vector<double> expected;
    for (const float value : x)
        expected.push_back(test::geluTanh(value));
    const Tensor gpuX = m_test->floats(2, 300, x);

    const std::string wrong = m_test->run([&](Device &device) { geluTanh(device, gpuX, gpuX); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuX), expected, m_tolerance), "");
}

void GeluTanhTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"gelu_tanh"}), "");
}

QTEST_GUILESS_MAIN(GeluTanhTest)
#include "gelu_tanh_test.moc"
