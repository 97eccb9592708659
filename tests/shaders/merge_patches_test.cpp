#include "engine/kernels/merge_patches.h"

#include "tests/support/kernel_test.h"
#include "tests/support/vision_reference.h"

#include <QTest>

using namespace perilune;

class MergePatchesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    // A sum of up to four and a division in f32.
    test::Tolerance m_tolerance{.absolute = 1e-6, .relative = 1e-6};
};

void MergePatchesTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void MergePatchesTest::matchesReference_data()
{
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("width");
    QTest::addColumn<float>("size");

    QTest::newRow("one cell of one element") << 1 << 2 << 2 << 1 << 1.0f;
    QTest::newRow("fewer elements than a subgroup") << 1 << 4 << 2 << 3 << 1.0f;
    QTest::newRow("one more than the workgroup") << 1 << 2 << 6 << 65 << 1.0f;
    QTest::newRow("two frames") << 2 << 4 << 6 << 96 << 1.0f;
    QTest::newRow("three frames") << 3 << 6 << 4 << 96 << 1.0f;
    QTest::newRow("four frames, MoonViT's width") << 4 << 4 << 10 << 1152 << 1.0f;
    QTest::newRow("values up to 1e5") << 3 << 4 << 4 << 96 << 1e5f;
}

void MergePatchesTest::matchesReference()
{
    QFETCH(int, frames);
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, width);
    QFETCH(float, size);
    const std::size_t patches = std::size_t(frames) * rows * columns;
    std::vector<float> x = test::noise(patches * width, /*seed=*/1);
    for (float &value : x)
        value *= size;
    const Tensor gpuX = m_test->floats(patches, width, x);
    const Tensor gpuY = m_test->empty(std::size_t(rows / 2) * (columns / 2), 4 * std::size_t(width));

    const MergeGrid grid{std::uint32_t(frames), std::uint32_t(rows), std::uint32_t(columns)};
    const std::string wrong = m_test->run([&](Device &device) { mergePatches(device, gpuX, grid, gpuY); });

    QCOMPARE(wrong, "");
    const test::Tolerance tolerance{m_tolerance.absolute * double(size), m_tolerance.relative};
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::mergePatches(x, frames, rows, columns), tolerance),
             "");
}

void MergePatchesTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"merge_patches"}), "");
}

QTEST_GUILESS_MAIN(MergePatchesTest)
#include "merge_patches_test.moc"
