// Packed weights come out bit for bit as their definition says: a product with the identity matrix, by
// the kernels for few rows and for many.
#include "engine/kernels/matmul.h"

#include "engine/base/bfloat16.h"
#include "engine/weights/safetensors.h"
#include "tests/support/kernel_test.h"
#include "tests/support/packed_weights.h"
#include "tests/support/qtest_strings.h"

#include <bit>
#include <cmath>

using namespace perilune;

class DequantizationTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_test->clear(); }
    void expandsExactly_data();
    void expandsExactly();
    void everyCodeOfFp8();
    void everyCodeOfInt8_data();
    void everyCodeOfInt8();
    void cleanupTestCase();

private:
    std::unique_ptr<test::KernelTest> m_test = std::make_unique<test::KernelTest>();
    std::shared_ptr<const SafetensorsFile> m_golden;
};

void DequantizationTest::initTestCase()
{
    if (!m_test->missing().empty())
        QSKIP(m_test->missing().c_str());
    const auto file = SafetensorsFile::open(TEST_DATA_DIR "/model/dequant.safetensors");
    QVERIFY(file.has_value());
    m_golden = *file;
}

void DequantizationTest::expandsExactly_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("few");
    for (const char *name : {"int4.a", "int4.b", "int4.c", "fp8.a", "fp8.b", "fp8.c", "fp8.d"}) {
        QTest::addRow("%s, few rows", name) << QString(name) << true;
        QTest::addRow("%s, many rows", name) << QString(name) << false;
    }
}

void DequantizationTest::expandsExactly()
{
    QFETCH(QString, name);
    QFETCH(bool, few);
    const bool isInt4 = name.startsWith("int4");
    const auto tensor = [&](const char *what) { return m_golden->find((name + "." + what).toStdString()); };
    const StoredTensor *expected = tensor("expected_f32");
    const auto rows = std::uint32_t(expected->shape[0]);
    const auto columns = std::uint32_t(expected->shape[1]);
    const WeightMatrix weight{isInt4 ? WeightFormat::Int4 : WeightFormat::Fp8, rows, columns,
                              m_test->bytes(*bytesOf(*tensor(isInt4 ? "weight_packed" : "weight"))),
                              m_test->bytes(*bytesOf(*tensor(isInt4 ? "weight_scale" : "weight_scale_inv")))};
    std::vector<float> identity(std::size_t(columns) * columns, 0.0f);
    for (std::uint32_t i = 0; i < columns; ++i)
        identity[std::size_t(i) * columns + i] = 1.0f;
    // Few rows at a time, but for sizes whose rows start at odd places: there each at its own address.
    const Tensor y = m_test->empty(columns, rows);
    const std::uint32_t step = few ? 4 : columns;
    std::vector<std::pair<Tensor, Tensor>> calls;
    for (std::uint32_t row = 0; row < columns; row += step) {
        const std::uint32_t count = std::min(step, columns - row);
        calls.emplace_back(m_test->floats(count, columns,
                                          std::span(identity).subspan(std::size_t(row) * columns,
                                                                      std::size_t(count) * columns)),
                           y.slice(row, count));
    }

    const std::string wrong = m_test->run(
        [&](Device &device) {
            for (const auto &[x, out] : calls)
                matmul(device, x, weight, out);
        },
        /*check=*/!few);

    QCOMPARE(wrong, "");
    const std::vector<float> actual = m_test->read(y); // (columns, rows): transposed
    const std::vector<float> exact = *floatsOf(*expected);
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const float got = actual[std::size_t(c) * rows + r];
            const float want = exact[std::size_t(r) * columns + c];
            // Adding 0 to −0 gives 0: the one bit that a product can't show.
            QVERIFY2(std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(want) ||
                         (got == 0 && want == 0),
                     qPrintable(QString("(%1, %2): %3, expected %4").arg(r).arg(c).arg(got).arg(want)));
        }
    }
}

