// The plan against what the engine then takes, and the limits that hold it.
#include "engine/session/memory_plan.h"

#include "engine/model/inspection.h"
#include "engine/session/opened_model.h"
#include "engine/session/session.h"

#include <algorithm>
#include <QTest>

using namespace perilune;

namespace {

constexpr const char *kDemo = SOURCE_DIR "/packaging/demo-model/model";

} // namespace

class MemoryPlanTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void thePlanIsWhatIsTaken();
    void theLookAtPicturesIsPlanned();
    void aBudgetShortensTheContext();
    void whatDoesNotFitIsRefusedBeforeLoading();
    void aHostBudgetIsHeldToo();
    void theLargestContextFitsAndNoLargerOne();
    void longPromptsStayWithinTheLimits();
    void aQuantizationThatFitsIsNamed();
    void dumpsAndMediaArePlanned();
    void expertsMoveToMainMemory_data();
    void expertsMoveToMainMemory();
    void nothingMovesWithoutNeed();
    void quantizedWeightsArePlanned_data();
    void quantizedWeightsArePlanned();

private:
    MemoryPlan planFor(const MemoryWishes &wishes) const
    {
        return planMemory(*m_inspection.config, m_inspection.weights, wishes, m_device);
    }
    Result<OpenedModel> open(std::uint64_t budget, std::uint64_t hostBudget, std::uint32_t context)
    {
        m_loaded = false;
        return openModel(
            {.folder = kDemo,
             .device = {},
             .cacheFolder = {},
             .budget = budget,
             .hostBudget = hostBudget,
             .context = context,
             .quantize = {}},
            [this](const Progress &progress) { m_loaded |= progress.stage == Progress::Stage::Loading; }, {});
    }

    Inspection m_inspection;
    DeviceInfo m_device;
    bool m_loaded = false;
};

void MemoryPlanTest::initTestCase()
{
    m_inspection = inspectModel(kDemo);
    QVERIFY(m_inspection.config && m_inspection.problems.empty());
    m_device.name = "a device";
    m_device.kind = "cpu";
    m_device.memory = std::uint64_t{1} << 30;
}

void MemoryPlanTest::thePlanIsWhatIsTaken()
{
    const MemoryPlan plan = planFor({.context = 1024});

    const auto opened = open(plan.device(), plan.host, 1024);

    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    const auto isNear = [](std::uint64_t planned, std::uint64_t taken) {
        qInfo("planned %llu, taken %llu", static_cast<unsigned long long>(planned),
              static_cast<unsigned long long>(taken));
        return std::abs(double(taken) / double(planned) - 1) <= 0.05;
    };
    QVERIFY(isNear(plan.device() - plan.vision, opened->device->allocated(MemoryKind::Device)));
    QVERIFY(isNear(plan.host, opened->device->allocated(MemoryKind::Host)));
    QCOMPARE(opened->decoder->context(), 1024u);
}

// With all that the plan allows taken but for vision's share, a clip of the largest size still finds its
// room.
void MemoryPlanTest::theLookAtPicturesIsPlanned()
{
    const MemoryPlan plan = planFor({.context = 256});
    auto opened = open(plan.device(), 0, 256);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    QVERIFY(opened->tower != nullptr);
    const std::uint64_t patches = VisionTower::kBatchPatches * m_inspection.config->vision->posEmbTime;
    const std::uint64_t scratch = VisionTower::scratchBytes(*m_inspection.config->vision, patches);

    QVERIFY(plan.vision > scratch);
    QVERIFY(opened->device->allocate(scratch, MemoryKind::Device, "a clip").has_value());
    const auto tooMuch = opened->device->allocate(plan.vision * 2, MemoryKind::Device, "two clips");
    QCOMPARE(tooMuch.error().code, ErrorCode::OutOfMemory);
}

void MemoryPlanTest::aBudgetShortensTheContext()
{
    const MemoryPlan roomy = planFor({});
    const MemoryPlan least = planFor({.context = 256});
    const std::uint64_t budget = least.weights + least.vision + 2 * (least.cache + least.activations) + 4096;

    const MemoryPlan tight = planFor({.budget = budget});
    const auto opened = open(budget, 0, 0);

    QVERIFY(tight.context < roomy.context);
    QVERIFY(tight.fits());
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    QCOMPARE(opened->decoder->context(), tight.context);
    QVERIFY(opened->device->allocated(MemoryKind::Device) <= budget);
}

