// All golden clips, from file to chunks, through the decoding helper.
#include "media/prepare.h"

#include "tests/media/media_golden.h"

#include <cmath>

using namespace perilune;
using test::Json;

class ClipsTest : public QObject {
    Q_OBJECT

private slots:
    void matchTheReference_data();
    void matchTheReference();
    void framesAreThoseTheirCodesSay_data();
    void framesAreThoseTheirCodesSay();
    void variableRatesGoByTimeForPeople();
    void partsAndFewerFramesCanBeChosen();
    void costsAreKnownToTheToken();
    void valuesAreLeftOutOnWish();
    void lessDetailIsFewerTokensOfTheSameFrames();
};

static PrepareOptions asVideo(PrepareOptions::Mode mode)
{
    PrepareOptions options;
    options.as = PrepareOptions::As::Video;
    options.mode = mode;
    options.wantPixels = true;
    return options;
}

static void addClips()
{
    QTest::addColumn<QByteArray>("row");
    const Json cases = test::readJson("clips.json");
    QCOMPARE(cases.at("videos").size(), std::size_t(10));
    for (const Json &clip : cases.at("videos"))
        QTest::newRow(clip.at("id").get<std::string>().c_str()) << QByteArray::fromStdString(clip.dump());
}

/// The number that the test pattern in the top left corner spells: 8 x 8 blocks, the first row the bits of
/// the number, the highest first, the second their complements.
static int codeOf(const Picture &frame, bool turned = false)
{
    int number = 0;
    for (std::uint32_t bit = 0; bit < 10; ++bit) {
        const auto green = [&](std::uint32_t row) {
            std::uint32_t x = bit * 8 + 4, y = row * 8 + 4;
            if (turned) { // to the left: the stored clip is 96 pixels wide
                std::swap(x, y);
                y = 95 - y;
            }
            return frame.rgb[(y * frame.width + x) * 3 + 1] >= 128;
        };
        if (green(0) == green(1))
            return -1;
        number = number * 2 + green(0);
    }
    return number;
}

void ClipsTest::matchTheReference_data()
{
    addClips();
}

void ClipsTest::matchTheReference()
{
    QFETCH(QByteArray, row);
    const Json clip = Json::parse(row.toStdString());
    const bool steady = clip.at("id") != "vfr.mp4";
    for (const auto mode : {PrepareOptions::Mode::Hf, PrepareOptions::Mode::App}) {
        if (mode == PrepareOptions::Mode::App && !steady)
            continue;

        const auto prepared =
            prepare(test::mediaData("clips/" + clip.at("file").get<std::string>()), {}, asVideo(mode));

        QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().message.c_str());
        QVERIFY(Json({prepared->width, prepared->height}) == clip.at("display_size"));
        QVERIFY(Json(prepared->frameIndices) == clip.at("frame_indices"));
        QCOMPARE(prepared->tokens, clip.at("total_media_tokens").get<std::uint64_t>());
        QVERIFY(prepared->notes.empty());
        std::string prompt;
        std::size_t frame = 0, value = 0;
        const Json &chunks = clip.at("chunks");
        QCOMPARE(prepared->patches->grids.size(), chunks.size());
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            const PatchGrid grid = prepared->patches->grids[i];
            prompt += chunks[i].at("prompt").get<std::string>();
            QVERIFY(Json({grid.frames, grid.rows, grid.columns}) == chunks[i].at("grid_thw"));
            QCOMPARE(prepared->patches->timestamps[i], chunks[i].at("timestamp_text").get<std::string>());
            const auto &resize = chunks[i].at("resize");
            for (const Json &mean : chunks[i].at("frame_mean_rgb")) {
                const Picture &picture = prepared->pixels.at(frame++);
                for (std::size_t c = 0; c < 3; ++c) {
                    double sum = 0;
                    const std::size_t width = resize.at("new_width"), height = resize.at("new_height");
                    for (std::size_t p = 0; p < width * height; ++p)
                        sum += picture.rgb[(p / width * picture.width + p % width) * 3 + c];
                    QVERIFY(std::abs(sum / double(width * height) - mean[c].get<double>()) <= 2);
                }
            }
            double sum = 0;
            const std::size_t count = grid.patches() * 588;
            for (std::size_t k = 0; k < count; ++k)
                sum += double(prepared->patches->pixelValues[value++]);
            QVERIFY(std::abs(sum / double(count) - chunks[i].at("patches_mean").get<double>()) <= 0.02);
        }
        QCOMPARE(prepared->prompt, prompt);
        QCOMPARE(value, prepared->patches->pixelValues.size());
    }
}

