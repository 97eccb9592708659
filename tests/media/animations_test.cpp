// Picture formats that move: taken as short videos, or said to be seen by their first frame only.
#include "tests/media/media_golden.h"
#include "tests/media/numbered_clip.h"

#include <QTemporaryDir>

#include <cmath>
#include <jxl/encode_cxx.h>

using namespace perilune;
using test::codeOf;

class AnimationsTest : public QObject {
    Q_OBJECT

private slots:
    void webPGoesByItsTimes();
    void webPShowsItsFirstFrameOnWish();
    void pngBecomesAClip();
    void avifBecomesAClip();
    void whatDoesNotMoveIsNoClip();
    void jpegXlGoesByItsTimes_data();
    void jpegXlGoesByItsTimes();
    void firstFrameCanBeChosen_data();
    void firstFrameCanBeChosen();
};

static std::string animation(const char *name)
{
    return test::mediaData(std::string("animations/") + name);
}

static PrepareOptions pixelsOf(PrepareOptions::As as)
{
    PrepareOptions options;
    options.as = as;
    options.wantPixels = true;
    return options;
}

void AnimationsTest::webPGoesByItsTimes()
{
    const auto prepared = prepare(animation("moving.webp"), {}, pixelsOf(PrepareOptions::As::Auto));

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QCOMPARE(prepared->kind, VisionPatches::Kind::Video);
    QCOMPARE(prepared->notes,
             (std::vector<std::string>{"an animation of 12 frames: taken as a short video"}));
    // Six frames of 0.1 s, then six of 0.25 s: those on the screen at 0, 0.5, 1, 1.5 and 2 s.
    QCOMPARE(prepared->frameIndices, (std::vector<std::uint32_t>{0, 5, 7, 9, 11}));
    QVERIFY(std::abs(prepared->durationSeconds - 2.1) < 1e-6);
    const double shown[] = {0, 0.5, 0.85, 1.35, 1.85};
    for (std::size_t i = 0; i < 5; ++i) {
        QVERIFY(std::abs(prepared->frameSeconds[i] - shown[i]) < 1e-6);
        QCOMPARE(codeOf(prepared->pixels[i]), int(prepared->frameIndices[i]));
    }
}

void AnimationsTest::webPShowsItsFirstFrameOnWish()
{
    for (const auto mode : {PrepareOptions::Mode::App, PrepareOptions::Mode::Hf}) {
        PrepareOptions options = pixelsOf(PrepareOptions::As::Image);
        options.mode = mode;
        const auto prepared = prepare(animation("moving.webp"), {}, options);
        QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
        QCOMPARE(prepared->kind, VisionPatches::Kind::Image);
        QCOMPARE(codeOf(prepared->pixels[0]), 0);
    }
}

void AnimationsTest::pngBecomesAClip()
{
    const auto prepared = prepare(animation("moving.png"), {}, pixelsOf(PrepareOptions::As::Auto));

    QVERIFY(prepared.has_value());
    QCOMPARE(prepared->kind, VisionPatches::Kind::Video);
    for (std::size_t i = 0; i < prepared->pixels.size(); ++i)
        QCOMPARE(codeOf(prepared->pixels[i]), int(prepared->frameIndices[i]));
}

void AnimationsTest::avifBecomesAClip()
{
    const auto prepared = prepare(animation("moving.avif"), {}, pixelsOf(PrepareOptions::As::Auto));

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QCOMPARE(prepared->kind, VisionPatches::Kind::Video);
    QCOMPARE(prepared->notes,
             (std::vector<std::string>{"an animation of 12 frames: taken as a short video"}));
    QVERIFY(std::abs(prepared->durationSeconds - 1.2) < 1e-6);
    for (std::size_t i = 0; i < prepared->pixels.size(); ++i)
        QCOMPARE(codeOf(prepared->pixels[i]), int(prepared->frameIndices[i]));

    const auto picture = prepare(animation("moving.avif"), {}, pixelsOf(PrepareOptions::As::Image));
    QVERIFY(picture.has_value());
    QCOMPARE(codeOf(picture->pixels[0]), 0);
    QCOMPARE(picture->notes, (std::vector<std::string>{"an animation: its first frame is taken"}));
}

