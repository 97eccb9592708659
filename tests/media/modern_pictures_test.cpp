// HEIC, AVIF, JPEG XL and SVG: against the picture that they were made from, or the colours that the drawing
// names.
#include "media/prepare.h"

#include "tests/media/media_golden.h"

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace perilune;

class ModernPicturesTest : public QObject {
    Q_OBJECT

private slots:
    void picturesAreTheirOriginals_data();
    void picturesAreTheirOriginals();
    void drawingsHaveTheirColours();
    void drawingsHaveSensibleSizes_data();
    void drawingsHaveSensibleSizes();
    void drawingsReferToNoOtherFile();
    void textInDrawingsIsDrawn();

private:
    Result<Prepared> prepareDrawing(const QByteArray &text)
    {
        QFile file(m_folder.filePath("drawing"));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("can't write the drawing");
        file.close();
        PrepareOptions options;
        options.wantPixels = true;
        return prepare(file.fileName().toStdString(), {}, options);
    }

    QTemporaryDir m_folder;
};

static Result<Prepared> prepareModern(const std::string &file)
{
    PrepareOptions options;
    options.wantPixels = true;
    return prepare(test::mediaData("modern/" + file), {}, options);
}

using Colour = std::array<int, 3>;

static Colour colourAt(const Picture &picture, std::uint32_t x, std::uint32_t y)
{
    const std::uint8_t *pixel = &picture.rgb[(std::size_t{y} * picture.width + x) * 3];
    return {pixel[0], pixel[1], pixel[2]};
}

void ModernPicturesTest::picturesAreTheirOriginals_data()
{
    QTest::addColumn<QString>("original");
    QTest::addColumn<int>("tolerance"); // of a sample; those that lose something were stored at quality 95
    QTest::newRow("plain.jxl") << "plain.png" << 0;
    QTest::newRow("alpha.jxl") << "alpha.png" << 0;
    QTest::newRow("lossy.jxl") << "plain.png" << 48;
    for (const char *file : {"plain.avif", "plain.heic", "turned.avif", "turned.heic"})
        QTest::newRow(file) << "plain.png" << 24;
    QTest::newRow("alpha.avif") << "alpha.png" << 24;
}

void ModernPicturesTest::picturesAreTheirOriginals()
{
    QFETCH(QString, original);
    QFETCH(int, tolerance);
    const auto wanted = prepareModern(original.toStdString());
    QVERIFY(wanted.has_value());

    const auto prepared = prepareModern(QTest::currentDataTag());

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QCOMPARE(prepared->width, wanted->width);
    QCOMPARE(prepared->height, wanted->height);
    int worst = 0;
    double sum = 0;
    const auto &ours = prepared->pixels[0].rgb, &theirs = wanted->pixels[0].rgb;
    QCOMPARE(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        worst = std::max(worst, std::abs(ours[i] - theirs[i]));
        sum += std::abs(ours[i] - theirs[i]);
    }
    QVERIFY2(worst <= tolerance, qPrintable(QStringLiteral("a sample differs by %1").arg(worst)));
    QVERIFY2(sum / double(ours.size()) <= 1.5, qPrintable(QString::number(sum / double(ours.size()))));
}

void ModernPicturesTest::drawingsHaveTheirColours()
{
    const auto prepared = prepareModern("drawing.svg");

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QCOMPARE(prepared->width, 768u); // 40 x 20, enlarged
    QCOMPARE(prepared->height, 384u);
    const Picture &picture = prepared->pixels[0];
    QCOMPARE(colourAt(picture, 100, 100), (Colour{0xd0, 0x20, 0x30}));
    QCOMPARE(colourAt(picture, 760, 380), (Colour{255, 255, 255}));
    const Colour half = colourAt(picture, 576, 192); // #2040c0 at one half, on white
    const Colour wanted{(0x20 + 255) / 2, (0x40 + 255) / 2, (0xc0 + 255) / 2};
    for (std::size_t c = 0; c < 3; ++c)
        QVERIFY(std::abs(half[c] - wanted[c]) <= 1);
}

void ModernPicturesTest::drawingsHaveSensibleSizes_data()
{
    QTest::addColumn<QString>("attributes");
    QTest::addColumn<uint>("width");
    QTest::addColumn<uint>("height");
    QTest::newRow("as it says") << "width='1000' height='500'" << 1000u << 500u;
    QTest::newRow("millimetres") << "width='254mm' height='127mm'" << 960u << 480u;
    QTest::newRow("only a shape") << "viewBox='0 0 3 1'" << 768u << 256u;
    QTest::newRow("enormous") << "width='900000' height='450000'" << 4096u << 2048u;
    QTest::newRow("an icon") << "width='16' height='16'" << 768u << 768u;
}

void ModernPicturesTest::drawingsHaveSensibleSizes()
{
    QFETCH(QString, attributes);
    QFETCH(uint, width);
    QFETCH(uint, height);

    const auto prepared =
        prepareDrawing("<svg xmlns='http://www.w3.org/2000/svg' " + attributes.toUtf8() + "/>");

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QCOMPARE(prepared->width, width);
    QCOMPARE(prepared->height, height);
}

void ModernPicturesTest::drawingsReferToNoOtherFile()
{
    const QByteArray other = QByteArray::fromStdString(test::mediaData("modern/plain.png"));
    for (const QByteArray &address : {"file://" + other, other, QByteArray("plain.png")}) {
        QFile::remove(m_folder.filePath("plain.png"));
        QVERIFY(QFile::copy(QString::fromUtf8(other), m_folder.filePath("plain.png")));

        const auto prepared =
            prepareDrawing("<svg xmlns='http://www.w3.org/2000/svg' width='800' height='800'>"
                           "<image x='0' y='0' width='800' height='800' href='" +
                           address + "'/></svg>");

        QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
        QCOMPARE(colourAt(prepared->pixels[0], 400, 400), (Colour{255, 255, 255}));
    }
}

void ModernPicturesTest::textInDrawingsIsDrawn()
{
    for (const QByteArray &font : {QByteArray("sans-serif"), QByteArray("monospace")}) {
        const auto prepared = prepareDrawing(
            "<svg xmlns='http://www.w3.org/2000/svg' width='800' height='400'><text x='50' y='300' "
            "font-size='200' font-family='" +
            font + "'>II II</text></svg>");

        QVERIFY(prepared.has_value());
        const auto &rgb = prepared->pixels[0].rgb;
        // Letters, and not the empty boxes that stand in for those without a font: their strokes are solid.
        const auto dark = std::count(rgb.begin(), rgb.end(), std::uint8_t{0});
        QVERIFY2(dark > 3 * 4 * 20 * 100, qPrintable(QString::number(dark)));
    }
}

QTEST_GUILESS_MAIN(ModernPicturesTest)
#include "modern_pictures_test.moc"
