#include "engine/model/vision_positions.h"
#include "engine/weights/safetensors.h"

#include <QTest>

using namespace perilune;

namespace {

class Golden {
public:
    explicit Golden(const char *name)
    {
        auto file = SafetensorsFile::open(std::string(TEST_DATA_DIR "/model/") + name);
        if (!file)
            qFatal("%s", file.error().message.c_str());
        m_file = *file;
    }
    std::vector<float> floats(const std::string &name) const { return *floatsOf(*tensor(name)); }
    std::vector<std::int64_t> integers(const std::string &name) const { return *integersOf(*tensor(name)); }
    std::vector<std::uint64_t> shape(const std::string &name) const { return tensor(name)->shape; }

private:
    const StoredTensor *tensor(const std::string &name) const
    {
        const StoredTensor *found = m_file->find(name);
        if (!found)
            qFatal("no %s", name.c_str());
        return found;
    }
    std::shared_ptr<const SafetensorsFile> m_file;
};

double farthest(const std::vector<float> &a, const std::vector<float> &b)
{
    if (a.size() != b.size())
        return HUGE_VAL;
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::isfinite(a[i]) ? std::abs(double{a[i]} - b[i]) : HUGE_VAL);
    return worst;
}

} // namespace

class VisionPositionsTest : public QObject {
    Q_OBJECT

private slots:
    void resamples_data();
    void resamples();
    void keepsTheTableWhereTheGridIsTheSame();
    void timeRowsAreSinesThenCosines();
    void oneFrameGetsNoTimeRow();
    void everyFrameGetsItsTimeRow();
    void rotaryStepsMatch();
    void rotaryAxesMatch();
    void rotaryGridsMatch_data();
    void rotaryGridsMatch();
    void rotaryTurnsColumnsThenRows();
    void rotaryAppends();
};

void VisionPositionsTest::resamples_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("grid");
    for (int i = 0; i < 7; ++i)
        QTest::newRow(qPrintable(QString("square table to g%1").arg(i))) << "weight" << QString("g%1").arg(i);
    QTest::newRow("a table of 6 x 10") << "nonsquare.weight"
                                       << "nonsquare";
}

void VisionPositionsTest::resamples()
{
    QFETCH(QString, table);
    QFETCH(QString, grid);
    const Golden golden("posemb.safetensors");
    const std::vector<float> values = golden.floats(table.toStdString());
    const std::vector<std::uint64_t> shape = golden.shape(table.toStdString());
    const std::vector<std::int64_t> size = golden.integers(grid.toStdString() + ".hw");

    const PositionTable positions{values, std::uint32_t(shape[0]), std::uint32_t(shape[1]),
                                  std::uint32_t(shape[2])};
    const auto out = resamplePositions(positions, std::uint32_t(size[0]), std::uint32_t(size[1]));
    // The golden's coordinates are f32: they are off by some 1e-5 at the far end of the table.
    QVERIFY(farthest(out, golden.floats(grid.toStdString() + ".out")) <= 5e-5);
}

void VisionPositionsTest::keepsTheTableWhereTheGridIsTheSame()
{
    const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    QCOMPARE(resamplePositions({values, 2, 3, 2}, 2, 3), values);
}

void VisionPositionsTest::timeRowsAreSinesThenCosines()
{
    const Golden golden("rope.safetensors");
    // Both are f32 of angles up to 3.
    QVERIFY(farthest(timePositions(4, 1152), golden.floats("moonvit.time_emb")) <= 1e-6);
}

void VisionPositionsTest::oneFrameGetsNoTimeRow()
{
    const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
    QCOMPARE(patchPositions({values, 2, 2, 2}, {1, 2, 2}), values);
}

void VisionPositionsTest::everyFrameGetsItsTimeRow()
{
    const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<float> out = patchPositions({values, 2, 2, 2}, {2, 2, 2});
    QCOMPARE(out.size(), std::size_t{16});
    QCOMPARE(out[0], 1.0f); // sin 0
    QCOMPARE(out[1], 3.0f); // cos 0
    QCOMPARE(out[6], 7.0f);
    QCOMPARE(out[8], 1.0f + std::sin(1.0f));
    QCOMPARE(out[9], 2.0f + std::cos(1.0f));
    QCOMPARE(out[15], 8.0f + std::cos(1.0f));
}

