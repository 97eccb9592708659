// Frequencies, angles and softmax scales against the reference's tables (tests/data/model/rope.safetensors).
#include "engine/model/rope_table.h"
#include "engine/weights/safetensors.h"

#include <cmath>
#include <QTest>

using namespace perilune;

namespace {

using Kind = RopeScaling::Kind;

DecoderConfig config(double theta, std::uint32_t most, const RopeScaling &scaling)
{
    DecoderConfig c;
    c.qkNopeHeadDim = 128;
    c.qkRopeHeadDim = 64;
    c.ropeTheta = theta;
    c.maxPositionEmbeddings = most;
    c.ropeScaling = scaling;
    return c;
}

RopeScaling yarn(double factor, double betaFast, double mscale, double mscaleAllDim)
{
    RopeScaling scaling;
    scaling.kind = Kind::Yarn;
    scaling.factor = factor;
    scaling.betaFast = betaFast;
    scaling.mscale = mscale;
    scaling.mscaleAllDim = mscaleAllDim;
    return scaling;
}

RopeScaling scaled(Kind kind, double factor)
{
    RopeScaling scaling;
    scaling.kind = kind;
    scaling.factor = factor;
    return scaling;
}

struct Variant {
    std::string name;
    DecoderConfig config;
    std::uint64_t length = 0; ///< of the sequence; only dynamic scaling looks at it
};

std::vector<Variant> makeVariants()
{
    std::vector<Variant> all;
    all.push_back({"k25_yarn64", config(50000, 262144, yarn(64, 32, 1, 1)), 0});
    all.push_back({"k2_yarn32", config(50000, 131072, yarn(32, 1, 1, 1)), 0});
    all.push_back({"moonlight_none", config(50000, 8192, {}), 0});
    all.push_back({"kimivl_none", config(800000, 131072, {}), 0});
    all.push_back({"linear4", config(10000, 4096, scaled(Kind::Linear, 4)), 0});
    all.push_back({"yarn_mscale", config(10000, 163840, yarn(40, 32, 0.707, 0.707)), 0});
    all.push_back({"yarn_mscale_ratio", config(10000, 163840, yarn(40, 32, 1.0, 0.5)), 0});
    RopeScaling noAllDim = yarn(16, 32, 1.0, 0.0);
    noAllDim.originalMaxPositionEmbeddings = 2048;
    all.push_back({"yarn_no_all_dim", config(10000, 32768, noAllDim), 0});
    for (const std::uint64_t length : {4096u, 6000u, 16384u})
        all.push_back(
            {"dynamic_seq" + std::to_string(length), config(10000, 4096, scaled(Kind::Dynamic, 2)), length});
    return all;
}

const std::vector<Variant> kVariants = makeVariants();

} // namespace

class RopeTableTest : public QObject {
    Q_OBJECT

private slots:
    void tablesEqualTheReference_data();
    void tablesEqualTheReference();
    void tablesAreNearTheIdeal_data() { tablesEqualTheReference_data(); }
    void tablesAreNearTheIdeal();
    void yarnOfKimiK25HasItsPublishedScale();

private:
    std::vector<double> doubles(const std::string &name) const
    {
        const StoredTensor *tensor = m_file->find(name);
        if (!tensor || tensor->type != StoredType::F64)
            qFatal("no %s", name.c_str());
        std::size_t count = 1;
        for (const std::uint64_t side : tensor->shape)
            count *= side;
        std::vector<double> values(count);
        if (!tensor->read(0, std::as_writable_bytes(std::span(values))))
            qFatal("%s can't be read", name.c_str());
        return values;
    }
    double scalar(const std::string &name) const { return doubles(name).front(); }

    std::shared_ptr<const SafetensorsFile> m_file =
        *SafetensorsFile::open(TEST_DATA_DIR "/model/rope.safetensors");
};

void RopeTableTest::tablesEqualTheReference_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < kVariants.size(); ++i)
        QTest::newRow(kVariants[i].name.c_str()) << int(i);
}

