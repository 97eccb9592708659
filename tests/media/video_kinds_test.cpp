// Clips of all sorts, made here by FFmpeg's libraries: each frame carries a number in black and white blocks,
// so that it says itself which one it is, or when it is shown.
#include "media/prepare.h"

#include "tests/media/media_golden.h"
#include "tests/media/numbered_clip.h"

#include <QTemporaryDir>

#include <cmath>
#include <random>

using namespace perilune;
using test::ClipPlan;
using test::codeOf;
using test::numbered;
using test::withPixels;

class VideoKindsTest : public QObject {
    Q_OBJECT

private slots:
    void everyFrameIsFoundInEveryContainer_data();
    void everyFrameIsFoundInEveryContainer();
    void sparseFramesAreThoseOfTheWholeClip_data();
    void sparseFramesAreThoseOfTheWholeClip();
    void theClockInThePictureIsTheStatedTime_data();
    void theClockInThePictureIsTheStatedTime();
    void turnedClipsAreShownUpright_data();
    void turnedClipsAreShownUpright();
    void pixelsThatAreNotSquareGiveTheShapeOfTheScreen_data();
    void pixelsThatAreNotSquareGiveTheShapeOfTheScreen();
    void soundIsRefusedInWords();
    void brokenTailsAreUsedAndSaid_data();
    void brokenTailsAreUsedAndSaid();
    void filesThatShrinkWhileTheyAreReadHarmNothing();

private:
    std::string path(const std::string &name)
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    std::string write(const std::string &name, const QByteArray &bytes)
    {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("can't write %s", name.c_str());
        return path(name);
    }

    QTemporaryDir m_folder;
};

/// A config that takes every frame.
static MediaConfig everyFrame()
{
    MediaConfig config;
    config.sampleFps = 1000;
    return config;
}

struct Kind {
    const char *name, *file, *encoder;
    int betweens;
    AVPixelFormat format = AV_PIX_FMT_YUV420P;
    std::vector<std::pair<std::string, std::string>> options{};
};

static const std::vector<Kind> &kinds()
{
    static const std::vector<Kind> all = {
        {"H.264 in MP4", "a.mp4", "libx264", 2},
        {"H.264, open groups, in Matroska",
         "b.mkv", "libx264",
         3, AV_PIX_FMT_YUV420P,
         {{"x264-params", "open-gop=1:scenecut=0"}}},
        {"H.264, intra refresh",
         "c.mkv", "libx264",
         0, AV_PIX_FMT_YUV420P,
         {{"x264-params", "intra-refresh=1"}}},
        {"H.264 in a transport stream", "d.ts", "libx264", 2},
        {"H.265 in MP4",
         "e.mp4", "libx265",
         3, AV_PIX_FMT_YUV420P,
         {{"x265-params", "log-level=none:pools=1"}}},
        {"MPEG-2 in a programme stream", "f.mpg", "mpeg2video", 2},
        {"MPEG-2 in a transport stream", "g.ts", "mpeg2video", 2},
        {"MPEG-4 in AVI", "h.avi", "mpeg4", 1},
        {"VP8 in WebM",
         "i.webm", "libvpx",
         0, AV_PIX_FMT_YUV420P,
         {{"deadline", "realtime"}, {"auto-alt-ref", "1"}, {"lag-in-frames", "8"}}},
        {"VP9 in WebM",
         "j.webm", "libvpx-vp9",
         0, AV_PIX_FMT_YUV420P,
         {{"deadline", "realtime"}, {"cpu-used", "8"}}},
        {"AV1 in MP4",
         "k.mp4", "libaom-av1",
         0, AV_PIX_FMT_YUV420P,
         {{"usage", "realtime"}, {"cpu-used", "8"}}},
        {"ProRes in QuickTime", "l.mov", "prores_ks", 0, AV_PIX_FMT_YUV422P10},
        {"FFV1 in Matroska", "m.mkv", "ffv1", 0},
        {"Theora in Ogg", "n.ogv", "libtheora", 0},
        {"Motion JPEG in AVI", "o.avi", "mjpeg", 0, AV_PIX_FMT_YUVJ420P},
        {"Sorenson in Flash", "p.flv", "flv", 0},
        {"WMV in ASF", "q.wmv", "wmv2", 0},
    };
    return all;
}

