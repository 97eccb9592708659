#include "media/patches.h"

#include "media/geometry.h"
#include "media/resample.h"
#include "tests/media/media_golden.h"

using namespace perilune;

class PatchesTest : public QObject {
    Q_OBJECT

private slots:
    void preprocessingMatchesTheReference_data();
    void preprocessingMatchesTheReference();
    void orderIsRowsThenColumnsThenChannels();
    void normalisationMatchesItsTables();
};

void PatchesTest::preprocessingMatchesTheReference_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"pad_only", "exact", "downscale", "side_limit", "video3"})
        QTest::newRow(name) << name;
}

void PatchesTest::preprocessingMatchesTheReference()
{
    QFETCH(QString, name);
    const std::string key = name.toStdString() + ".";
    const test::GoldenTensors golden("preprocess.safetensors");
    const auto shape = golden.shape(key + "image_u8"); // (frames, height, width, 3)
    const auto pixels = golden.values<std::uint8_t>(key + "image_u8");
    const auto limits = golden.values<std::int64_t>(key + "limits");
    MediaConfig config;
    config.patchLimit = std::uint32_t(limits[0]);
    config.framePatchLimit = std::uint32_t(limits[0]);
    config.sideLimit = std::uint32_t(limits[1]);

    const auto plan = planFrame(shape[2], shape[1], shape[0], config);
    QVERIFY(plan.has_value());
    std::vector<float> values;
    std::vector<std::uint8_t> padded;
    const std::size_t frameBytes = pixels.size() / shape[0];
    for (std::size_t frame = 0; frame < shape[0]; ++frame) {
        Resampler resampler(shape[2], shape[1], plan->width, plan->height);
        resampler.addRows(std::span(pixels).subspan(frame * frameBytes, frameBytes));
        const Picture picture = resampler.finish(plan->paddedWidth(), plan->paddedHeight());
        padded.insert(padded.end(), picture.rgb.begin(), picture.rgb.end());
        appendPatches(picture, config, values);
    }

    const auto grid = golden.values<std::int64_t>(key + "grid_thw");
    QCOMPARE(plan->grid(shape[0]),
             (PatchGrid{std::uint32_t(grid[0]), std::uint32_t(grid[1]), std::uint32_t(grid[2])}));
    QVERIFY(padded == golden.values<std::uint8_t>(key + "resized_padded_u8"));
    QVERIFY(values == golden.values<float>(key + "pixel_values"));
}

void PatchesTest::orderIsRowsThenColumnsThenChannels()
{
    const test::GoldenTensors golden("tensors.safetensors");
    MediaConfig unchanged; // (v / 255 - 0) * 1
    unchanged.mean = {0, 0, 0};
    unchanged.standardDeviation = {1, 1, 1};

    std::vector<float> values;
    appendPatches(golden.picture("patchify/in"), unchanged, values);

    const auto wanted = golden.values<std::uint8_t>("patchify/out");
    QCOMPARE(values.size(), wanted.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        QCOMPARE(values[i], float(wanted[i]) / 255.0f);
}

/// A picture of one patch in which each channel counts from 0; 256 values take two.
static std::vector<float> tableOf(const MediaConfig &config, std::size_t channel)
{
    std::vector<float> values;
    Picture picture{.width = 28, .height = 14, .rgb = std::vector<std::uint8_t>(28 * 14 * 3)};
    for (std::size_t i = 0; i < 28 * 14; ++i)
        picture.rgb[(i / 196 * 14 + i % 14 + i % 196 / 14 * 28) * 3 + channel] = std::uint8_t(i);
    appendPatches(picture, config, values);
    std::vector<float> table(values.begin() + long(channel) * 196, values.begin() + long(channel + 1) * 196);
    table.insert(table.end(), values.begin() + long(channel + 3) * 196,
                 values.begin() + long(channel + 3) * 196 + 60);
    return table;
}

void PatchesTest::normalisationMatchesItsTables()
{
    const test::GoldenTensors golden("tensors.safetensors");
    QVERIFY(tableOf({}, 0) == golden.values<float>("normalize_lut_mean05_std05"));

    MediaConfig clip;
    clip.mean = {0.48145466f, 0.4578275f, 0.40821073f};
    clip.standardDeviation = {0.26862954f, 0.26130258f, 0.27577711f};
    const auto wanted = golden.values<float>("normalize_lut_clip"); // (256, 3)
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const auto table = tableOf(clip, channel);
        for (std::size_t v = 0; v < 256; ++v)
            QVERIFY(std::abs(table[v] - wanted[v * 3 + channel]) <= 3e-7f);
    }
}

QTEST_GUILESS_MAIN(PatchesTest)
#include "patches_test.moc"
