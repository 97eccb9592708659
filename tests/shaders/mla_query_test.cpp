#include "engine/kernels/mla_query.h"

#include "engine/weights/safetensors.h"
#include "tests/support/kernel_test.h"
#include "tests/support/packed_weights.h"
#include "tests/support/qtest_strings.h"

using namespace perilune;

class MlaQueryTest : public QObject {
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

void MlaQueryTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
}

namespace {

std::vector<double> reference(const MlaShape &shape, std::span<const float> q, std::span<const float> kvUp,
                              std::span<const float> table, std::size_t position)
{
    const std::size_t headWidth = shape.nopeDim + shape.ropeDim;
    const std::size_t rows = q.size() / (shape.heads * headWidth);
    std::vector<double> latent;
    for (std::size_t t = 0; t < rows; ++t) {
        for (std::size_t h = 0; h < shape.heads; ++h) {
            const std::span<const float> head = q.subspan((t * shape.heads + h) * headWidth, headWidth);
            const std::size_t weightRow = h * (shape.nopeDim + shape.valueDim);
            for (std::size_t r = 0; r < shape.rank; ++r) {
                double sum = 0;
                for (std::size_t n = 0; n < shape.nopeDim; ++n)
                    sum += double{head[n]} * kvUp[(weightRow + n) * shape.rank + r];
                latent.push_back(sum);
            }
            const std::vector<double> tail(head.begin() + shape.nopeDim, head.end());
            const std::vector<double> turned =
                test::rope(tail, table.subspan((position + t) * shape.ropeDim, shape.ropeDim));
            latent.insert(latent.end(), turned.begin(), turned.end());
        }
    }
    return latent;
}

} // namespace

void MlaQueryTest::matchesReference_data()
{
    QTest::addColumn<WeightFormat>("format");
    QTest::addColumn<int>("rows");
    QTest::addColumn<MlaShape>("shape");
    QTest::addColumn<int>("position");
    QTest::addColumn<float>("size");

    const std::vector<std::pair<const char *, WeightFormat>> formats{
        {"f32",  WeightFormat::F32 },
        {"f16",  WeightFormat::F16 },
        {"bf16", WeightFormat::BF16},
    };
    for (const auto &[name, format] : formats) {
        QTest::addRow("%s, smallest", name) << format << 1 << MlaShape{1, 4, 1, 2, 1} << 0 << 1.0f;
        QTest::addRow("%s, tiny", name) << format << 7 << MlaShape{4, 32, 20, 16, 12} << 9 << 1.0f;
        QTest::addRow("%s, one more than the workgroup", name)
            << format << 3 << MlaShape{2, 132, 24, 8, 40} << 1 << 1.0f;
        QTest::addRow("%s, many rows", name) << format << 35 << MlaShape{3, 48, 24, 16, 20} << 0 << 1.0f;
        QTest::addRow("%s, Kimi K2.5", name) << format << 1 << MlaShape{64, 512, 128, 64, 128} << 77 << 1.0f;
        QTest::addRow("%s, values up to 1e5", name)
            << format << 2 << MlaShape{4, 32, 20, 16, 12} << 9 << 1e5f;
    }
}

void MlaQueryTest::matchesReference()
{
    QFETCH(WeightFormat, format);
    QFETCH(int, rows);
    QFETCH(MlaShape, shape);
    QFETCH(int, position);
    QFETCH(float, size);
    const std::size_t columns = shape.heads * (shape.nopeDim + shape.ropeDim);
    std::vector<float> q = test::noise(rows * columns, /*seed=*/1);
    for (float &value : q)
        value *= size;
    const test::PackedWeight kvUp =
        test::packedNoise(format, shape.heads * (shape.nopeDim + shape.valueDim), shape.rank, /*seed=*/2);
    const std::vector<float> table = test::ropeTable(position + rows, shape.ropeDim);
    const Tensor gpuQ = m_test->floats(rows, columns, q);
    const WeightMatrix gpuKvUp = test::place(*m_test, kvUp);
    const Tensor gpuTable = m_test->floats(position + rows, shape.ropeDim, table);
    const Tensor latent = m_test->empty(rows, shape.heads * shape.latent());

    const std::string wrong = m_test->run(
        [&](Device &device) { mlaQuery(device, shape, gpuQ, gpuKvUp, gpuTable, latent, position); });

    QCOMPARE(wrong, "");
    QCOMPARE(m_test->compare(m_test->read(latent), reference(shape, q, kvUp.values, table, position),
                             {.absolute = 3e-6 * size, .relative = 1e-5}),
             "");
}

// Against the published modules' rotation, in the order of the checkpoint.
void MlaQueryTest::rotatesAsTheAuthorsDo()
{
    const auto file = SafetensorsFile::open(TEST_DATA_DIR "/model/rope.safetensors");
    QVERIFY(file.has_value());
    const std::vector<float> q = *floatsOf(*(*file)->find("rotate.q")); // (positions, 3, 16)
    const std::vector<float> frequencies = *floatsOf(*(*file)->find("rotate.inv_freq"));
    const std::vector<float> expected = *floatsOf(*(*file)->find("rotate.q_out_pairs"));
    const std::vector<std::int64_t> positions = *integersOf(*(*file)->find("rotate.positions"));
    const MlaShape shape{3, 4, 1, 16, 1};
    const test::PackedWeight zeros{WeightFormat::F32, 6, 4, std::vector<std::byte>(96), {}, {}};
    const WeightMatrix kvUp = test::place(*m_test, zeros);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        std::vector<float> table;
        for (const float frequency : frequencies) {
            const float angle = static_cast<float>(positions[i]) * frequency;
            table.push_back(std::cos(angle));
            table.push_back(std::sin(angle));
        }
        std::vector<float> row;
        std::vector<double> want;
        for (std::size_t h = 0; h < 3; ++h) {
            row.push_back(1.0f); // the one nope element
            want.insert(want.end(), 4, 0.0);
            for (std::size_t c = 0; c < 16; ++c) {
                row.push_back(q[(i * 3 + h) * 16 + c]);
                want.push_back(expected[(i * 3 + h) * 16 + c]);
            }
        }
        const Tensor gpuQ = m_test->floats(1, row.size(), row);
        const Tensor rope = m_test->floats(1, 16, table);
        const Tensor latent = m_test->empty(1, want.size());

        const std::string wrong =
            m_test->run([&](Device &device) { mlaQuery(device, shape, gpuQ, kvUp, rope, latent, 0); });

        QCOMPARE(wrong, "");
        QCOMPARE(m_test->compare(m_test->read(latent), want, {.absolute = 2e-6, .relative = 1e-5}), "");
    }
}

void MlaQueryTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    qInfo("worst error %.2g", m_test->worstError());
    QCOMPARE(m_test->summary({"mla_query_f32", "mla_query_f16", "mla_query_bf16"}), "");
}

QTEST_GUILESS_MAIN(MlaQueryTest)
#include "mla_query_test.moc"
