// Quantizing by its definition: what comes back is near what went in, and the layout is the kernels'.
#include "engine/weights/quantize.h"

#include "engine/base/bfloat16.h"
#include "engine/weights/expand.h"
#include "engine/weights/quantize_rows.h"
#include "engine/weights/safetensors_writer.h"
#include "tests/support/qtest_strings.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace perilune;

namespace {

/// Quantized rows and what they mean, by the layout that engine/gpu/tensor.h describes.
struct Quantized {
    std::vector<std::byte> data, scales;
    std::vector<float> values;
};

float scaleAt(const std::vector<std::byte> &scales, std::size_t index)
{
    std::uint16_t bits = 0;
    std::memcpy(&bits, scales.data() + index * 2, 2);
    return fromBfloat16(bits);
}

Quantized quantized(const std::vector<float> &row, WeightFormat format)
{
    const QuantizedBytes bytes = quantizedBytes(format, row.size());
    Quantized result{std::vector<std::byte>(bytes.dataOfRow), std::vector<std::byte>(bytes.scalesOfRow), {}};
    quantizeRow(row, format, result.data, result.scales);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int byte = std::to_integer<int>(result.data[format == WeightFormat::Int4 ? i / 2 : i]);
        const int quantum =
            format == WeightFormat::Int4 ? (i % 2 ? byte >> 4 : byte & 15) - 8 : std::int8_t(byte);
        result.values.push_back(float(quantum) * scaleAt(result.scales, i / 32));
    }
    return result;
}

std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float &value : values)
        value = fromBfloat16(toBfloat16(normal(random) * 0.02f));
    return values;
}

double relativeError(const std::vector<float> &values, const std::vector<float> &back)
{
    double error = 0, size = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        error += std::pow(double(back[i]) - values[i], 2);
        size += std::pow(double(values[i]), 2);
    }
    return std::sqrt(error / size);
}

} // namespace

class QuantizeTest : public QObject {
    Q_OBJECT

private slots:
    void choicesAreRead_data();
    void choicesAreRead();
    void wrongChoicesAreRefusedByName();
    void partsNamedTwiceAreRefused();
    void int8IsWithinHalfAScale();
    void gaussianWeightsLoseLittle();
    void whatFitsComesBackExactly();
    void oddValuesAreHarmless_data();
    void oddValuesAreHarmless();
    void rowsAreQuantizedAlikeHoweverTheyAreCut();
    void aCrewDoesEachStepOnce();
};

void QuantizeTest::choicesAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    QTest::newRow("nothing") << "" << "";
    QTest::newRow("everything") << "int4" << "experts=int4,shared=int4,dense=int4,attention=int4,head=int4";
    QTest::newRow("parts, in any order") << "head=int8,experts=int4" << "experts=int4,head=int8";
    QTest::newRow("a later one counts")
        << "int8,head=none,experts=int4" << "experts=int4,shared=int8,dense=int8,attention=int8";
}

void QuantizeTest::choicesAreRead()
{
    QFETCH(QString, text);
    QFETCH(QString, canonical);

    const auto options = parseQuantizeOptions(text.toStdString());

    QVERIFY(options.has_value());
    QCOMPARE(QString::fromStdString(options->text()), canonical);
    QCOMPARE(options->any(), !canonical.isEmpty());
    QCOMPARE(parseQuantizeOptions(options->text())->text(), options->text());
}

void QuantizeTest::wrongChoicesAreRefusedByName()
{
    for (const char *text :
         {"int5", "experts", "experts=", "vision=int4", "experts=int4,heads=int8", "=int4", ",", "int8,"}) {
        const auto options = parseQuantizeOptions(text);
        QVERIFY2(!options, text);
        QCOMPARE(options.error().code, ErrorCode::InvalidInput);
        QVERIFY(options.error().message.find("expected are int4 or int8") != std::string::npos);
    }
}

void QuantizeTest::partsNamedTwiceAreRefused()
{
    for (const char *text :
         {"experts=int4,experts=int8", "int8,int8", "head=int4,int8", "head=none,head=none"}) {
        const auto options = parseQuantizeOptions(text);
        QVERIFY2(!options, text);
        QCOMPARE(options.error().code, ErrorCode::InvalidInput);
    }
}

void QuantizeTest::int8IsWithinHalfAScale()
{
    const std::vector<float> values = gaussian(3 * 32 + 5, 1);

    const Quantized result = quantized(values, WeightFormat::Int8);

    for (std::size_t i = 0; i < values.size(); ++i) {
        const float scale = scaleAt(result.scales, i / 32);
        QVERIFY(scale > 0);
        QVERIFY(std::abs(result.values[i] - values[i]) <= scale * 0.5001f);
    }
}