void AnimationsTest::whatDoesNotMoveIsNoClip()
{
    for (const char *file :
         {"modern/plain.avif", "modern/plain.jxl", "pictures/grad56x84.png", "pictures/q95_444.jpg"}) {
        const auto still = prepare(test::mediaData(file), {}, pixelsOf(PrepareOptions::As::Video));
        QVERIFY2(!still, file);
        QVERIFY2(still.error().message.ends_with(" picture, not a clip"), still.error().message.c_str());
    }
}

/// Twelve frames with their numbers as block codes, lossless: six of 0.1 s, then six of 0.25 s. By the
/// format's own library.
static QByteArray jpegXl(bool boxes, bool moves)
{
    constexpr std::uint32_t width = 160, height = 64;
    const JxlEncoderPtr encoder = JxlEncoderMake(nullptr);
    JxlEncoderUseContainer(encoder.get(), boxes ? JXL_TRUE : JXL_FALSE);
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = width;
    info.ysize = height;
    info.uses_original_profile = JXL_TRUE;
    info.have_animation = moves ? JXL_TRUE : JXL_FALSE;
    info.animation.tps_numerator = 1000;
    info.animation.tps_denominator = 1;
    JxlColorEncoding srgb;
    JxlColorEncodingSetToSRGB(&srgb, JXL_FALSE);
    bool good = JxlEncoderSetBasicInfo(encoder.get(), &info) == JXL_ENC_SUCCESS &&
                JxlEncoderSetColorEncoding(encoder.get(), &srgb) == JXL_ENC_SUCCESS;
    JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
    JxlEncoderSetFrameLossless(settings, JXL_TRUE);
    for (unsigned number = 0; number < (moves ? 12u : 1u); ++number) {
        std::vector<std::uint8_t> pixels(std::size_t{width} * height * 3, 90);
        for (std::size_t i = 0; i < std::size_t{width} * test::kCodeBlock * 2; ++i) {
            const std::size_t x = i % width, row = i / width / test::kCodeBlock, bit = x / test::kCodeBlock;
            if (bit < test::kCodeBits)
                std::fill_n(&pixels[i * 3], 3,
                            ((number >> (test::kCodeBits - 1 - bit) & 1) ^ row) != 0 ? 235 : 16);
        }
        JxlFrameHeader header;
        JxlEncoderInitFrameHeader(&header);
        header.duration = !moves ? 0 : number < 6 ? 100 : 250;
        const JxlPixelFormat format{3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
        good = good && JxlEncoderSetFrameHeader(settings, &header) == JXL_ENC_SUCCESS &&
               JxlEncoderAddImageFrame(settings, &format, pixels.data(), pixels.size()) == JXL_ENC_SUCCESS;
    }
    JxlEncoderCloseInput(encoder.get());
    QByteArray file(1 << 20, 0);
    auto *next = reinterpret_cast<std::uint8_t *>(file.data());
    std::size_t room = std::size_t(file.size());
    good = good && JxlEncoderProcessOutput(encoder.get(), &next, &room) == JXL_ENC_SUCCESS;
    file.truncate(good ? file.size() - qsizetype(room) : 0);
    return file;
}

void AnimationsTest::jpegXlGoesByItsTimes_data()
{
    QTest::addColumn<bool>("boxes");
    QTest::newRow("bare") << false;
    QTest::newRow("in boxes") << true;
}

void AnimationsTest::jpegXlGoesByItsTimes()
{
    QFETCH(bool, boxes);
    const QTemporaryDir folder;
    const auto write = [&folder](const char *name, const QByteArray &bytes) {
        QFile file(folder.filePath(name));
        if (bytes.isEmpty() || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("can't write %s", name);
        return file.fileName().toStdString();
    };
    const QByteArray bytes = jpegXl(boxes, true);
    const std::string moving = write("moving", bytes);

    const auto prepared = prepare(moving, {}, pixelsOf(PrepareOptions::As::Auto));

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QCOMPARE(prepared->kind, VisionPatches::Kind::Video);
    QCOMPARE(prepared->notes,
             (std::vector<std::string>{"an animation of 12 frames: taken as a short video"}));
    QCOMPARE(prepared->frameIndices, (std::vector<std::uint32_t>{0, 5, 7, 9, 11})); // as of the WebP above
    QVERIFY(std::abs(prepared->durationSeconds - 2.1) < 1e-6);
    for (std::size_t i = 0; i < prepared->pixels.size(); ++i)
        QCOMPARE(codeOf(prepared->pixels[i]), int(prepared->frameIndices[i]));
    const auto first = prepare(moving, {}, pixelsOf(PrepareOptions::As::Image));
    QVERIFY(first.has_value());
    QCOMPARE(codeOf(first->pixels[0]), 0);

    // What doesn't move is a picture, and what is cut off is what there is of it, or refused in words.
    const std::string still = write("still", jpegXl(boxes, false));
    const auto picture = prepare(still, {}, pixelsOf(PrepareOptions::As::Auto));
    QVERIFY(picture.has_value());
    QCOMPARE(picture->kind, VisionPatches::Kind::Image);
    QVERIFY(!prepare(still, {}, pixelsOf(PrepareOptions::As::Video)));
    for (qsizetype length = 2; length < bytes.size(); length += bytes.size() / 20) {
        const auto cut = prepare(write("cut", bytes.left(length)), {}, {});
        QVERIFY(cut.has_value() || cut.error().message.find("stopped working") == std::string::npos);
        QVERIFY(!cut || cut->frameIndices.size() <= 5);
    }
}

void AnimationsTest::firstFrameCanBeChosen_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file : {"moving.webp", "moving.png", "moving.avif", "../clips/anim_10fps.gif"})
        QTest::newRow(file) << file;
}

