#include "engine/kernels/latent_cache.h"

#include "engine/weights/safetensors.h"
#include "tests/support/kernel_test.h"
#include "tests/support/qtest_strings.h"

using namespace perilune;

class LatentCacheTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void matchesReference_data();
    void matchesReference();
    void rotatesAsTheAuthorsDo();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
};

void LatentCacheTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

void LatentCacheTest::matchesReference_data()
{
    QTest::addColumn<DType>("type");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("ropeDim");
    QTest::addColumn<int>("position");
    QTest::addColumn<float>("epsilon");
    QTest::addColumn<float>("size");

    for (const auto &[name, type] : {
             std::pair{"f32", DType::F32},
             {"f16", DType::F16}
    }) {
        QTest::addRow("%s, one pair", name) << type << 1 << 2 << 2 << 0 << 1e-6f << 1.0f;
        QTest::addRow("%s, tiny", name) << type << 3 << 32 << 16 << 5 << 1e-6f << 1.0f;
        QTest::addRow("%s, odd pairs", name) << type << 2 << 70 << 6 << 1 << 1e-6f << 1.0f;
        QTest::addRow("%s, Kimi K2.5", name) << type << 5 << 512 << 64 << 1000 << 1e-6f << 1.0f;
        QTest::addRow("%s, epsilon decides", name) << type << 2 << 48 << 16 << 3 << 1.0f << 0.1f;
        // The rope part isn't normalised: f16 holds it up to 65504.
        QTest::addRow("%s, large values", name) << type << 2 << 48 << 16 << 3 << 1e-6f << 4e4f;
    }
}

void LatentCacheTest::matchesReference()
{
    QFETCH(DType, type);
    QFETCH(int, rows);
    QFETCH(int, rank);
    QFETCH(int, ropeDim);
    QFETCH(int, position);
    QFETCH(float, epsilon);
    QFETCH(float, size);
    const int width = rank + ropeDim;
    std::vector<float> kv = test::noise(std::size_t(rows) * width, /*seed=*/1);
    for (float &value : kv)
        value *= size;
    const std::vector<float> weight = test::noise(rank, /*seed=*/2);
    const std::vector<float> table = test::ropeTable(position + rows, ropeDim);
    const Tensor gpuKv = m_test->floats(rows, width, kv);
    const Tensor gpuWeight = m_test->floats(1, rank, weight);
    const Tensor gpuTable = m_test->floats(position + rows, ropeDim, table);
    const Tensor cache = m_test->empty(position + rows + 2, width, type);
    std::vector<double> expected;
    for (int t = 0; t < rows; ++t) {
        const std::span<const float> row(kv.data() + std::size_t(t) * width, width);
        const std::vector<double> latent = test::rmsNorm(row.first(rank), weight, epsilon);
        const std::vector<double> tail(row.begin() + rank, row.end());
        const std::vector<double> turned =
            test::rope(tail, std::span(table).subspan(std::size_t(position + t) * ropeDim, ropeDim));
        expected.insert(expected.end(), latent.begin(), latent.end());
        expected.insert(expected.end(), turned.begin(), turned.end());
    }

    const std::string wrong = m_test->run(
        [&](Device &device) { latentCache(device, gpuKv, gpuWeight, gpuTable, cache, position, epsilon); });

    QCOMPARE(wrong, "");
    const std::vector<float> all = m_test->read(cache);
    const std::vector<float> actual(all.begin() + std::ptrdiff_t(position) * width,
                                    all.begin() + std::ptrdiff_t(position + rows) * width);
    // f16 has 11 bits, and Vulkan leaves open which way they are rounded; below 2⁻¹⁴ its steps are 2⁻²⁴.
    const test::Tolerance tolerance = type == DType::F16
                                          ? test::Tolerance{.absolute = 6e-8 + 2e-7 * size, .relative = 1e-3}
                                          : test::Tolerance{.absolute = 2e-7 * size, .relative = 1e-5};
    QCOMPARE(m_test->compare(actual, expected, tolerance), "");
    QVERIFY2(std::isnan(all.back()), "a row behind the last was written");
}

// Against the published modules' rotation, in the order of the checkpoint.
void LatentCacheTest::rotatesAsTheAuthorsDo()
{
    const auto file = SafetensorsFile::open(TEST_DATA_DIR "/model/rope.safetensors");
    QVERIFY(file.has_value());
    const std::vector<float> k = *floatsOf(*(*file)->find("rotate.k"));
    const std::vector<float> frequencies = *floatsOf(*(*file)->find("rotate.inv_freq"));
    const std::vector<float> expected = *floatsOf(*(*file)->find("rotate.k_out_pairs"));
    const std::vector<std::int64_t> positions = *integersOf(*(*file)->find("rotate.positions"));
    const Tensor weight = m_test->floats(1, 4, std::vector<float>(4, 1.0f));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        std::vector<float> row(4, 1.0f);
        row.insert(row.end(), k.begin() + std::ptrdiff_t(i) * 16, k.begin() + std::ptrdiff_t(i + 1) * 16);
        std::vector<float> table;
        for (const float frequency : frequencies) {
            const float angle = static_cast<float>(positions[i]) * frequency;
            table.push_back(std::cos(angle));
            table.push_back(std::sin(angle));
        }
        const Tensor kv = m_test->floats(1, 20, row);
        const Tensor rope = m_test->floats(1, 16, table);
        const Tensor cache = m_test->empty(1, 20);

        const std::string wrong =
            m_test->run([&](Device &device) { latentCache(device, kv, weight, rope, cache, 0, 1e-6f); });

        QCOMPARE(wrong, "");
        const std::vector<float> actual = m_test->read(cache);
        const std::vector<double> want(expected.begin() + std::ptrdiff_t(i) * 16,
                                       expected.begin() + std::ptrdiff_t(i + 1) * 16);
        QCOMPARE(m_test->compare(std::span(actual).subspan(4), want, {.absolute = 2e-6, .relative = 1e-5}),
                 "");
    }
}

void LatentCacheTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"latent_cache_f32", "latent_cache_f16"}), "");
}

QTEST_GUILESS_MAIN(LatentCacheTest)
#include "latent_cache_test.moc"
