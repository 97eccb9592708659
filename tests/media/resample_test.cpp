#include "media/resample.h"

#include "tests/media/media_golden.h"

using namespace perilune;

class ResampleTest : public QObject {
    Q_OBJECT

private slots:
    void equalsPillowBitForBit_data();
    void equalsPillowBitForBit();
    void piecesMakeNoDifference();
    void paddingIsBlack();
    void thumbnailsFitAndAreNeverEnlarged();
};

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

static Picture noise(std::uint32_t width, std::uint32_t height)
{
    Picture picture{
        .width = width, .height = height, .rgb = std::vector<std::uint8_t>(std::size_t{width} * height * 3)};
    std::uint32_t state = 1;
    for (std::uint8_t &value : picture.rgb)
        value = std::uint8_t((state = state * 1664525 + 1013904223) >> 24);
    return picture;
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