void ClipsTest::framesAreThoseTheirCodesSay_data()
{
    addClips();
}

void ClipsTest::framesAreThoseTheirCodesSay()
{
    QFETCH(QByteArray, row);
    const Json clip = Json::parse(row.toStdString());

    const auto prepared = prepare(test::mediaData("clips/" + clip.at("file").get<std::string>()), {},
                                  asVideo(PrepareOptions::Mode::App));

    QVERIFY(prepared.has_value());
    for (std::size_t i = 0; i < prepared->pixels.size(); ++i)
        QCOMPARE(codeOf(prepared->pixels[i], clip.at("rotation") != 0), int(prepared->frameIndices[i]));
}

void ClipsTest::variableRatesGoByTimeForPeople()
{
    // 20 frames of 50 ms, then 20 of 150 ms: two a second are every tenth of the first, and every third or
    // fourth of the others.
    const auto prepared = prepare(test::mediaData("clips/vfr.mp4"), {}, asVideo(PrepareOptions::Mode::App));

    QVERIFY(prepared.has_value());
    QCOMPARE(prepared->frameIndices, (std::vector<std::uint32_t>{0, 10, 20, 23, 26, 30, 33, 36}));
    for (std::size_t i = 0; i < prepared->frameIndices.size(); ++i) {
        const std::uint32_t index = prepared->frameIndices[i];
        const double shown = index < 20 ? index * 0.05 : 1 + (index - 20) * 0.15;
        QVERIFY(std::abs(prepared->frameSeconds[i] - shown) < 1e-3);
        QVERIFY(shown <= double(i) * 0.5 + 1e-3 && shown > double(i) * 0.5 - 0.15);
    }
    QCOMPARE(prepared->patches->timestamps, (std::vector<std::string>{"00:00:00.000", "00:00:01.899"}));
}

void ClipsTest::partsAndFewerFramesCanBeChosen()
{
    PrepareOptions options = asVideo(PrepareOptions::Mode::App);
    options.choice.fromSeconds = 5;
    options.choice.toSeconds = 7;
    const auto part = prepare(test::mediaData("clips/long_12fps.mp4"), {}, options);
    QVERIFY(part.has_value());
    QCOMPARE(part->frameIndices, (std::vector<std::uint32_t>{60, 68, 75, 83}));
    QCOMPARE(part->patches->timestamps, (std::vector<std::string>{"00:00:05.000"}));
    for (std::size_t i = 0; i < part->pixels.size(); ++i)
        QCOMPARE(codeOf(part->pixels[i]), int(part->frameIndices[i]));

    options = asVideo(PrepareOptions::Mode::App);
    options.choice.maxFrames = 3;
    const auto thinned = prepare(test::mediaData("clips/long_12fps.mp4"), {}, options);
    QVERIFY(thinned.has_value());
    QCOMPARE(thinned->frameIndices, (std::vector<std::uint32_t>{0, 74, 149}));
    QVERIFY(thinned->notes.empty()); // it was asked for

    // All of it is 25 frames of 24 patches: six chunks of four and one of one, each of 6 tokens.
    options.choice.maxFrames = 5;
    options.choice.fit = MediaChoice::Fit::Trim;
    const auto trimmed = prepare(test::mediaData("clips/long_12fps.mp4"), {}, options);
    QVERIFY(trimmed.has_value() && trimmed->choices.has_value());
    QCOMPARE(trimmed->frameIndices, (std::vector<std::uint32_t>{0, 6, 12, 19, 25}));
    QCOMPARE(trimmed->choices->whole.frames, 25u);
    QCOMPARE(trimmed->choices->whole.tokens, std::uint64_t(42));
    QVERIFY(trimmed->choices->thinned && trimmed->choices->trimmed);
    QCOMPARE(trimmed->choices->thinned->tokens, std::uint64_t(12));
    QCOMPARE(trimmed->choices->trimmed->tokens, trimmed->tokens);
    QCOMPARE(trimmed->choices->trimmed->frames, 5u);
    QVERIFY(std::abs(trimmed->choices->trimmed->toSeconds - 31 / 12.0) < 1e-6); // the sixth frame

    options = asVideo(PrepareOptions::Mode::App);
    options.choice.fromSeconds = 100;
    QVERIFY(!prepare(test::mediaData("clips/long_12fps.mp4"), {}, options));

    options = asVideo(PrepareOptions::Mode::App);
    options.maxPatches = 200; // a frame has 24
    const auto limited = prepare(test::mediaData("clips/long_12fps.mp4"), {}, options);
    QVERIFY(limited.has_value());
    QCOMPARE(limited->frameIndices.size(), std::size_t(8));
    QCOMPARE(limited->notes.size(), std::size_t(1));
    options.choice.fit = MediaChoice::Fit::Trim;
    const auto beginning = prepare(test::mediaData("clips/long_12fps.mp4"), {}, options);
    QVERIFY(beginning.has_value());
    QCOMPARE(beginning->notes,
             (std::vector<std::string>{"taking all of it would be 25 frames of 24 patches: the "
                                       "first 8 frames, up to 4.2 s, are used"}));
    options.mode = PrepareOptions::Mode::Hf;
    QVERIFY(!prepare(test::mediaData("clips/long_12fps.mp4"), {}, options));
}

