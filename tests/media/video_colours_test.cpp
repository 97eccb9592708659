// What clips look like: brightness and colours of high dynamic range, and the fields of interlaced ones.
#include "tests/media/numbered_clip.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace perilune;
using test::ClipPlan;
using test::withPixels;

class VideoColoursTest : public QObject {
    Q_OBJECT

private slots:
    void tenBitsLookLikeEight();
    void perceptualQuantizerKeepsKnownBrightness();
    void hybridLogGammaKeepsKnownBrightness();
    void otherPrimariesKeepTheirColours();
    void interlacedClipsShowOneMoment();

private:
    std::string path(const std::string &name)
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir m_folder;
};

/// The colour of the middle of block (column, row), each 40 x 48 pixels.
static std::array<int, 3> blockColour(const Picture &frame, std::uint32_t column, std::uint32_t row)
{
    const std::size_t at = (std::size_t{row * 48 + 24} * frame.width + column * 40 + 20) * 3;
    return {frame.rgb[at], frame.rgb[at + 1], frame.rgb[at + 2]};
}

/// A clip of four by two blocks, each of one colour: luma and the two chromas from -0.5 to 0.5, as parts of
/// their range.
static ClipPlan colourBlocks(const std::vector<std::array<double, 3>> &colours, AVPixelFormat format)
{
    ClipPlan plan;
    plan.format = format;
    plan.ticks = test::steadyTicks(5);
    plan.encoderOptions = {
        {"crf", "2"}
    };
    plan.draw = [colours](std::size_t, AVFrame &frame) {
        const bool deep = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))->comp[0].depth > 8;
        const double scale = deep ? 4 : 1;
        for (int y = 0; y < 96; ++y) {
            for (int x = 0; x < 160; ++x) {
                const auto &colour = colours[static_cast<std::size_t>(y / 48 * 4 + x / 40)];
                for (int plane = 0; plane < 3; ++plane) {
                    const double value =
                        plane == 0 ? 16 + 219 * colour[0] : 128 + 224 * colour[std::size_t(plane)];
                    const int half = plane == 0 ? 1 : 2;
                    test::setExactSample(frame, plane, x / half, y / half, int(std::lround(value * scale)));
                }
            }
        }
    };
    return plan;
}

/// The signal of the perceptual quantizer (SMPTE ST 2084) for a brightness.
static double pq(double nits)
{
    const double y = std::pow(nits / 10000, 0.1593017578125);
    return std::pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375);
}

void VideoColoursTest::tenBitsLookLikeEight()
{
    std::vector<std::array<double, 3>> colours;
    for (int i = 0; i < 8; ++i)
        colours.push_back({i / 7.0, (i % 3 - 1) * 0.1, (i % 2) * 0.1});
    writeClip(path("eight.mkv"), colourBlocks(colours, AV_PIX_FMT_YUV420P));
    writeClip(path("ten.mkv"), colourBlocks(colours, AV_PIX_FMT_YUV420P10));

    const auto eight = prepare(path("eight.mkv"), {}, withPixels());
    const auto ten = prepare(path("ten.mkv"), {}, withPixels());

    QVERIFY(eight.has_value() && ten.has_value());
    for (std::uint32_t i = 0; i < 8; ++i) {
        const auto a = blockColour(eight->pixels[0], i % 4, i / 4),
                   b = blockColour(ten->pixels[0], i % 4, i / 4);
        for (std::size_t c = 0; c < 3; ++c)
            QVERIFY2(std::abs(a[c] - b[c]) <= 2, qPrintable(QString("%1: %2 %3").arg(i).arg(a[c]).arg(b[c])));
    }
}

static ClipPlan highRange(const std::vector<std::array<double, 3>> &colours,
                          AVColorTransferCharacteristic transfer)
{
    ClipPlan plan = colourBlocks(colours, AV_PIX_FMT_YUV420P10);
    plan.primaries = AVCOL_PRI_BT2020;
    plan.transfer = transfer;
    plan.space = AVCOL_SPC_BT2020_NCL;
    return plan;
}