void VisionPositionsTest::rotaryStepsMatch()
{
    const std::vector<float> expected = Golden("rope.safetensors").floats("moonvit.inv_freq");
    const std::vector<double> steps = rotarySteps(72);
    QCOMPARE(steps.size(), expected.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        QVERIFY(std::abs(steps[i] - expected[i]) <= 5e-7 * steps[i]); // f32 powers
}

void VisionPositionsTest::rotaryAxesMatch()
{
    const Golden golden("rope.safetensors");
    const std::vector<float> cosines = golden.floats("moonvit.axis_cos");
    const std::vector<float> sines = golden.floats("moonvit.axis_sin");
    RotaryTables tables;
    appendRotary({1, 1, 512}, 72, tables); // one row: every column's angles, and row 0
    for (std::size_t column = 0; column < 512; ++column) {
        for (std::size_t i = 0; i < 18; ++i) {
            // The reference multiplies in f32, so that its error grows with the coordinate.
            const double tolerance = 2e-6 + double(column) * 2e-7;
            const std::size_t pair = column * 36 + 2 * i;
            QVERIFY(std::abs(tables.cosines[pair] - cosines[column * 18 + i]) <= tolerance);
            QVERIFY(std::abs(tables.sines[pair] - sines[column * 18 + i]) <= tolerance);
            QCOMPARE(tables.cosines[pair + 1], 1.0f);
            QCOMPARE(tables.sines[pair + 1], 0.0f);
        }
    }
}

void VisionPositionsTest::rotaryGridsMatch_data()
{
    QTest::addColumn<QString>("grid");
    QTest::newRow("two media") << "moonvit.grid_a";
    QTest::newRow("one medium") << "moonvit.grid_b";
}

void VisionPositionsTest::rotaryGridsMatch()
{
    QFETCH(QString, grid);
    const Golden golden("rope.safetensors");
    const std::string name = grid.toStdString();
    const std::vector<std::int64_t> sizes = golden.integers(name + ".thw");
    RotaryTables tables;
    for (std::size_t i = 0; i < sizes.size(); i += 3)
        appendRotary({std::uint32_t(sizes[i]), std::uint32_t(sizes[i + 1]), std::uint32_t(sizes[i + 2])}, 72,
                     tables);
    QVERIFY(farthest(tables.cosines, golden.floats(name + ".cos")) <= 4e-6);
    QVERIFY(farthest(tables.sines, golden.floats(name + ".sin")) <= 4e-6);
}

void VisionPositionsTest::rotaryTurnsColumnsThenRows()
{
    RotaryTables tables;
    appendRotary({1, 2, 3}, 8, tables); // steps 1 and 0.01
    const std::size_t patch = 1 * 3 + 2;
    QCOMPARE(tables.sines[patch * 4 + 0], std::sin(2.0f));
    QCOMPARE(tables.sines[patch * 4 + 1], std::sin(1.0f));
    QCOMPARE(tables.sines[patch * 4 + 2], std::sin(0.02f));
    QCOMPARE(tables.sines[patch * 4 + 3], std::sin(0.01f));
}

void VisionPositionsTest::rotaryAppends()
{
    RotaryTables tables;
    appendRotary({1, 2, 2}, 8, tables);
    appendRotary({2, 2, 4}, 8, tables);
    QCOMPARE(tables.cosines.size(), std::size_t{4 + 16} * 4);
    // Both frames of the second medium turn alike.
    for (std::size_t i = 0; i < 8 * 4; ++i)
        QCOMPARE(tables.cosines[(4 + 8) * 4 + i], tables.cosines[4 * 4 + i]);
}

QTEST_GUILESS_MAIN(VisionPositionsTest)
#include "vision_positions_test.moc"