void DequantizationTest::everyCodeOfFp8()
{
    const std::vector<std::byte> codes = *bytesOf(*m_golden->find("fp8.table.bytes"));
    const std::vector<float> expected = *floatsOf(*m_golden->find("fp8.table.f32"));
    // One column reads single bytes; with sixteen, a code in another place of each row.
    for (const std::uint32_t columns : {1u, 16u}) {
        std::vector<std::byte> data(256 * columns);
        for (std::uint32_t r = 0; r < 256; ++r)
            data[r * columns + r * 5 % columns] = codes[r];
        const std::vector<float> scale{1.0f, 1.0f};
        const WeightMatrix weight{WeightFormat::Fp8, 256, columns, m_test->bytes(data),
                                  m_test->bytes(std::as_bytes(std::span(scale)))};
        const Tensor x = m_test->floats(1, columns, std::vector<float>(columns, 1.0f));
        const Tensor y = m_test->empty(1, 256);

        const std::string wrong = m_test->run([&](Device &device) { matmul(device, x, weight, y); });

        QCOMPARE(wrong, "");
        const std::vector<float> actual = m_test->read(y);
        for (std::size_t i = 0; i < 256; ++i) {
            QVERIFY2(std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i],
                     qPrintable(QString("code %1: %2, expected %3").arg(i).arg(actual[i]).arg(expected[i])));
        }
    }
}

void DequantizationTest::everyCodeOfInt8_data()
{
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows"); // of the left side: a few and many
    QTest::newRow("aligned, few rows") << 96 << 3;
    QTest::newRow("aligned, many rows") << 96 << 12;
    QTest::newRow("odd columns, few rows") << 37 << 3;
    QTest::newRow("odd columns, many rows") << 37 << 12;
}

// 256 rows of weights, so that row c has code c + i at column i: each code meets each place of a word and a
// group.
void DequantizationTest::everyCodeOfInt8()
{
    QFETCH(int, columns);
    QFETCH(int, rows);
    const int scalesOfRow = (columns + 63) / 64 * 2;
    std::vector<std::int8_t> codes(256 * std::size_t(columns));
    std::vector<std::uint16_t> scales(256 * std::size_t(scalesOfRow), 0x7fc0); // NaN where there is no column
    for (int r = 0; r < 256; ++r) {
        for (int c = 0; c < columns; ++c)
            codes[r * columns + c] = std::int8_t(r + c);
        for (int group = 0; group * 32 < columns; ++group)
            scales[r * scalesOfRow + group] = toBfloat16(std::ldexp(1.0f + float(r % 128) / 128, -5 - group));
    }
    const WeightMatrix weight{WeightFormat::Int8, 256, std::uint32_t(columns),
                              m_test->bytes(std::as_bytes(std::span(codes))),
                              m_test->bytes(std::as_bytes(std::span(scales)))};
    for (int first = 0; first < columns; first += rows) {
        std::vector<float> identity(std::size_t(rows) * columns, 0.0f);
        for (int i = 0; i < rows && first + i < columns; ++i)
            identity[i * columns + first + i] = 1.0f;
        const Tensor x = m_test->floats(rows, columns, identity);
        const Tensor y = m_test->empty(rows, 256);

        const std::string wrong =
            m_test->run([&](Device &device) { matmul(device, x, weight, y); }, /*check=*/first == 0);

        QCOMPARE(wrong, "");
        const std::vector<float> actual = m_test->read(y);
        for (int i = 0; i < rows && first + i < columns; ++i) {
            for (int r = 0; r < 256; ++r) {
                const int column = first + i;
                const float expected =
                    float(codes[r * columns + column]) * fromBfloat16(scales[r * scalesOfRow + column / 32]);
                QCOMPARE(actual[i * 256 + r], expected);
            }
        }
    }
}

void DequantizationTest::cleanupTestCase()
{
    if (!m_test->missing().empty())
        return;
    QCOMPARE(m_test->summary({"matmul_many_int4", "matmul_many_fp8", "matmul_few_fp8", "matmul_few_int8",
                              "matmul_many_int8"}),
             "");
}

QTEST_GUILESS_MAIN(DequantizationTest)
#include "dequantization_test.moc"
