// All golden pictures, from file to patches, through the decoding helper.
#include "media/prepare.h"

#include "engine/base/sha256.h"
#include "tests/media/media_golden.h"

#include <cmath>

using namespace perilune;
using test::Json;

class PicturesTest : public QObject {
    Q_OBJECT

private slots:
    void matchTheReference_data();
    void matchTheReference();
    void lossyOnesAreWithinTolerance_data();
    void lossyOnesAreWithinTolerance();
    void furtherKindsAreAsPeopleSeeThem_data();
    void furtherKindsAreAsPeopleSeeThem();
    void lessDetailIsFewerTokensOfTheSamePicture();
};

static bool isLossy(const std::string &file)
{
    return file.ends_with(".jpg") || file == "lossy.webp" || file == "alpha.webp";
}

static PrepareOptions optionsOf(const std::string &mode)
{
    PrepareOptions options;
    options.as = PrepareOptions::As::Image;
    options.mode = mode == "hf" ? PrepareOptions::Mode::Hf : PrepareOptions::Mode::App;
    options.wantPixels = true;
    return options;
}

void PicturesTest::matchTheReference_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QByteArray>("settings");
    const Json cases = test::readJson("pictures.json");
    QCOMPARE(cases.at("images").size(), std::size_t(49));
    for (const Json &image : cases.at("images")) {
        for (const char *mode : {"hf", "app"}) {
            const Json &wanted = image.at("modes").at(mode);
            const Json &numbers = wanted.is_string() ? image.at("modes").at("hf") : wanted;
            for (const auto &[config, expected] : numbers.at("cfg").items()) {
                const std::string file = image.at("file");
                const Json row{
                    {"file",   file              },
                    {"mode",   mode              },
                    {"size",   numbers.at("size")},
                    {"wanted", expected          }
                };
                QTest::newRow((file + " " + mode + " " + config).c_str())
                    << QByteArray::fromStdString(row.dump())
                    << QByteArray::fromStdString(cases.at("configs").at(config).dump());
            }
        }
    }
}

void PicturesTest::matchTheReference()
{
    QFETCH(QByteArray, row);
    QFETCH(QByteArray, settings);
    const Json golden = Json::parse(row.toStdString());
    const std::string file = golden.at("file"), mode = golden.at("mode");
    const Json &wanted = golden.at("wanted");

    const auto prepared = prepare(test::mediaData("pictures/" + file),
                                  test::configFrom(Json::parse(settings.toStdString())), optionsOf(mode));

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QVERIFY(Json({prepared->width, prepared->height}) == golden.at("size"));
    QCOMPARE(prepared->tokens, wanted.at("resize").at("num_tokens").get<std::uint64_t>());
    const PatchGrid grid = prepared->patches->grids.at(0);
    QVERIFY(Json({grid.frames, grid.rows, grid.columns}) == wanted.at("grid_thw"));
    if (isLossy(file))
        return;
    Sha256 pixels, patches;
    pixels.add(std::as_bytes(std::span(prepared->pixels.at(0).rgb)));
    patches.add(std::as_bytes(std::span(prepared->patches->pixelValues)));
    QCOMPARE(pixels.finishHex(), wanted.at("pixels_u8_sha256").get<std::string>());
    QCOMPARE(patches.finishHex(), wanted.at("patches_f32le_sha256").get<std::string>());
}

void PicturesTest::lossyOnesAreWithinTolerance_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file :
         {"q95_444.jpg", "q85_420.jpg", "prog_422.jpg", "gray.jpg", "cmyk.jpg", "odd33x17.jpg", "exif3.jpg",
          "exif5.jpg", "exif6.jpg", "exif8.jpg", "lossy.webp", "alpha.webp"})
        QTest::newRow(file) << file;
}