/// What costOf says of a choice is what taking it comes to, whatever was chosen when it was asked.
void ClipsTest::costsAreKnownToTheToken()
{
    std::vector<MediaChoice> choices(1);
    for (const auto detail :
         {MediaChoice::Detail::Full, MediaChoice::Detail::Medium, MediaChoice::Detail::Low}) {
        choices.push_back({.detail = detail});
        choices.push_back({.detail = detail, .maxFrames = 6});
        choices.push_back({.detail = detail, .fit = MediaChoice::Fit::Trim, .maxFrames = 7});
        choices.push_back({.detail = detail, .fromSeconds = 1.5});
        choices.push_back({.detail = detail, .fromSeconds = 0.3, .toSeconds = 1.7, .maxFrames = 2});
    }
    for (const char *file :
         {"clips/long_12fps.mp4", "clips/vp9_25fps.webm", "clips/vfr.mp4", "clips/rotated90.mp4",
          "clips/single.mp4", "clips/anim_10fps.gif", "pictures/q95_444.jpg"}) {
        const std::string path = test::mediaData(file);
        PrepareOptions options;
        options.maxPatches = 900; // less than all of the long clip
        const auto first = prepare(path, {}, options);
        QVERIFY2(first.has_value(), file);
        for (const MediaChoice &choice : choices) {
            options.choice = choice;
            const auto taken = prepare(path, {}, options);
            const auto cost = first->costOf(choice);
            QCOMPARE(cost.has_value(), taken.has_value());
            if (!taken)
                continue;
            QCOMPARE(cost->tokens, taken->tokens);
            QCOMPARE(cost->tokens, taken->patches->tokens());
            QCOMPARE(cost->frames, std::uint32_t(std::max<std::size_t>(taken->frameIndices.size(), 1)));
            QCOMPARE(taken->costOf({})->tokens, first->tokens);
        }
        QVERIFY(first->costOf({.fromSeconds = 100}).has_value() ==
                (first->kind == VisionPatches::Kind::Image));
    }
}

void ClipsTest::valuesAreLeftOutOnWish()
{
    PrepareOptions options = asVideo(PrepareOptions::Mode::App);
    const auto whole = prepare(test::mediaData("clips/vp9_25fps.webm"), {}, options);
    options.wantPatches = false;
    const auto described = prepare(test::mediaData("clips/vp9_25fps.webm"), {}, options);

    options.framePreviewSide = 60;
    const auto previewed = prepare(test::mediaData("clips/vp9_25fps.webm"), {}, options);
    QVERIFY(previewed.has_value());
    QCOMPARE(previewed->previews.size(), previewed->frameIndices.size());
    for (const Picture &preview : previewed->previews)
        QCOMPARE(std::max(preview.width, preview.height), 60u);
    QVERIFY(whole.has_value() && described.has_value());
    QVERIFY(described->patches->pixelValues.empty());
    QCOMPARE(described->patches->contentId, whole->patches->contentId);
    QCOMPARE(described->tokens, whole->tokens);
}

void ClipsTest::lessDetailIsFewerTokensOfTheSameFrames()
{
    PrepareOptions options = asVideo(PrepareOptions::Mode::App);
    const auto full = prepare(test::mediaData("clips/vp9_25fps.webm"), {}, options);
    options.choice.detail = MediaChoice::Detail::Medium;
    const auto medium = prepare(test::mediaData("clips/vp9_25fps.webm"), {}, options);

    QVERIFY(full.has_value() && medium.has_value());
    QCOMPARE(medium->frameIndices, full->frameIndices);
    QCOMPARE(medium->prompt, full->prompt);
    QVERIFY(medium->tokens * 2 < full->tokens);
}

QTEST_GUILESS_MAIN(ClipsTest)
#include "clips_test.moc"