// The theory for values of a normal distribution: a scale to the largest of 32 (about 2.07 standard
// deviations) gives an error of 2.07 / 127 / sqrt(12) = 0.5 % for int8. For int4 a plain scale to -8
// gives 8.5 to 9 %, and choosing the scale must do better than that.
void QuantizeTest::gaussianWeightsLoseLittle()
{
    const std::vector<float> values = gaussian(32 * 1000, 2);

    const double eight = relativeError(values, quantized(values, WeightFormat::Int8).values);
    const double four = relativeError(values, quantized(values, WeightFormat::Int4).values);

    qInfo("relative error: int8 %.5f, int4 %.5f", eight, four);
    QVERIFY(eight < 0.006);
    QVERIFY(four < 0.083);
}

void QuantizeTest::whatFitsComesBackExactly()
{
    for (const WeightFormat format : {WeightFormat::Int4, WeightFormat::Int8}) {
        const bool four = format == WeightFormat::Int4;
        std::vector<float> values(64);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = float(four ? int(i % 16) - 8 : int(i * 5 % 255) - 127) * (i < 32 ? 0.25f : 0.015625f);
        values[63] = (four ? -8.0f : 127.0f) * 0.015625f;
        values[31] = (four ? -8.0f : -127.0f) * 0.25f;

        QCOMPARE(quantized(values, format).values, values);
    }
}

void QuantizeTest::oddValuesAreHarmless_data()
{
    QTest::addColumn<float>("value");
    QTest::addColumn<bool>("finite");
    QTest::newRow("zero") << 0.0f << true;
    QTest::newRow("minus zero") << -0.0f << true;
    QTest::newRow("denormal") << 1e-42f << true;
    QTest::newRow("tiny") << 2e-38f << true;
    QTest::newRow("huge") << 3e38f << true;
    QTest::newRow("infinite") << INFINITY << false;
    QTest::newRow("not a number") << NAN << false;
}

void QuantizeTest::oddValuesAreHarmless()
{
    QFETCH(float, value);
    QFETCH(bool, finite);
    for (const WeightFormat format : {WeightFormat::Int4, WeightFormat::Int8}) {
        std::vector<float> values(64, 0.5f);
        std::fill_n(values.begin(), 32, 0.0f);
        values[7] = value;

        const Quantized result = quantized(values, format);

        for (std::size_t i = 0; i < 32; ++i) {
            QCOMPARE(std::isfinite(result.values[i]), finite);
            if (finite)
                QVERIFY(std::abs(result.values[i] - values[i]) <= std::abs(value) * 0.05f + 2e-37f);
        }
        for (std::size_t i = 32; i < 64; ++i)
            QVERIFY(std::abs(result.values[i] - 0.5f) < 0.005f); // its neighbour is no concern of a group
    }
}

void QuantizeTest::rowsAreQuantizedAlikeHoweverTheyAreCut()
{
    const std::uint64_t rows = 300, columns = 96;
    const std::vector<float> values = gaussian(rows * columns, 3);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("w.safetensors").toStdString();
    SafetensorsWriter writer;
    writer.add("w", {rows, columns}, std::span<const float>(values));
    QVERIFY(writer.write(path).has_value());
    const auto file = SafetensorsFile::open(path);
    QVERIFY(file.has_value());
    const StoredMatrix matrix{(*file)->find("w"), nullptr, rows, columns};
    for (const WeightFormat format : {WeightFormat::Int4, WeightFormat::Int8}) {
        std::vector<std::byte> expected, expectedScales;
        for (std::uint64_t row = 0; row < rows; ++row) {
            const Quantized one = quantized({values.begin() + std::ptrdiff_t(row * columns),
                                             values.begin() + std::ptrdiff_t((row + 1) * columns)},
                                            format);
            expected.insert(expected.end(), one.data.begin(), one.data.end());
            expectedScales.insert(expectedScales.end(), one.scales.begin(), one.scales.end());
        }
        for (const unsigned threads : {1u, 4u}) {
            WorkCrew crew(threads);
            std::vector<std::byte> data, scales;
            const auto take = [&](std::span<const std::byte> bytes) -> Status {
                data.insert(data.end(), bytes.begin(), bytes.end());
                return Done{};
            };

            QVERIFY(quantizeRows(matrix, format, {0, 128}, crew, take, scales).has_value());
            QVERIFY(quantizeRows(matrix, format, {128, rows - 128}, crew, take, scales).has_value());

            QVERIFY(data == expected);
            QVERIFY(scales == expectedScales);
        }
    }
}

void QuantizeTest::aCrewDoesEachStepOnce()
{
    WorkCrew crew(5);
    for (const std::size_t count : {0, 1, 3, 1000}) {
        std::vector<std::atomic<int>> done(count);
        crew.run(count, [&](std::uint64_t step) { ++done[step]; });
        for (const std::atomic<int> &times : done)
            QCOMPARE(times.load(), 1);
    }
}

QTEST_GUILESS_MAIN(QuantizeTest)
#include "quantize_test.moc"