void PicturesTest::lossyOnesAreWithinTolerance()
{
    QFETCH(QString, file);
    const test::GoldenTensors tensors("tensors.safetensors");
    for (const std::string mode : {"hf", "app"}) {
        std::string key = file.toStdString() + "/" + mode + "/rgb";
        if (!tensors.has(key))
            key = file.toStdString() + "/hf/rgb";
        const Picture wanted = tensors.picture(key);

        const auto prepared = prepare(test::mediaData("pictures/" + file.toStdString()), {}, optionsOf(mode));

        QVERIFY(prepared.has_value());
        QCOMPARE(prepared->width, wanted.width);
        QCOMPARE(prepared->height, wanted.height);
        const Picture &padded = prepared->pixels.at(0);
        int worst = 0;
        double sum = 0;
        for (std::size_t y = 0; y < wanted.height; ++y) {
            for (std::size_t x = 0; x < wanted.width * 3; ++x) {
                const int off =
                    std::abs(padded.rgb[y * padded.width * 3 + x] - wanted.rgb[y * wanted.width * 3 + x]);
                worst = std::max(worst, off);
                sum += off;
            }
        }
        QVERIFY2(worst <= 3, qPrintable(QStringLiteral("a sample differs by %1").arg(worst)));
        QVERIFY(sum / double(wanted.rgb.size()) <= 0.5);
    }
}

void PicturesTest::furtherKindsAreAsPeopleSeeThem_data()
{
    QTest::addColumn<QByteArray>("wanted");
    const Json kinds = test::readJson("kinds.json");
    for (const auto &[file, wanted] : kinds.items())
        QTest::newRow(file.c_str()) << QByteArray::fromStdString(wanted.dump());
}

void PicturesTest::furtherKindsAreAsPeopleSeeThem()
{
    QFETCH(QByteArray, wanted);
    const Json golden = Json::parse(wanted.toStdString());

    const auto prepared = prepare(test::mediaData("kinds/") + QTest::currentDataTag(), {}, optionsOf("app"));

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QVERIFY(Json({prepared->width, prepared->height}) == golden.at("size"));
    const Picture &padded = prepared->pixels.at(0);
    Sha256 pixels;
    for (std::size_t y = 0; y < prepared->height; ++y)
        pixels.add(std::as_bytes(std::span(padded.rgb).subspan(y * padded.width * 3, prepared->width * 3)));
    QCOMPARE(pixels.finishHex(), golden.at("rgb_sha256").get<std::string>());
}

void PicturesTest::lessDetailIsFewerTokensOfTheSamePicture()
{
    // 6000 x 4000 pixels: 16,384 patches at most, then a quarter, then a sixteenth; padding adds a few.
    PrepareOptions options = optionsOf("app");
    std::vector<double> tokens;
    for (const auto detail :
         {MediaChoice::Detail::Full, MediaChoice::Detail::Medium, MediaChoice::Detail::Low}) {
        options.choice.detail = detail;
        const auto prepared = prepare(test::mediaData("pictures/big6000x4000.png"), {}, options);
        QVERIFY(prepared.has_value());
        QCOMPARE(prepared->width, 6000u);
        const PatchGrid grid = prepared->patches->grids.at(0);
        QCOMPARE(prepared->tokens, grid.tokens());
        QVERIFY(std::abs(double(grid.columns) / grid.rows - 1.5) < 0.1); // the same shape
        tokens.push_back(double(prepared->tokens));
    }
    QVERIFY(std::abs(tokens[0] / tokens[1] / 4 - 1) < 0.1);
    QVERIFY(std::abs(tokens[0] / tokens[2] / 16 - 1) < 0.2);

    // A small one, too: 56 x 84 pixels are 6 tokens.
    options.choice.detail = MediaChoice::Detail::Medium;
    const auto small = prepare(test::mediaData("pictures/grad56x84.png"), {}, options);
    QVERIFY(small.has_value());
    QVERIFY(small->tokens < 6);
}

QTEST_GUILESS_MAIN(PicturesTest)
#include "pictures_test.moc"