void VideoColoursTest::perceptualQuantizerKeepsKnownBrightness()
{
    const double nits[] = {0, 5, 20, 60, 100, 203, 400, 1000};
    // White is 203 nits; up to 90 nits sRGB's own curve, by hand: 255 (1.055 (nits / 203)^(1 / 2.4) - 0.055).
    const int expected[] = {0, 44, 88, 148};
    std::vector<std::array<double, 3>> grays;
    for (const double value : nits)
        grays.push_back({pq(value), 0, 0});
    writeClip(path("pq.mp4"), highRange(grays, AVCOL_TRC_SMPTE2084));

    const auto prepared = prepare(path("pq.mp4"), {}, withPixels());

    QVERIFY(prepared.has_value());
    int before = -1;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const auto colour = blockColour(prepared->pixels[0], i % 4, i / 4);
        const QByteArray told =
            QString("%1 nits: %2 %3 %4").arg(nits[i]).arg(colour[0]).arg(colour[1]).arg(colour[2]).toUtf8();
        QVERIFY2(std::abs(colour[0] - colour[1]) <= 2 && std::abs(colour[2] - colour[1]) <= 2, told);
        QVERIFY2(colour[1] > before, told);
        if (i < 4)
            QVERIFY2(std::abs(colour[1] - expected[i]) <= 2, told);
        before = colour[1];
    }
    const int paper = blockColour(prepared->pixels[0], 1, 1)[1];
    QVERIFY(paper >= 215 && paper <= 240); // paper white stays below what is brighter
    QVERIFY(before >= 253);
    // The published code has the signal as it is.
    PrepareOptions plain = withPixels();
    plain.mode = PrepareOptions::Mode::Hf;
    const auto untouched = prepare(path("pq.mp4"), {}, plain);
    QVERIFY(untouched.has_value());
    QVERIFY(std::abs(blockColour(untouched->pixels[0], 1, 1)[1] - int(pq(203) * 255)) <= 2);
}

void VideoColoursTest::hybridLogGammaKeepsKnownBrightness()
{
    // A signal of a half is a twelfth of the scene's light and, on a screen of 1000 nits, 1000 (1/12)^1.2
    // = 50.7.
    const std::vector<std::array<double, 3>> grays(8, {0.5, 0, 0});
    writeClip(path("hlg.mp4"), highRange(grays, AVCOL_TRC_ARIB_STD_B67));

    const auto prepared = prepare(path("hlg.mp4"), {}, withPixels());

    QVERIFY(prepared.has_value());
    const auto colour = blockColour(prepared->pixels[0], 2, 0);
    for (const int sample : colour)
        QVERIFY2(std::abs(sample - 137) <= 2, qPrintable(QString::number(sample)));
}

void VideoColoursTest::otherPrimariesKeepTheirColours()
{
    // The green of sRGB at 60 nits, in the primaries of BT.2020 (the second column of BT.2087's matrix).
    const double red = pq(60 * 0.3293), green = pq(60 * 0.9195), blue = pq(60 * 0.0880);
    const double luma = 0.2627 * red + 0.6780 * green + 0.0593 * blue;
    const std::vector<std::array<double, 3>> colours(8,
                                                     {luma, (blue - luma) / 1.8814, (red - luma) / 1.4746});
    writeClip(path("green.mp4"), highRange(colours, AVCOL_TRC_SMPTE2084));

    const auto prepared = prepare(path("green.mp4"), {}, withPixels());

    QVERIFY(prepared.has_value());
    const auto colour = blockColour(prepared->pixels[0], 2, 0);
    const QByteArray told = QString("%1 %2 %3").arg(colour[0]).arg(colour[1]).arg(colour[2]).toUtf8();
    QVERIFY2(std::abs(colour[1] - 148) <= 3 && colour[0] <= 16 && colour[2] <= 16, told);
}

void VideoColoursTest::interlacedClipsShowOneMoment()
{
    ClipPlan plan = test::numbered(10);
    plan.encoder = "mpeg2video";
    plan.bitRate = 8'000'000;
    plan.interlaced = true;
    // A bar that stands at the left in the upper field and at the right in the lower one, which is later.
    plan.draw = [](std::size_t, AVFrame &frame) {
        for (int y = 0; y < frame.height; ++y) {
            for (int x = 0; x < frame.width; ++x) {
                const int bar = y % 2 == 0 ? 30 : 110;
                test::setSample(frame, 0, x, y, x >= bar && x < bar + 20 ? 220 : 40);
            }
        }
    };
    writeClip(path("fields.mpg"), plan);

    PrepareOptions options = withPixels();
    const auto shown = prepare(path("fields.mpg"), {}, options);
    options.mode = PrepareOptions::Mode::Hf;
    const auto woven = prepare(path("fields.mpg"), {}, options);

    QVERIFY(shown.has_value() && woven.has_value());
    const auto at = [](const Picture &frame, std::uint32_t x, std::uint32_t y) {
        return int(frame.rgb[(std::size_t{y} * frame.width + x) * 3 + 1]);
    };
    for (const Picture &frame : shown->pixels) {
        for (std::uint32_t y = 4; y < 92; ++y) {
            QVERIFY(at(frame, 40, y) > 180);
            QVERIFY(at(frame, 120, y) < 80);
        }
    }
    QVERIFY(std::abs(at(woven->pixels[0], 40, 50) - at(woven->pixels[0], 40, 51)) > 100);
}

QTEST_GUILESS_MAIN(VideoColoursTest)
#include "video_colours_test.moc"