void AnimationsTest::firstFrameCanBeChosen()
{
    QFETCH(QString, file);
    const std::string path = animation(file.toUtf8());
    const auto clip = prepare(path, {}, pixelsOf(PrepareOptions::As::Auto));
    QVERIFY(clip.has_value() && clip->animation);
    PrepareOptions options = pixelsOf(PrepareOptions::As::Auto);
    options.choice.firstFrame = true;

    const auto picture = prepare(path, {}, options);

    QVERIFY2(picture.has_value(), picture ? "" : picture.error().message.c_str());
    QCOMPARE(picture->kind, VisionPatches::Kind::Image);
    QVERIFY(picture->animation); // the clip can be chosen again
    const auto asPicture = prepare(path, {}, pixelsOf(PrepareOptions::As::Image));
    QVERIFY(asPicture.has_value());
    QCOMPARE(picture->patches->contentId, asPicture->patches->contentId);
    QCOMPARE(picture->notes, (std::vector<std::string>{"an animation: its first frame is taken"}));
    // Each tells what the other comes to, to the token.
    QCOMPARE(clip->costOf(options.choice)->tokens, picture->tokens);
    QCOMPARE(clip->costOf(options.choice)->frames, 1u);
    QCOMPARE(picture->costOf({})->tokens, clip->tokens);
    QCOMPARE(picture->costOf({})->frames, std::uint32_t(clip->frameIndices.size()));

    // A clip that is no animation is one, whatever is chosen.
    const auto film = prepare(test::mediaData("clips/vp9_25fps.webm"), {}, options);
    QVERIFY(film.has_value() && !film->animation);
    QCOMPARE(film->kind, VisionPatches::Kind::Video);
}

QTEST_GUILESS_MAIN(AnimationsTest)
#include "animations_test.moc"