void MemoryPlanTest::whatDoesNotFitIsRefusedBeforeLoading()
{
    const MemoryPlan plan = planFor({.context = 1024});

    const auto opened = open(plan.device() - 1, 0, 1024);
    const auto hopeless = open(plan.weights / 2, 0, 0);

    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::OutOfMemory);
    const QString message = QString::fromStdString(opened.error().message);
    QVERIFY2(message.contains("a context of 768 tokens would fit"), qPrintable(message));
    QVERIFY(!m_loaded);
    QCOMPARE(hopeless.error().code, ErrorCode::OutOfMemory);
    QVERIFY(hopeless.error().message.find("no context would fit") != std::string::npos);
}

void MemoryPlanTest::aHostBudgetIsHeldToo()
{
    const auto opened = open(0, 4096, 256);

    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::OutOfMemory);
    QVERIFY(opened.error().message.find("main memory") != std::string::npos);
    QVERIFY(!m_loaded);
}

void MemoryPlanTest::theLargestContextFitsAndNoLargerOne()
{
    for (const std::uint64_t share : {1, 3, 7}) {
        const MemoryPlan least = planFor({.context = 256});
        const std::uint64_t budget = least.device() + share * least.cache;
        const std::uint32_t largest = planFor({.budget = budget}).largestContext;

        QVERIFY(largest >= 256);
        QVERIFY(planFor({.budget = budget, .context = largest}).fits());
        QVERIFY(largest + 256 > m_inspection.config->decoder.maxPositionEmbeddings ||
                !planFor({.budget = budget, .context = largest + 256}).fits());
    }
}

// The whole context, and one token more, under limits that leave no byte unused.
void MemoryPlanTest::longPromptsStayWithinTheLimits()
{
    const MemoryPlan plan = planFor({.context = 1024});
    auto opened = open(plan.device(), plan.host, 1024);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    Session session(*opened->device, *opened->decoder, opened->tower.get(),
                    m_inspection.config->decoder.hiddenSize);
    const auto promptOf = [](std::size_t length) {
        Prompt prompt;
        for (std::size_t i = 0; i < length; ++i)
            prompt.tokens.push_back(std::uint32_t(100 + i % 500));
        return prompt;
    };

    const auto full = session.sync(promptOf(1024), {}, {});
    const auto beyond = session.append(7, {});
    const auto longer = session.sync(promptOf(1025), {}, {});
    const auto shorter = session.sync(promptOf(1000), {}, {});

    QVERIFY2(full.has_value(), full ? "" : full.error().message.c_str());
    QCOMPARE(beyond.error().code, ErrorCode::OutOfMemory);
    QCOMPARE(longer.error().code, ErrorCode::OutOfMemory);
    QVERIFY2(longer.error().message.find("1025") != std::string::npos &&
                 longer.error().message.find("1024") != std::string::npos,
             longer.error().message.c_str());
    QVERIFY2(shorter.has_value(), shorter ? "" : shorter.error().message.c_str());
    QVERIFY(session.append(7, {}).has_value());
    QVERIFY(opened->device->allocated(MemoryKind::Device) <= plan.device());
    QVERIFY(opened->device->allocated(MemoryKind::Host) <= plan.host);
}

