#include "engine/kernels/vit_attention.h"

#include "tests/support/kernel_test.h"
#include "tests/support/vision_reference.h"

#include <QTest>

using namespace perilune;

class VitAttentionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void mediaDontSeeEachOther();
    void largeScoresDontOverflow();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    // Sums of up to 16384 products of unit values in f32, weights that sum to 1, and exp2 as drivers have it.
    test::Tolerance m_tolerance{.absolute = 1e-5, .relative = 1e-5};
};

void VitAttentionTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void VitAttentionTest::matchesReference_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("headDim");
    QTest::addColumn<float>("size");

    QTest::newRow("one patch") << 1 << 1 << 4 << 1.0f;
    QTest::newRow("fewer than a subgroup") << 3 << 2 << 4 << 1.0f;
    QTest::newRow("a tile") << 32 << 1 << 8 << 1.0f;
    QTest::newRow("one more than a tile") << 33 << 2 << 12 << 1.0f;
    QTest::newRow("one less than three tiles") << 95 << 1 << 32 << 1.0f;
    QTest::newRow("the tiny tower") << 168 << 4 << 24 << 1.0f;
    QTest::newRow("MoonViT") << 70 << 16 << 72 << 1.0f;
    QTest::newRow("many patches") << 1000 << 1 << 72 << 1.0f;
    QTest::newRow("the largest head") << 40 << 1 << 100 << 1.0f;
    // Scores of a few hundred: the softmax picks, and the maximum must be taken out before exp.
    QTest::newRow("sharp softmax") << 100 << 2 << 72 << 12.0f;
    // Without 1/sqrt(headDim) the weights of these would be far from even.
    QTest::newRow("the scale decides") << 40 << 1 << 96 << 2.0f;
}

void VitAttentionTest::matchesReference()
{
    QFETCH(int, rows);
    QFETCH(int, heads);
    QFETCH(int, headDim);
    QFETCH(float, size);
    const std::size_t width = std::size_t(heads) * headDim;
    std::vector<float> qkv = test::noise(rows * 3 * width, /*seed=*/1);
    for (float &value : qkv)
        value *= size;
    const Tensor gpuQkv = m_test->floats(rows, 3 * width, qkv);
    const Tensor gpuY = m_test->empty(rows, width);

    const std::string wrong = m_test->run(
        [&](Device &device) { vitAttention(device, gpuQkv, {0, gpuQkv.rows}, std::uint32_t(heads), gpuY); });

    QCOMPARE(wrong, "");
    // A score's rounding is a share of its size, and becomes a share of its weight.
    const test::Tolerance tolerance{m_tolerance.absolute * double(size * size * size), m_tolerance.relative};
    QCOMPARE(m_test->compare(m_test->read(gpuY), test::vitAttention(qkv, width, heads, 0, rows), tolerance),
             "");
}

void VitAttentionTest::mediaDontSeeEachOther()
{
    const std::size_t width = 2 * 24;
    const std::vector<float> qkv = test::noise(150 * 3 * width, /*seed=*/1);
    const Tensor gpuQkv = m_test->floats(150, 3 * width, qkv);
    const Tensor gpuY = m_test->empty(150, width);
    const std::vector<RowRange> media{
        {0,  12},
        {12, 60},
        {72, 1 },
        {73, 77}
    };

    const std::string wrong = m_test->run([&](Device &device) {
        for (const RowRange &medium : media)
            vitAttention(device, gpuQkv, medium, 2, gpuY);
    });

    QCOMPARE(wrong, "");
    std::vector<double> expected;
    for (const RowRange &medium : media) {
        const std::vector<double> mine = test::vitAttention(qkv, width, 2, medium.first, medium.count);
        expected.insert(expected.end(), mine.begin(), mine.end());
    }
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, m_tolerance), "");
}

void VitAttentionTest::largeScoresDontOverflow()
{
    // Keys of 1e5 and one that stands out: scores of 1e10, where only the maximum counts.
    const std::size_t width = 8;
    std::vector<float> qkv(40 * 3 * width);
    for (std::size_t row = 0; row < 40; ++row) {
        for (std::size_t d = 0; d < width; ++d) {
            qkv[row * 24 + d] = 1e5f;
            qkv[row * 24 + 8 + d] = row == 35 ? 1.5e5f : -1e5f + float(row);
            qkv[row * 24 + 16 + d] = float(row) * 100 + float(d);
        }
    }
    const Tensor gpuQkv = m_test->floats(40, 3 * width, qkv);
    const Tensor gpuY = m_test->empty(40, width);

    const std::string wrong =
        m_test->run([&](Device &device) { vitAttention(device, gpuQkv, {0, 40}, 1, gpuY); });

    QCOMPARE(wrong, "");
    std::vector<double> expected;
    for (std::size_t i = 0; i < 40 * width; ++i)
        expected.push_back(3500.0 + double(i % width));
    QCOMPARE(m_test->compare(m_test->read(gpuY), expected, {0, 1e-6}), "");
}

void VitAttentionTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"vit_attention"}), "");
}

QTEST_GUILESS_MAIN(VitAttentionTest)
#include "vit_attention_test.moc"
