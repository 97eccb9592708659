// Picture formats that move: taken as short videos, or said to be seen by their first frame only.
#include "tests/media/media_golden.h"
#include "tests/media/numbered_clip.h"

#include <cmath>

using namespace perilune;
using test::codeOf;

class AnimationsTest : public QObject {
    Q_OBJECT

private slots:
    void webPGoesByItsTimes();
    void webPShowsItsFirstFrameOnWish();
    void pngBecomesAClip();
    void avifSaysThatItMoves();
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

void AnimationsTest::avifSaysThatItMoves()
{
    const auto prepared = prepare(animation("moving.avif"), {}, pixelsOf(PrepareOptions::As::Auto));

    QVERIFY(prepared.has_value());
    QCOMPARE(codeOf(prepared->pixels[0]), 0);
    QCOMPARE(prepared->notes, (std::vector<std::string>{"an animation: its first frame is taken"}));
}

QTEST_GUILESS_MAIN(AnimationsTest)
#include "animations_test.moc"