void RopeTableTest::tablesEqualTheReference()
{
    QFETCH(int, index);
    const Variant &variant = kVariants[std::size_t(index)];
    const std::string name = variant.name;
    const std::vector<std::int64_t> positions = *integersOf(*m_file->find(name + ".positions"));
    const std::vector<float> inverse = *floatsOf(*m_file->find(name + ".inv_freq"));
    const std::vector<float> cosines = *floatsOf(*m_file->find(name + ".cos"));
    const std::vector<float> sines = *floatsOf(*m_file->find(name + ".sin"));
    const std::size_t pairs = inverse.size();

    const std::vector<float> frequencies = ropeFrequencies(variant.config, variant.length);

    QCOMPARE(frequencies.size(), pairs);
    for (std::size_t i = 0; i < pairs; ++i)
        QVERIFY2(std::abs(frequencies[i] - inverse[i]) <= 5e-7 * std::abs(inverse[i]),
                 qPrintable(QString::number(i)));
    for (std::size_t p = 0; p < positions.size(); ++p) {
        const std::vector<float> row =
            ropeRows(variant.config, variant.length, std::uint32_t(positions[p]), 1);
        const double tolerance = 2e-6 + double(positions[p]) * 2e-7;
        for (std::size_t i = 0; i < pairs; ++i) {
            QVERIFY(std::abs(row[2 * i] - cosines[p * pairs + i]) <= tolerance);
            QVERIFY(std::abs(row[2 * i + 1] - sines[p * pairs + i]) <= tolerance);
        }
    }
    QVERIFY(std::abs(softmaxScale(variant.config) - scalar(name + ".softmax_scale_f64")) < 1e-12);
    QVERIFY(std::abs(ropeMagnitude(variant.config.ropeScaling) - scalar(name + ".cos_sin_mscale_f64")) <
            1e-12);
}

// In double precision throughout. Frequencies and angles are of f32 here, as in the references: of an angle
// of 262,143 the last bit is 1/64 of a radian, and cosines differ by as much.
void RopeTableTest::tablesAreNearTheIdeal()
{
    QFETCH(int, index);
    const Variant &variant = kVariants[std::size_t(index)];
    const std::string name = variant.name;
    const std::vector<std::int64_t> positions = *integersOf(*m_file->find(name + ".positions"));
    const std::vector<double> inverse = doubles(name + ".inv_freq_f64");
    const std::vector<double> cosines = doubles(name + ".cos_f64");
    const std::vector<double> sines = doubles(name + ".sin_f64");
    const std::size_t pairs = inverse.size();
    const bool linear = variant.config.ropeScaling.kind == Kind::Linear; // divides positions, not frequencies
    const double divisor = linear ? variant.config.ropeScaling.factor : 1;

    const std::vector<float> frequencies = ropeFrequencies(variant.config, variant.length);
    for (std::size_t i = 0; i < pairs; ++i)
        QVERIFY(std::abs(frequencies[i] / divisor - inverse[i]) <= 5e-7 * inverse[i]);
    for (std::size_t p = 0; p < positions.size(); ++p) {
        const std::vector<float> row =
            ropeRows(variant.config, variant.length, std::uint32_t(positions[p]), 1);
        for (std::size_t i = 0; i < pairs; ++i) {
            const double angle = double(positions[p]) * inverse[i];
            const double tolerance = 2e-6 + angle * 2.5e-7;
            QVERIFY(std::abs(row[2 * i] - cosines[p * pairs + i]) <= tolerance);
            QVERIFY(std::abs(row[2 * i + 1] - sines[p * pairs + i]) <= tolerance);
        }
    }
}

void RopeTableTest::yarnOfKimiK25HasItsPublishedScale()
{
    QVERIFY(std::abs(softmaxScale(kVariants[0].config) - 0.144679626) < 1e-9);
    QVERIFY(std::abs(softmaxScale(kVariants[1].config) - 0.130860800) < 1e-9);
    QVERIFY(std::abs(softmaxScale(kVariants[2].config) - 0.0721687836) < 1e-9);
}

QTEST_GUILESS_MAIN(RopeTableTest)
#include "rope_table_test.moc"