void MemoryPlanTest::aQuantizationThatFitsIsNamed()
{
    const std::string folder = TEST_DATA_DIR "/model/tiny-moonlight";
    const auto needs = [&](const char *quantize) {
        const Inspection inspection = inspectModel(folder, *parseQuantizeOptions(quantize));
        return planMemory(*inspection.config, inspection.weights, {.context = 256, .chunk = 8}, m_device)
            .device();
    };
    const auto refusal = [&](std::uint64_t budget, const char *quantize) {
        const auto opened = openModel({.folder = folder,
                                       .device = {},
                                       .cacheFolder = {},
                                       .budget = budget,
                                       .context = 256,
                                       .chunk = 8,
                                       .quantize = *parseQuantizeOptions(quantize)},
                                      {}, {});
        return opened ? QString() : QString::fromStdString(opened.error().message);
    };
    QVERIFY(needs("int4") < needs("int8") && needs("int8") < needs(""));

    const QString eight = refusal(needs("int8"), ""), four = refusal(needs("int8") - 1, "");
    const QString none = refusal(needs("int4") - 1, ""), chosen = refusal(needs("int8") - 1, "int8");

    const QString size = QString::number(double(needs("int8")) / (1 << 20), 'f', 1);
    QVERIFY2(eight.contains("quantized while loading (--quantize int8) it would need " + size + " MiB"),
             qPrintable(eight));
    QVERIFY2(four.contains("--quantize int4"), qPrintable(four));
    QVERIFY2(!none.isEmpty() && !none.contains("--quantize"), qPrintable(none));
    QVERIFY2(!chosen.isEmpty() && !chosen.contains("--quantize"), qPrintable(chosen));
}

void MemoryPlanTest::dumpsAndMediaArePlanned()
{
    const MemoryPlan plan = planFor({.context = 256});
    const MemoryPlan dump = planFor({.context = 256, .allLogits = true});
    const MemoryPlan media = planFor({.context = 256, .mediaTokens = 1'000'000});
    const std::uint64_t hidden = m_inspection.config->decoder.hiddenSize;
    const std::uint64_t usual = VisionTower::kBatchPatches * m_inspection.config->vision->posEmbTime / 4;

    QCOMPARE(dump.device() - plan.device(),
             std::uint64_t(32) * m_inspection.config->decoder.vocabSize * sizeof(float));
    QCOMPARE(media.vision - plan.vision, (1'000'000 - usual) * hidden * sizeof(float));
}

void MemoryPlanTest::expertsMoveToMainMemory_data()
{
    QTest::addColumn<QString>("quantize");
    QTest::addColumn<int>("moved");
    for (const int moved : {0, 1, 3})
        QTest::addRow("as stored, %d", moved) << "" << moved;
    QTest::newRow("int8, 2") << "int8" << 2;
}

// Where a budget leaves no room for them, the experts of the last layers go where the device reads them all
// the same: within both limits, with the very logits.
void MemoryPlanTest::expertsMoveToMainMemory()
{
    QFETCH(QString, quantize);
    QFETCH(int, moved);
    const std::string folder = TEST_DATA_DIR "/model/tiny-moonlight"; // three layers of experts
    const Inspection inspection = inspectModel(folder, *parseQuantizeOptions(quantize.toStdString()));
    QCOMPARE(inspection.weights.movable.size(), 3u);
    MemoryWishes wishes{.context = 64, .chunk = 8};
    const MemoryPlan whole = planMemory(*inspection.config, inspection.weights, wishes, m_device);
    std::uint64_t bytes = 0;
    for (int i = 0; i < moved; ++i)
        bytes += inspection.weights.movable[std::size_t(i)];
    const auto opened = [&](std::uint64_t budget, std::uint64_t hostBudget) {
        return openModel({.folder = folder,
                          .device = {},
                          .cacheFolder = {},
                          .budget = budget,
                          .hostBudget = hostBudget,
                          .context = 64,
                          .chunk = 8,
                          .quantize = *parseQuantizeOptions(quantize.toStdString())},
                         {}, {});
    };
    const auto logitsOf = [](OpenedModel &model) {
        Session session(*model.device, *model.decoder, nullptr, model.model->config().decoder.hiddenSize);
        Prompt prompt;
        for (std::uint32_t i = 0; i < 20; ++i)
            prompt.tokens.push_back(3 + i * 7);
        const bool done = session.sync(prompt, {}, {}).has_value();
        return done ? std::vector<float>(session.logits().begin(), session.logits().end())
                    : std::vector<float>();
    };

    auto all = opened(0, 0);
    auto some = opened(whole.device() - bytes, whole.host + bytes);
    const auto tooFew = opened(whole.device() - bytes - 1, whole.host + bytes);

    QVERIFY2(all && some, some ? "" : some.error().message.c_str());
    QCOMPARE(all->plan.groupsOnHost, 0u);
    QCOMPARE(some->plan.groupsOnHost, std::size_t(moved));
    QCOMPARE(some->plan.hostWeights, bytes);
    QCOMPARE(some->plan.device() + some->plan.hostWeights, whole.device());
    QVERIFY(some->device->allocated(MemoryKind::Device) <= whole.device() - bytes);
    QVERIFY(some->device->allocated(MemoryKind::Host) <= whole.host + bytes);
    QVERIFY(some->device->allocated(MemoryKind::Host) >= bytes);
    const bool told = std::ranges::any_of(some->model->notes(), [](const std::string &note) {
        return note.find("lie in main memory") != std::string::npos;
    });
    QCOMPARE(told, moved > 0);
    const std::vector<float> expected = logitsOf(*all);
    QVERIFY(!expected.empty());
    QCOMPARE(logitsOf(*some), expected);
    QCOMPARE(tooFew.error().code, ErrorCode::OutOfMemory);
}

