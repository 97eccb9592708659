#include "engine/kernels/mla_attention.h"

#include "tests/support/kernel_test.h"
#include "tests/support/qtest_strings.h"

#include <cstring>

using namespace perilune;

class MlaAttentionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void scratchSufficesForEveryLength();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
};

void MlaAttentionTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void MlaAttentionTest::matchesReference_data()
{
    QTest::addColumn<DType>("type");
    QTest::addColumn<int>("rows");
    QTest::addColumn<MlaShape>("shape");
    QTest::addColumn<int>("position");
    QTest::addColumn<float>("scale");
    QTest::addColumn<float>("size");

    const MlaShape tiny{4, 32, 20, 16, 12};
    const MlaShape demo{4, 48, 32, 16, 32};
    const MlaShape k25{64, 512, 128, 64, 128};
    for (const auto &[name, type] : {
             std::pair{"f32", DType::F32},
             {"f16", DType::F16}
    }) {
        QTest::addRow("%s, one key", name) << type << 1 << MlaShape{1, 4, 1, 4, 1} << 0 << 0.5f << 1.0f;
        QTest::addRow("%s, prompt", name) << type << 21 << tiny << 0 << 0.3f << 1.0f;
        QTest::addRow("%s, prompt's next chunk", name) << type << 9 << tiny << 30 << 0.3f << 1.0f;
        QTest::addRow("%s, decode", name) << type << 1 << demo << 100 << 0.3f << 1.0f;
        QTest::addRow("%s, decode in parts", name) << type << 1 << demo << 700 << 0.3f << 1.0f;
        QTest::addRow("%s, few rows in parts", name) << type << 3 << demo << 510 << 0.3f << 1.0f;
        QTest::addRow("%s, odd heads", name) << type << 5 << MlaShape{5, 36, 8, 8, 8} << 3 << 0.3f << 1.0f;
        QTest::addRow("%s, scale decides", name) << type << 2 << tiny << 12 << 3.0f << 1.0f;
        // Scores of some thousands: the running maximum keeps exp in range.
        QTest::addRow("%s, large scores", name) << type << 2 << tiny << 300 << 1.0f << 1e2f;
        QTest::addRow("%s, Kimi K2.5, decode", name) << type << 1 << k25 << 300 << 0.1447f << 0.3f;
        QTest::addRow("%s, Kimi K2.5, prompt", name) << type << 3 << k25 << 7 << 0.1447f << 0.3f;
    }
}

void MlaAttentionTest::matchesReference()
{
    QFETCH(DType, type);
    QFETCH(int, rows);
    QFETCH(MlaShape, shape);
    QFETCH(int, position);
    QFETCH(float, scale);
    QFETCH(float, size);
    const std::size_t width = shape.latent();
    const int keys = position + rows;
    std::vector<float> latent = test::noise(std::size_t(rows) * shape.heads * width, /*seed=*/1);
    for (float &value : latent)
        value *= size;
    std::vector<float> cache = test::noise(std::size_t(keys) * width, /*seed=*/2);
    for (float &value : cache)
        value *= size;
    const Tensor gpuLatent = m_test->floats(rows, shape.heads * width, latent);
    const Tensor gpuCache = m_test->empty(keys + 3, width, type); // NaN behind the last key
    std::vector<std::byte> stored(std::size_t(keys) * width * bytesOf(type));
    for (std::size_t i = 0; i < cache.size(); ++i) {
        const std::uint16_t bits = test::toHalf(cache[i]);
        if (type == DType::F16)
            cache[i] = test::fromHalf(bits);
        std::memcpy(stored.data() + i * bytesOf(type),
                    type == DType::F16 ? static_cast<const void *>(&bits) : &cache[i], bytesOf(type));
    }
    QVERIFY(m_test->device().upload(gpuCache.address, stored).has_value());
    const Tensor context = m_test->empty(rows, shape.heads * shape.rank);
    const ByteRange scratch = m_test->bytes(mlaAttentionScratch(shape, rows, keys));

    const std::string wrong = m_test->run([&](Device &device) {
        mlaAttention(device, shape, gpuLatent, gpuCache, context, scratch, position, scale);
    });

    QCOMPARE(wrong, "");
    // A score of size z is off by about |z| · 1e-6, which is its weight's relative error.
    const double largest = double{scale} * size * size * double(width);
    QCOMPARE(
        m_test->compare(m_test->read(context),
                        test::latentAttention(latent, cache, shape.heads, shape.rank, width, position, scale),
                        {.absolute = size * (2e-6 + largest * 2e-7), .relative = 1e-5}),
        "");
}

// The decoder allocates once for the longest; any shorter call must fit, at every number of rows.
void MlaAttentionTest::scratchSufficesForEveryLength()
{
    const MlaShape shape{4, 8, 4, 8, 4};
    for (const std::uint32_t rows : {1u, 3u, 40u}) {
        const std::uint64_t most = mlaAttentionScratch(shape, rows, 5000);
        for (std::uint32_t fewer = 1; fewer <= rows; ++fewer)
            QVERIFY(mlaAttentionScratch(shape, fewer, 4999) <= most);
    }
}

void MlaAttentionTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"mla_attention_f32", "mla_attention_f16", "mla_combine"}), "");
}

QTEST_GUILESS_MAIN(MlaAttentionTest)
#include "mla_attention_test.moc"