static ClipPlan planOf(const Kind &kind, std::size_t frames)
{
    ClipPlan plan = numbered(frames);
    plan.encoder = kind.encoder;
    plan.encoderOptions = kind.options;
    plan.betweens = kind.betweens;
    plan.format = kind.format;
    plan.bitRate = 2'000'000;
    return plan;
}

static void addKinds()
{
    QTest::addColumn<std::size_t>("number");
    for (std::size_t i = 0; i < kinds().size(); ++i)
        QTest::newRow(kinds()[i].name) << i;
}

void VideoKindsTest::everyFrameIsFoundInEveryContainer_data()
{
    addKinds();
}

void VideoKindsTest::everyFrameIsFoundInEveryContainer()
{
    QFETCH(std::size_t, number);
    const Kind &kind = kinds()[number];
    if (!test::hasEncoder(kind.encoder))
        QSKIP("this FFmpeg can't make such clips");
    writeClip(path(kind.file), planOf(kind, 50));

    const auto sampled = prepare(path(kind.file), {}, withPixels());
    const auto all = prepare(path(kind.file), everyFrame(), withPixels());

    QVERIFY2(sampled.has_value() && all.has_value(), all ? "" : all.error().message.c_str());
    QVERIFY2(all->notes.empty(), all->notes.empty() ? "" : all->notes[0].c_str());
    // round_half_even(linspace(0, 49, 4))
    QCOMPARE(sampled->frameIndices, (std::vector<std::uint32_t>{0, 16, 33, 49}));
    for (std::size_t i = 0; i < 4; ++i)
        QCOMPARE(codeOf(sampled->pixels[i]), int(sampled->frameIndices[i]));
    QCOMPARE(all->pixels.size(), std::size_t(50));
    for (std::size_t i = 0; i < 50; ++i)
        QCOMPARE(codeOf(all->pixels[i]), int(i));
}

void VideoKindsTest::sparseFramesAreThoseOfTheWholeClip_data()
{
    addKinds();
}

void VideoKindsTest::sparseFramesAreThoseOfTheWholeClip()
{
    QFETCH(std::size_t, number);
    const Kind &kind = kinds()[number];
    if (!test::hasEncoder(kind.encoder))
        QSKIP("this FFmpeg can't make such clips");
    writeClip(path(kind.file), planOf(kind, 150));
    const auto all = prepare(path(kind.file), everyFrame(), withPixels());
    QVERIFY(all.has_value());
    QCOMPARE(all->pixels.size(), std::size_t(150));

    PrepareOptions options = withPixels();
    for (const std::uint32_t most : {2u, 7u}) {
        for (const double from : {0.0, 1.4, 4.1}) {
            options.choice.maxFrames = most;
            options.choice.fromSeconds = from;
            const auto sparse = prepare(path(kind.file), {}, options);
            QVERIFY(sparse.has_value());
            QVERIFY(sparse->pixels.size() <= most);
            for (std::size_t i = 0; i < sparse->pixels.size(); ++i)
                QVERIFY(sparse->pixels[i].rgb == all->pixels[sparse->frameIndices[i]].rgb);
        }
    }
}

void VideoKindsTest::theClockInThePictureIsTheStatedTime_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("betweens");
    QTest::newRow("Matroska") << "vfr.mkv" << 0;
    QTest::newRow("Matroska, reordered") << "vfrb.mkv" << 2;
    QTest::newRow("MP4, reordered") << "vfrb.mp4" << 2;
    QTest::newRow("transport stream") << "vfr.ts" << 2;
}

void VideoKindsTest::theClockInThePictureIsTheStatedTime()
{
    QFETCH(QString, file);
    QFETCH(int, betweens);
    ClipPlan plan = numbered(0);
    plan.timeBase = {1, 1000};
    plan.betweens = betweens;
    std::mt19937 random(6);
    std::vector<double> shown;
    for (std::int64_t at = 0; shown.size() < 90;
         at += 10 + std::int64_t(random() % (shown.size() % 30 < 10 ? 900 : 120))) {
        plan.ticks.push_back(at);
        shown.push_back(double(at) / 1000);
    }
    plan.draw = [ticks = plan.ticks](std::size_t number, AVFrame &frame) {
        test::drawCode(frame, static_cast<unsigned>(ticks[number]));
    };
    writeClip(path(file.toStdString()), plan);

    const auto prepared = prepare(path(file.toStdString()), {}, withPixels());

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    std::vector<std::uint32_t> expected; // the frame that is on the screen at each half second, once
    for (double moment = 0; moment < prepared->durationSeconds - 1e-6; moment += 0.5) {
        std::uint32_t last = 0;
        while (last + 1 < shown.size() && shown[last + 1] <= moment + 1e-3)
            ++last;
        if (expected.empty() || expected.back() != last)
            expected.push_back(last);
    }
    QCOMPARE(prepared->frameIndices, expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY(std::abs(prepared->frameSeconds[i] - shown[expected[i]]) < 1e-3);
        QVERIFY(std::abs(codeOf(prepared->pixels[i]) - prepared->frameSeconds[i] * 1000) < 1);
    }
    for (std::size_t i = 0; i < prepared->patches->timestamps.size(); ++i) {
        const QTime stated =
            QTime::fromString(QString::fromStdString(prepared->patches->timestamps[i]), "HH:mm:ss.zzz");
        QVERIFY(std::abs(stated.msecsSinceStartOfDay() - codeOf(prepared->pixels[i * 4])) <= 1);
    }
}

