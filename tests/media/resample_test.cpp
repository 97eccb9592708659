#include "media/resample.h"

#include "tests/media/media_golden.h"

using namespace perilune;

class ResampleTest : public QObject {
    Q_OBJECT

private slots:
    void equalsPillowBitForBit_data();
    void equalsPillowBitForBit();
    void equalsTheSumItIsDefinedAs_data();
    void equalsTheSumItIsDefinedAs();
    void piecesMakeNoDifference();
    void paddingIsBlack();
    void thumbnailsFitAndAreNeverEnlarged();
};

static Picture noise(std::uint32_t width, std::uint32_t height)
{
    Picture picture{
        .width = width, .height = height, .rgb = std::vector<std::uint8_t>(std::size_t{width} * height * 3)};
    std::uint32_t state = 1;
    for (std::uint8_t &value : picture.rgb)
        value = std::uint8_t((state = state * 1664525 + 1013904223) >> 24);
    return picture;
}

void ResampleTest::equalsPillowBitForBit_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<QString>("out");
    for (int i = 0; i < 12; ++i) {
        const QString name = QStringLiteral("resize%1").arg(i);
        QTest::newRow(qPrintable(name)) << name + "/in" << name + "/out";
    }
}

void ResampleTest::equalsPillowBitForBit()
{
    QFETCH(QString, in);
    QFETCH(QString, out);
    const test::GoldenTensors tensors("tensors.safetensors");
    const Picture wanted = tensors.picture(out.toStdString());

    const Picture got = resize(tensors.picture(in.toStdString()), wanted.width, wanted.height);

    QVERIFY(got == wanted);
}

/// One axis as the formula has it, without any of the tricks; `step` bytes from one input to the next.
static std::uint8_t weighted(const ResampleAxis &axis, std::size_t i, const std::uint8_t *line,
                             std::size_t step)
{
    std::int64_t sum = 1 << 21;
    for (std::uint32_t j = 0; j < axis.count[i]; ++j)
        sum += std::int64_t{axis.weight[i * axis.taps + j]} * line[(axis.first[i] + j) * step];
    return std::uint8_t(std::clamp<std::int64_t>(sum >> 22, 0, 255));
}

void ResampleTest::equalsTheSumItIsDefinedAs_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("newWidth");
    QTest::addColumn<int>("newHeight");
    QTest::newRow("one pixel") << 1 << 1 << 5 << 3;
    QTest::newRow("fewer pixels than weights") << 2 << 3 << 1 << 1;
    QTest::newRow("enlarged") << 13 << 7 << 40 << 31;
    QTest::newRow("a third") << 90 << 60 << 30 << 20;
    QTest::newRow("nearly the same size") << 57 << 43 << 56 << 42;
    QTest::newRow("a thousandth") << 5000 << 3 << 5 << 2;
    QTest::newRow("more weights than 16 bits hold") << 70000 << 1 << 1 << 1;
    QTest::newRow("very high") << 2 << 30000 << 1 << 7;
}

void ResampleTest::equalsTheSumItIsDefinedAs()
{
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, newWidth);
    QFETCH(int, newHeight);
    const Picture picture = noise(std::uint32_t(width), std::uint32_t(height));
    const ResampleAxis across = bicubicAxis(std::uint32_t(width), std::uint32_t(newWidth));
    const ResampleAxis down = bicubicAxis(std::uint32_t(height), std::uint32_t(newHeight));
    std::vector<std::uint8_t> narrowed, wanted;
    for (int y = 0; y < height; ++y) {
        for (int i = 0; i < newWidth * 3; ++i)
            narrowed.push_back(
                weighted(across, std::size_t(i / 3), &picture.rgb[std::size_t(y * width * 3 + i % 3)], 3));
    }
    for (int i = 0; i < newHeight; ++i) {
        for (int x = 0; x < newWidth * 3; ++x)
            wanted.push_back(
                weighted(down, std::size_t(i), &narrowed[std::size_t(x)], std::size_t(newWidth) * 3));
    }

    const Picture got = resize(picture, std::uint32_t(newWidth), std::uint32_t(newHeight));

    QVERIFY(got.rgb == wanted);
}

void ResampleTest::piecesMakeNoDifference()
{
    const Picture picture = noise(37, 23);
    Resampler resampler(37, 23, 19, 11);

    for (std::size_t row = 0; row < 23;) {
        const std::size_t rows = std::min<std::size_t>(row % 4 + 1, 23 - row);
        QVERIFY(!resampler.complete());
        resampler.addRows(std::span(picture.rgb).subspan(row * 37 * 3, rows * 37 * 3));
        row += rows;
    }

    QVERIFY(resampler.complete());
    QVERIFY(resampler.finish(19, 11) == resize(picture, 19, 11));
}

void ResampleTest::paddingIsBlack()
{
    for (const auto &[newWidth, newHeight] :
         {std::pair(30u, 20u), std::pair(30u, 10u), std::pair(15u, 10u)}) {
        const Picture picture = noise(30, 20);
        const Picture wanted = resize(picture, newWidth, newHeight);
        Resampler resampler(30, 20, newWidth, newHeight);
        resampler.addRows(picture.rgb);

        const Picture padded = resampler.finish(56, 28);

        QCOMPARE(padded.rgb.size(), std::size_t(56 * 28 * 3));
        for (std::uint32_t y = 0; y < 28; ++y) {
            for (std::uint32_t x = 0; x < 56 * 3; ++x) {
                const bool inside = y < newHeight && x < newWidth * 3;
                QCOMPARE(padded.rgb[y * 56 * 3 + x],
                         inside ? wanted.rgb[y * newWidth * 3 + x] : std::uint8_t(0));
            }
        }
    }
}

void ResampleTest::thumbnailsFitAndAreNeverEnlarged()
{
    Resampler wide = fittingResampler({200, 100}, {200, 100}, 50);
    wide.addRows(noise(200, 100).rgb);
    const Picture fitted = wide.finish();
    QCOMPARE(fitted.width, 50u);
    QCOMPARE(fitted.height, 25u);

    Resampler thin = fittingResampler({1, 300}, {1, 300}, 50);
    thin.addRows(noise(1, 300).rgb);
    QCOMPARE(thin.finish().width, 1u);

    Resampler small = fittingResampler({20, 10}, {40, 10}, 50); // pixels twice as wide as high
    small.addRows(noise(20, 10).rgb);
    const Picture widened = small.finish();
    QCOMPARE(widened.width, 40u);
    QCOMPARE(widened.height, 10u);
}

QTEST_GUILESS_MAIN(ResampleTest)
#include "resample_test.moc"
