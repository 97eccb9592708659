#include "engine/kernels/swiglu.h"

#include "tests/support/kernel_test.h"

#include "tests/support/qtest_strings.h"

using namespace perilune;

class SwigluTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void outputMayBeAnInput();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    // exp of up to a few units in the last place (Vulkan allows 3 + 2 |z|), and two products.
    test::Tolerance m_tolerance{.absolute = 1e-7, .relative = 2e-5};
};

void SwigluTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void SwigluTest::matchesReference_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<float>("size");

    QTest::newRow("one element") << 1 << 1 << 1.0f;
    QTest::newRow("fewer than a subgroup") << 3 << 3 << 4.0f;
    QTest::newRow("one more than the workgroup") << 2 << 257 << 4.0f;
    QTest::newRow("Kimi K2.5 expert") << 8 << 2048 << 8.0f;
    QTest::newRow("values up to 1e5") << 2 << 100 << 1e5f;
}

void SwigluTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(float, size);
    std::vector<float> gate = test::noise(std::size_t(rows) * columns, /*seed=*/1);
    for (float &value : gate)
        value *= size;
    const std::vector<float> up = test::noise(std::size_t(rows) * columns, /*seed=*/2);
    const Tensor gpuGate = m_test->floats(rows, columns, gate);
    const Tensor gpuUp = m_test->floats(rows, columns, up);
    const Tensor gpuY = m_test->empty(rows, columns);

    const std::string wrong = m_test->run([&](Device &device) { swiglu(device, gpuGate, gpuUp, gpuY); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::swiglu(gate, up), m_tolerance), "");
}

void SwigluTest::outputMayBeAnInput()
{
    const std::vector<float> gate = test::noise(2 * 300, /*seed=*/1);
    const std::vector<float> up = test::noise(2 * 300, /*seed=*/2);
    for (const bool intoGate : {true, false}) {
        const Tensor gpuGate = m_test->floats(2, 300, gate);
        const Tensor gpuUp = m_test->floats(2, 300, up);
        const Tensor gpuY = intoGate ? gpuGate : gpuUp;

        const std::string wrong = m_test->run([&](Device &device) { swiglu(device, gpuGate, gpuUp, gpuY); });

        QCOMPARE(wrong, "");
        QCOMPARE(m_test->compare(m_test->read(gpuY), test::swiglu(gate, up), m_tolerance), "");
    }
}

void SwigluTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"swiglu"}), "");
}

QTEST_GUILESS_MAIN(SwigluTest)
#include "swiglu_test.moc"