void VideoKindsTest::turnedClipsAreShownUpright_data()
{
    QTest::addColumn<int>("degrees");
    for (const int degrees : {0, 90, 180, 270})
        QTest::addRow("%d degrees", degrees) << degrees;
}

void VideoKindsTest::turnedClipsAreShownUpright()
{
    QFETCH(int, degrees);
    ClipPlan plan = numbered(20);
    plan.turnedBy = degrees;
    writeClip(path("turned.mp4"), plan);

    const auto prepared = prepare(path("turned.mp4"), {}, withPixels());

    QVERIFY(prepared.has_value());
    const bool sideways = degrees % 180 == 90;
    QCOMPARE(prepared->width, sideways ? 96u : 160u);
    QCOMPARE(prepared->height, sideways ? 160u : 96u);
    for (std::size_t i = 0; i < prepared->pixels.size(); ++i) {
        Picture frame = prepared->pixels[i]; // without its padding
        const auto [x, y] = std::array{prepared->width, prepared->height};
        Picture cropped{.width = x, .height = y, .rgb = {}};
        for (std::uint32_t row = 0; row < y; ++row) {
            const auto begin = frame.rgb.begin() + std::ptrdiff_t{row} * frame.width * 3;
            cropped.rgb.insert(cropped.rgb.end(), begin, begin + std::ptrdiff_t{x} * 3);
        }
        QCOMPARE(codeOf(cropped, degrees), int(prepared->frameIndices[i]));
    }
}

void VideoKindsTest::pixelsThatAreNotSquareGiveTheShapeOfTheScreen_data()
{
    QTest::addColumn<int>("across");
    QTest::addColumn<int>("down");
    QTest::addColumn<std::uint32_t>("width");
    QTest::addColumn<std::uint32_t>("height");
    QTest::newRow("wide pixels") << 2 << 1 << 320u << 96u;
    QTest::newRow("high pixels") << 1 << 2 << 160u << 192u;
    QTest::newRow("PAL, 16:9") << 64 << 45 << 228u << 96u;
    QTest::newRow("NTSC, 4:3") << 10 << 11 << 160u << 106u;
}

void VideoKindsTest::pixelsThatAreNotSquareGiveTheShapeOfTheScreen()
{
    QFETCH(int, across);
    QFETCH(int, down);
    QFETCH(std::uint32_t, width);
    QFETCH(std::uint32_t, height);
    ClipPlan plan = numbered(10);
    plan.shape = {across, down};
    writeClip(path("shape.mkv"), plan);

    const auto prepared = prepare(path("shape.mkv"), {}, {});

    QVERIFY(prepared.has_value());
    QCOMPARE(prepared->width, width);
    QCOMPARE(prepared->height, height);
    QCOMPARE(prepared->patches->grids[0].columns, (width + 27) / 28 * 2);
    QCOMPARE(prepared->patches->grids[0].rows, (height + 27) / 28 * 2);
}

