// MoonViT and projector against what the model authors' own modules computed in f32 from the same
// random weights (tests/data/model).
#include "engine/gpu/device.h"
#include "engine/model/config.h"
#include "engine/model/vision_positions.h"
#include "engine/model/vision_tower.h"
#include "engine/weights/checkpoint.h"
#include "engine/weights/weight_loader.h"

#include <cmath>
#include <map>
#include <QTest>

using namespace perilune;

namespace {

struct Media {
    std::vector<PatchGrid> grids;
    std::vector<float> pixels;

    void add(const Media &other)
    {
        grids.insert(grids.end(), other.grids.begin(), other.grids.end());
        pixels.insert(pixels.end(), other.pixels.begin(), other.pixels.end());
    }
    VisionInput input() const { return {grids, pixels}; }
    std::uint32_t tokens() const
    {
        std::uint64_t sum = 0;
        for (const PatchGrid &grid : grids)
            sum += grid.tokens();
        return std::uint32_t(sum);
    }
};

/// A checkpoint with its vision weights on the device, and its goldens.
struct Model {
    ModelConfig config;
    VisionWeights weights;
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::shared_ptr<const SafetensorsFile> golden;
    std::unique_ptr<Checkpoint> checkpoint;
    std::unique_ptr<VisionTower> tower;

    std::vector<float> floats(const std::string &name) const
    {
        const StoredTensor *tensor = golden->find(name);
        return tensor ? *floatsOf(*tensor) : std::vector<float>();
    }
    bool has(const std::string &name) const { return golden->find(name) != nullptr; }

    Media medium(int index) const
    {
        const std::string name = "v" + std::to_string(index);
        const bool video = has(name + ".grid_thw");
        const auto size = *integersOf(*golden->find(name + (video ? ".grid_thw" : ".grid_hw")));
        const auto at = [&](std::size_t i) { return std::uint32_t(size[i]); };
        return {{video ? PatchGrid{at(0), at(1), at(2)} : PatchGrid{1, at(0), at(1)}},
                floats(name + ".pixel_values")};
    }
    int media() const
    {
        int count = 0;
        while (has("v" + std::to_string(count) + ".pixel_values"))
            ++count;
        return count;
    }
};

Result<std::unique_ptr<Model>> load(Device &device, const std::string &name)
{
    const std::string folder = TEST_DATA_DIR "/model/" + name;
    auto model = std::make_unique<Model>();
    Result<ModelConfig> config = readConfig(folder);
    if (!config)
        return config.error();
    model->config = *config;
    Result<Checkpoint> checkpoint = Checkpoint::open(folder);
    if (!checkpoint)
        return checkpoint.error();
    model->checkpoint = std::make_unique<Checkpoint>(std::move(*checkpoint));
    auto golden = SafetensorsFile::open(folder + "/golden.safetensors");
    if (!golden)
        return golden.error();
    model->golden = *golden;
    WeightLoader loader(*model->checkpoint);
    bindVisionWeights(loader, *model->config.vision, model->weights);
    if (Status loaded = loader.upload(device, model->buffers, {}, {}); !loaded)
        return loaded.error();
    model->tower = std::make_unique<VisionTower>(device, *model->config.vision, model->weights);
    return model;
}

double farthest(const std::vector<float> &a, const std::vector<float> &b)
{
    if (a.size() != b.size() || a.empty())
        return HUGE_VAL;
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::isfinite(a[i]) ? std::abs(double{a[i]} - b[i]) : HUGE_VAL);
    return worst;
}

// f32 throughout on both sides, sums in another order; features are of unit size. Using the wrong
// GELU in the projector, the smallest mistake known, gives 9e-4.
const double kTolerance = 1e-4;

} // namespace

class VisionTowerTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void matchesTheReference_data();
    void matchesTheReference();
    void packedMediaDontSeeEachOther_data();
    void packedMediaDontSeeEachOther();
    void splitsManyMediaIntoBatches();
    void worksInTheMemoryItAsksFor();
    void stops();
    void refuses_data();
    void refuses();
    void refusesTowersItCannotRun();

