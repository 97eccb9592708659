#include "engine/kernels/vit_rope.h"

#include "tests/support/kernel_test.h"
#include "tests/support/vision_reference.h"

#include <QTest>

using namespace perilune;

class VitRopeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    // Two products and a sum in f32.
    test::Tolerance m_tolerance{.absolute = 1e-6, .relative = 1e-6};
};

void VitRopeTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void VitRopeTest::matchesReference_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("headDim");
    QTest::addColumn<float>("size");

    QTest::newRow("one pair") << 1 << 1 << 2 << 1.0f;
    QTest::newRow("fewer pairs than a subgroup") << 3 << 1 << 4 << 1.0f;
    QTest::newRow("two more than the workgroup") << 2 << 11 << 6 << 1.0f; // 66 pairs
    QTest::newRow("the tiny tower") << 60 << 4 << 24 << 1.0f;
    QTest::newRow("MoonViT") << 5 << 16 << 72 << 1.0f;
    QTest::newRow("values up to 1e5") << 5 << 3 << 32 << 1e5f;
}

void VitRopeTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, heads);
    QFETCH(int, headDim);
    QFETCH(float, size);
    const std::size_t width = std::size_t(heads) * headDim;
    std::vector<float> qkv = test::noise(rows * 3 * width, /*seed=*/1);
    for (float &value : qkv)
        value *= size;
    const std::vector<float> cosines = test::noise(std::size_t(rows) * headDim / 2, /*seed=*/2);
    const std::vector<float> sines = test::noise(std::size_t(rows) * headDim / 2, /*seed=*/3);
    const Tensor gpuQkv = m_test->floats(rows, 3 * width, qkv);
    const Tensor gpuCosines = m_test->floats(rows, headDim / 2, cosines);
    const Tensor gpuSines = m_test->floats(rows, headDim / 2, sines);

    const std::string wrong =
        m_test->run([&](Device &device) { vitRope(device, gpuQkv, gpuCosines, gpuSines); });

    QCOMPARE(wrong, "");
    // Where the two products cancel, what is left carries their rounding.
    const test::Tolerance tolerance{m_tolerance.absolute * double(size), m_tolerance.relative};
    QCOMPARE(
        m_test->compare(m_test->read(gpuQkv), test::vitRope(qkv, cosines, sines, rows, headDim), tolerance),
        "");
}

void VitRopeTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"vit_rope"}), "");
}

QTEST_GUILESS_MAIN(VitRopeTest)
#include "vit_rope_test.moc"