/// A FLAC file that holds no sound yet but says that it will, and perhaps a cover picture.
static QByteArray flac(const QByteArray &cover)
{
    const auto number = [](quint32 value, int bytes) {
        QByteArray big;
        for (int i = bytes - 1; i >= 0; --i)
            big += char(value >> 8 * i);
        return big;
    };
    QByteArray info = number(4096, 2) + number(4096, 2) + QByteArray(6, '\0');
    info += QByteArray::fromHex("0ac442f000000000") + QByteArray(16, '\0'); // 44100 Hz, stereo, 16 bits
    QByteArray bytes =
        "fLaC" + number(cover.isEmpty() ? 0x80 : 0, 1) + number(quint32(info.size()), 3) + info;
    if (!cover.isEmpty()) {
        const QByteArray type = "image/png";
        const QByteArray block = number(3, 4) + number(quint32(type.size()), 4) + type + number(0, 4) +
                                 QByteArray(16, '\0') + number(quint32(cover.size()), 4) + cover;
        bytes += number(0x86, 1) + number(quint32(block.size()), 3) + block;
    }
    return bytes + QByteArray::fromHex("fff8c9180000") + QByteArray(64, '\0');
}

void VideoKindsTest::soundIsRefusedInWords()
{
    const auto sound = prepare(write("sound.flac", flac({})), {}, {});
    QVERIFY(!sound);
    QCOMPARE(sound.error().code, ErrorCode::Unsupported);
    QCOMPARE(sound.error().message, path("sound.flac") + " holds only sound, which can't be heard here");

    const QByteArray cover = test::readBytes(test::mediaData("pictures/grad56x84.png"));
    const auto song = prepare(write("song.flac", flac(cover)), {}, {});
    QVERIFY(!song);
    QCOMPARE(song.error().message,
             path("song.flac") + " is sound with a cover picture, not a clip; sound can't be heard here");
}

void VideoKindsTest::brokenTailsAreUsedAndSaid_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("flags");
    QTest::newRow("Matroska") << "cut.mkv" << "";
    QTest::newRow("transport stream") << "cut.ts" << "";
    QTest::newRow("AVI") << "cut.avi" << "";
    QTest::newRow("MP4 with its index first") << "cut.mp4" << "faststart";
    QTest::newRow("MP4 in fragments") << "cutf.mp4" << "frag_keyframe+empty_moov";
}

void VideoKindsTest::brokenTailsAreUsedAndSaid()
{
    QFETCH(QString, file);
    QFETCH(QString, flags);
    ClipPlan plan = numbered(150);
    plan.bitRate = 1'000'000;
    if (file.endsWith("avi"))
        plan.encoder = "mpeg4";
    if (!flags.isEmpty())
        plan.containerOptions = {
            {"movflags", flags.toStdString()}
        };
    writeClip(path("whole" + file.toStdString()), plan);
    const QByteArray whole = test::readBytes(path("whole" + file.toStdString()));

    const auto prepared =
        prepare(write(file.toStdString(), whole.left(whole.size() * 6 / 10)), {}, withPixels());

    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
    QVERIFY(prepared->durationSeconds > 1.5 && prepared->durationSeconds < 5);
    QVERIFY(prepared->frameIndices.size() >= 4);
    for (std::size_t i = 0; i + 1 < prepared->pixels.size(); ++i)
        QCOMPARE(codeOf(prepared->pixels[i]), int(prepared->frameIndices[i]));
    // A transport stream has no end that could be missed, unless a packet is cut in two.
    if (!file.endsWith(".ts"))
        QVERIFY(!prepared->notes.empty() && prepared->notes[0].starts_with("the file is cut off after "));
}

void VideoKindsTest::filesThatShrinkWhileTheyAreReadHarmNothing()
{
    ClipPlan plan = numbered(400);
    plan.bitRate = 4'000'000;
    plan.draw = [random = std::mt19937(1)](std::size_t, AVFrame &frame) mutable {
        for (int y = 0; y < 96; ++y) {
            for (int x = 0; x < 160; ++x)
                test::setSample(frame, 0, x, y, int(random() % 200));
        }
    };
    writeClip(path("shrinks.mkv"), plan);
    QVERIFY(QFile(QString::fromStdString(path("shrinks.mkv"))).size() > 1'000'000);
    bool shrunk = false;
    const auto shrink = [&](double) {
        if (!shrunk)
            shrunk = QFile::resize(QString::fromStdString(path("shrinks.mkv")), 3000);
    };

    const auto prepared = prepare(path("shrinks.mkv"), everyFrame(), withPixels(), shrink);

    QVERIFY(shrunk);
    if (!prepared) // either what had been read is used, or a sentence says why not
        QVERIFY(prepared.error().message.starts_with(path("shrinks.mkv")));
    else
        QVERIFY(!prepared->notes.empty());
}

QTEST_GUILESS_MAIN(VideoKindsTest)
#include "video_kinds_test.moc"