private:
    using Stages = std::map<std::string, std::vector<float>>; // "medium.stage"

    Result<Stages> encode(Model &model, const Media &media);
    Model &model(const QString &name);
    void compare(const Model &model, const Stages &stages, std::uint32_t place, int medium);

    std::unique_ptr<Device> m_device;
    std::map<QString, std::unique_ptr<Model>> m_models;
};

void VisionTowerTest::initTestCase()
{
    Result<std::unique_ptr<Device>> device = openDevice({});
    if (!device)
        QSKIP(device.error().message.c_str());
    m_device = std::move(*device);
    for (const char *name : {"tiny-k25", "tiny-kimi-vl"}) {
        Result<std::unique_ptr<Model>> loaded = load(*m_device, name);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        m_models[name] = std::move(*loaded);
    }
}

Model &VisionTowerTest::model(const QString &name)
{
    return *m_models.at(name);
}

Result<VisionTowerTest::Stages> VisionTowerTest::encode(Model &model, const Media &media)
{
    Stages stages;
    VisionHooks hooks;
    hooks.tap = [&](const VisionTap &tap) {
        stages[std::to_string(tap.medium) + "." + tap.stage] = tap.values;
    };
    const std::uint32_t columns = model.config.vision->textHiddenSize;
    auto buffer = m_device->allocate(std::uint64_t{media.tokens()} * columns * 4, MemoryKind::Device, "test");
    if (!buffer)
        return buffer.error();
    const Tensor out = (*buffer)->tensor(media.tokens(), columns);
    if (Status done = model.tower->encode(media.input(), out, hooks, {}); !done)
        return done.error();
    std::vector<float> all(out.elements());
    if (Status got = m_device->download(out.range(), std::as_writable_bytes(std::span(all))); !got)
        return got.error();
    stages["out"] = all;
    return stages;
}

void VisionTowerTest::compare(const Model &model, const Stages &stages, std::uint32_t place, int medium)
{
    std::vector<std::string> names{"patch_embed", "final", "merged", "projected"};
    for (std::uint32_t i = 0; i < model.config.vision->numHiddenLayers; ++i)
        names.push_back("block." + std::to_string(i));
    for (const std::string &stage : names) {
        const auto found = stages.find(std::to_string(place) + "." + stage);
        QVERIFY2(found != stages.end(), stage.c_str());
        const double error =
            farthest(found->second, model.floats("v" + std::to_string(medium) + "." + stage));
        QVERIFY2(error <= kTolerance, qPrintable(QString("%1: off by %2").arg(stage.c_str()).arg(error)));
    }
    // The two summands of patch_embed, which one kernel adds up: the rows for the places, and the rest.
    const std::string name = "v" + std::to_string(medium);
    const VisionConfig &config = *model.config.vision;
    const std::vector<float> table = *floatsOf(*model.weights.posEmb);
    const std::vector<float> places = patchPositions(
        {table, config.posEmbHeight, config.posEmbWidth, config.hiddenSize}, model.medium(medium).grids[0]);
    QVERIFY(farthest(places, model.floats(name + ".pos_emb")) <= 5e-5);
    std::vector<float> projected = stages.at(std::to_string(place) + ".patch_embed");
    QCOMPARE(projected.size(), places.size());
    for (std::size_t i = 0; i < projected.size(); ++i)
        projected[i] -= places[i];
    QVERIFY(farthest(projected, model.floats(name + ".patch_proj")) <= kTolerance);
}

void VisionTowerTest::matchesTheReference_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("medium");
    for (const auto &[name, model] : m_models) {
        for (int i = 0; i < model->media(); ++i) {
            const PatchGrid grid = model->medium(i).grids[0];
            QTest::addRow("%s v%d: %u x %u x %u", qPrintable(name), i, grid.frames, grid.rows, grid.columns)
                << name << i;
        }
    }
}