void MemoryPlanTest::nothingMovesWithoutNeed()
{
    const Inspection inspection = inspectModel(TEST_DATA_DIR "/model/tiny-moonlight");
    const auto plan = [&](const char *kind, const MemoryWishes &wishes) {
        DeviceInfo device = m_device;
        device.kind = kind;
        return planMemory(*inspection.config, inspection.weights, wishes, device);
    };
    const MemoryPlan whole = plan("discrete", {.context = 64, .chunk = 8});
    const MemoryWishes tight{.budget = whole.device() - 1, .context = 64, .chunk = 8};

    QCOMPARE(whole.groupsOnHost, 0u);
    QCOMPARE(plan("discrete", tight).groupsOnHost, 1u);
    QVERIFY(plan("discrete", tight).fits());
    for (const char *kind :
         {"cpu", "integrated"}) { // of one memory with the computer: nothing would be gained
        QCOMPARE(plan(kind, tight).groupsOnHost, 0u);
        QVERIFY(!plan(kind, tight).fits());
    }
    // A host budget doesn't make more memory of the one that device and computer share.
    WeightBytes huge = inspection.weights;
    const std::uint64_t terabyte = std::uint64_t{1} << 40;
    huge.device += huge.movable.size() * terabyte;
    for (std::uint64_t &bytes : huge.movable)
        bytes += terabyte;
    const MemoryPlan shared = planMemory(*inspection.config, huge,
                                         {.hostBudget = 100 * terabyte, .context = 64, .chunk = 8}, m_device);
    QVERIFY(!shared.fits());
    QVERIFY(shared.refusal("a device").find("main memory has no room") != std::string::npos);

    MemoryWishes hostless = tight;
    hostless.hostBudget = whole.host;
    QVERIFY(!plan("discrete", hostless).fits());
}

void MemoryPlanTest::quantizedWeightsArePlanned_data()
{
    QTest::addColumn<QString>("quantize");
    for (const char *quantize : {"", "int8", "int4", "shared=int4,attention=int8"})
        QTest::newRow(*quantize ? quantize : "as stored") << quantize;
}

void MemoryPlanTest::quantizedWeightsArePlanned()
{
    QFETCH(QString, quantize);
    const std::string folder = TEST_DATA_DIR "/model/tiny-moonlight";
    const QuantizeOptions options = *parseQuantizeOptions(quantize.toStdString());
    const Inspection inspection = inspectModel(folder, options);
    const Inspection plain = inspectModel(folder);

    const auto opened = openModel(
        {.folder = folder, .device = {}, .cacheFolder = {}, .context = 64, .chunk = 8, .quantize = options},
        {}, {});

    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    QCOMPARE(inspection.weights.device < plain.weights.device, options.any());
    QCOMPARE(opened->plan.weights, inspection.weights.device);
    const std::uint64_t planned = opened->plan.device() - opened->plan.vision;
    const std::uint64_t taken = opened->device->allocated(MemoryKind::Device);
    qInfo("planned %llu, taken %llu", static_cast<unsigned long long>(planned),
          static_cast<unsigned long long>(taken));
    QVERIFY(taken <= planned && double(taken) >= 0.95 * double(planned));
}

QTEST_GUILESS_MAIN(MemoryPlanTest)
#include "memory_plan_test.moc"