void VisionTowerTest::matchesTheReference()
{
    QFETCH(QString, name);
    QFETCH(int, medium);
    const auto stages = encode(model(name), model(name).medium(medium));
    QVERIFY2(stages, stages ? "" : stages.error().message.c_str());
    compare(model(name), *stages, 0, medium);
    QCOMPARE(stages->at("out"), stages->at("0.projected"));
}

void VisionTowerTest::packedMediaDontSeeEachOther_data()
{
    QTest::addColumn<QString>("name");
    for (const auto &[name, model] : m_models)
        QTest::newRow(qPrintable(name)) << name;
}

void VisionTowerTest::packedMediaDontSeeEachOther()
{
    QFETCH(QString, name);
    Media all;
    for (int i = 0; i < model(name).media(); ++i)
        all.add(model(name).medium(i));
    const auto stages = encode(model(name), all);
    QVERIFY2(stages, stages ? "" : stages.error().message.c_str());
    std::vector<float> projected;
    for (int i = 0; i < model(name).media(); ++i) {
        compare(model(name), *stages, std::uint32_t(i), i);
        const std::vector<float> &mine = stages->at(std::to_string(i) + ".projected");
        projected.insert(projected.end(), mine.begin(), mine.end());
    }
    QCOMPARE(stages->at("out"), projected);
}

void VisionTowerTest::splitsManyMediaIntoBatches()
{
    Model &k25 = model("tiny-k25");
    Media many;
    int copies = 0;
    for (std::uint64_t patches = 0; patches <= VisionTower::kBatchPatches; ++copies) {
        many.add(k25.medium(2));
        many.add(k25.medium(5));
        patches += many.grids[0].patches() + many.grids[1].patches();
    }
    const std::uint32_t columns = k25.config.vision->textHiddenSize;
    auto buffer = m_device->allocate(std::uint64_t{many.tokens()} * columns * 4, MemoryKind::Device, "test");
    QVERIFY(buffer);
    const Tensor out = (*buffer)->tensor(many.tokens(), columns);
    std::vector<std::uint64_t> done;
    std::uint64_t work = 0;
    VisionHooks hooks;
    hooks.progress = [&](std::uint64_t now, std::uint64_t all) {
        done.push_back(now);
        work = all;
    };
    QVERIFY(k25.tower->encode(many.input(), out, hooks, {}));
    QCOMPARE(done.size(), std::size_t{2 * k25.config.vision->numHiddenLayers}); // two batches
    QVERIFY(std::is_sorted(done.begin(), done.end()));
    QCOMPARE(done.back(), work);

    std::vector<float> all(out.elements());
    QVERIFY(m_device->download(out.range(), std::as_writable_bytes(std::span(all))));
    std::vector<float> expected;
    for (int i = 0; i < copies; ++i) {
        for (const char *name : {"v2.projected", "v5.projected"}) {
            const std::vector<float> golden = k25.floats(name);
            expected.insert(expected.end(), golden.begin(), golden.end());
        }
    }
    QVERIFY(farthest(all, expected) <= kTolerance);
}

void VisionTowerTest::worksInTheMemoryItAsksFor()
{
    Model &k25 = model("tiny-k25");
    const Media media = k25.medium(2);
    const std::uint32_t columns = k25.config.vision->textHiddenSize;
    auto buffer = m_device->allocate(std::uint64_t{media.tokens()} * columns * 4, MemoryKind::Device, "test");
    QVERIFY(buffer);
    const Tensor out = (*buffer)->tensor(media.tokens(), columns);

    const std::uint64_t before = m_device->allocated(MemoryKind::Device);
    const std::uint64_t needed = VisionTower::scratchBytes(*k25.config.vision, media.grids[0].patches());
    m_device->setBudget(before + needed, 0);
    QVERIFY(k25.tower->encode(media.input(), out, {}, {}));
    QCOMPARE(m_device->allocated(MemoryKind::Device), before);
    m_device->setBudget(before + needed - 1, 0);
    const Status failed = k25.tower->encode(media.input(), out, {}, {});
    m_device->setBudget(0, 0);
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, ErrorCode::OutOfMemory);
}

void VisionTowerTest::stops()
{
    Model &k25 = model("tiny-k25");
    const Media media = k25.medium(2);
    const std::uint32_t columns = k25.config.vision->textHiddenSize;
    auto buffer = m_device->allocate(std::uint64_t{media.tokens()} * columns * 4, MemoryKind::Device, "test");
    QVERIFY(buffer);
    std::stop_source source;
    std::size_t blocks = 0;
    VisionHooks hooks;
    hooks.progress = [&](std::uint64_t, std::uint64_t) {
        ++blocks;
        source.request_stop();
    };
    const Status stopped = k25.tower->encode(media.input(), (*buffer)->tensor(media.tokens(), columns), hooks,
                                             source.get_token());
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    QCOMPARE(blocks, std::size_t{1});
    // And the device works on.
    const auto stages = encode(k25, media);
    QVERIFY(stages);
    compare(k25, *stages, 0, 2);
}

void VisionTowerTest::refuses_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("grid");
    QTest::addColumn<int>("extraValues");
    QTest::addColumn<QString>("says");
    QTest::newRow("odd rows") << "tiny-k25" << QList<int>{1, 3, 4} << 0 << "odd side";
    QTest::newRow("odd columns") << "tiny-k25" << QList<int>{1, 4, 3} << 0 << "odd side";
    QTest::newRow("no rows") << "tiny-k25" << QList<int>{1, 0, 4} << 0 << "empty";
    QTest::newRow("no frames") << "tiny-k25" << QList<int>{0, 2, 4} << 0 << "empty";
    QTest::newRow("five frames") << "tiny-k25" << QList<int>{5, 2, 2} << 0 << "more than 4 frames";
    QTest::newRow("a clip for Kimi-VL") << "tiny-kimi-vl" << QList<int>{2, 2, 2} << 0 << "more than 1 frames";
    QTest::newRow("too wide") << "tiny-k25" << QList<int>{1, 2, 514} << 0 << "side of more than 512";
    QTest::newRow("too many") << "tiny-k25" << QList<int>{1, 256, 258} << 0 << "more than 65535 patches";
    QTest::newRow("a number too many") << "tiny-k25" << QList<int>{1, 2, 2} << 1 << "2353 numbers";
    QTest::newRow("a number missing") << "tiny-k25" << QList<int>{1, 2, 2} << -1 << "2351 numbers";
}

void VisionTowerTest::refuses()
{
    QFETCH(QString, name);
    QFETCH(QList<int>, grid);
    QFETCH(int, extraValues);
    QFETCH(QString, says);
    Media media;
    media.grids = {
        {std::uint32_t(grid[0]), std::uint32_t(grid[1]), std::uint32_t(grid[2])}
    };
    media.pixels.resize(std::size_t(std::int64_t(media.grids[0].patches() * 588) + extraValues));
    const Status refused = model(name).tower->accepts(media.input());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::InvalidInput);
    QVERIFY2(QString::fromStdString(refused.error().message).contains(says), refused.error().message.c_str());
}

void VisionTowerTest::refusesTowersItCannotRun()
{
    VisionConfig config{.hiddenSize = 1152, .numHiddenLayers = 27, .numAttentionHeads = 16};
    QVERIFY(VisionTower::supports(config));
    config.mergeWidth = 3;
    QVERIFY(!VisionTower::supports(config));
    config.mergeWidth = 2;
    config.numAttentionHeads = 64; // heads of 18
    QVERIFY(!VisionTower::supports(config));
    config.numAttentionHeads = 8; // heads of 144
    QVERIFY(!VisionTower::supports(config));
    config.numAttentionHeads = 7;
    QVERIFY(!VisionTower::supports(config));
}

QTEST_GUILESS_MAIN(VisionTowerTest)
#include "vision_tower_test.moc"
