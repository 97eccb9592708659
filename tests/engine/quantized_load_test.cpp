// Quantizing while a checkpoint loads: what it computes then, and the file that keeps the result.
#include "engine/session/opened_model.h"
#include "engine/session/session.h"
#include "engine/weights/quantized_file.h"
#include "engine/weights/safetensors_writer.h"
#include "tests/support/faulty_device.h"
#include "tests/support/qtest_strings.h"

#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace perilune;
namespace fs = std::filesystem;

namespace {

/// What fallocate() answers for a file of quantized weights; 0: what the system does.
std::atomic<int> g_noSpace = 0;

bool isKeptFile(int descriptor)
{
    std::error_code failed;
    const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), failed);
    return !failed && path.extension() == ".partial";
}

} // namespace

/// In place of the system's: a limit on the process would hold for the driver's files as well, which keep
/// what it computes with.
extern "C" int fallocate(int descriptor, int mode, off_t offset, off_t length)
{
    if (const int reason = g_noSpace; reason != 0 && isKeptFile(descriptor)) {
        errno = reason;
        return -1;
    }
    return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, offset, length));
}

namespace {

constexpr const char *kEverything = "experts=int4,shared=int4,dense=int8,attention=int8,head=int8";

WeightPart partOf(const std::string &name)
{
    const auto has = [&](const char *piece) { return name.find(piece) != std::string::npos; };
    if (!name.ends_with(".weight") || has("norm") || has("kv_b_proj") || has("mlp.gate.") ||
        has("embed_tokens"))
        return WeightPart::Other;
    return has(".shared_experts.") ? WeightPart::Shared
           : has(".experts.")      ? WeightPart::Experts
           : has(".mlp.")          ? WeightPart::Dense
           : has("self_attn.")     ? WeightPart::Attention
           : has("lm_head")        ? WeightPart::Head
                                   : WeightPart::Other;
}

/// The values that a quantized row stands for.
void throughQuantization(std::span<float> row, WeightFormat format)
{
    const QuantizedBytes bytes = quantizedBytes(format, row.size());
    std::vector<std::byte> data(bytes.dataOfRow), scales(bytes.scalesOfRow);
    quantizeRow(row, format, data, scales);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool four = format == WeightFormat::Int4;
        const int byte = std::to_integer<int>(data[four ? i / 2 : i]);
        const int quantum = four ? (i % 2 ? byte >> 4 : byte & 15) - 8 : std::int8_t(byte);
        std::uint32_t scale = 0;
        std::memcpy(reinterpret_cast<char *>(&scale) + 2, scales.data() + i / 32 * 2, 2);
        row[i] = float(quantum) * std::bit_cast<float>(scale);
    }
}

} // namespace

class QuantizedLoadTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void computesWithTheQuantizedValues_data();
    void computesWithTheQuantizedValues();
    void packedInt4StaysAndFp8IsTaken();
    void theSecondStartTakesWhatWasKept();
    void aChangedSourceIsQuantizedAnew();
    void aDamagedFileIsMadeAnew_data();
    void aDamagedFileIsMadeAnew();
    void aFullDiskIsToldAndLoadingGoesOn();
    void aDiskThatFillsWhileWritingIsTold();
    void aFolderThatCanNotBeWrittenIsTold();
    void aStopLeavesNoFile();
    void whatIsTooLargeForOneAllocationIsSplit_data();
    void whatIsTooLargeForOneAllocationIsSplit();

private:
    struct Loaded {
        std::vector<float> logits;
        std::vector<std::string> notes;
        bool kept = false;
        std::size_t headPieces = 0;
    };

    /// The logits after a fixed prompt; fails the test where the model can't be opened.
    Loaded load(const std::string &folder, const std::string &quantize,
                std::shared_ptr<test::Faults> faults = {}, std::uint32_t chunk = 16)
    {
        Loaded result;
        OpenOptions options{.folder = folder,
                            .device = {},
                            .cacheFolder = cache(),
                            .context = 32,
                            .chunk = chunk,
                            .quantize = *parseQuantizeOptions(quantize)};
        if (faults)
            options.openDevice = [faults](const DeviceOptions &device) {
                return test::FaultyDevice::open(device, faults);
            };
        auto opened = openModel(options, {}, {});
        if (!opened) {
            qWarning("%s", opened.error().message.c_str());
            return result;
        }
        Session session(*opened->device, *opened->decoder, nullptr,
                        opened->model->config().decoder.hiddenSize);
        Prompt prompt;
        for (std::uint32_t i = 0; i < 24; ++i)
            prompt.tokens.push_back(3 + i * 7);
        if (!session.sync(prompt, {}, {}).has_value())
            return result;
        result.logits.assign(session.logits().begin(), session.logits().end());
        result.notes = opened->model->notes();
        result.kept = opened->model->tookKept();
        result.headPieces = opened->model->decoder().lmHead.pieces.size();
        return result;
    }

    std::string cache() const { return m_folder->filePath("cache").toStdString(); }
    /// A copy of tiny-moonlight that may be changed.
    std::string copy() const
    {
        const QDir source(TEST_DATA_DIR "/model/tiny-moonlight");
        QDir(m_folder->path()).mkpath("model");
        for (const char *name : {"config.json", "model.safetensors"})
            QFile::copy(source.filePath(name), m_folder->filePath("model/" + QString(name)));
        return m_folder->filePath("model").toStdString();
    }
    std::vector<fs::path> keptFiles() const
    {
        std::vector<fs::path> files;
        std::error_code ignored;
        for (const auto &entry : fs::directory_iterator(cache(), ignored)) {
            if (entry.path().filename().string().starts_with("quantized-"))
                files.push_back(entry.path());
        }
        return files;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void QuantizedLoadTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void QuantizedLoadTest::computesWithTheQuantizedValues_data()
{
    QTest::addColumn<QString>("checkpoint");
    QTest::addColumn<QString>("quantize");
    for (const char *checkpoint : {"tiny-moonlight", "tiny-groups"}) {
        for (const char *quantize :
             {"experts=int8", "experts=int4", "attention=int8", "head=int4", "int8", kEverything})
            QTest::addRow("%s, %s", checkpoint, quantize) << checkpoint << quantize;
    }
}

// Against the same checkpoint with each quantized matrix replaced, in F32, by what it was quantized to. The
// layers of tiny-moonlight have 48 columns in down_proj, which int4 can't take: they become int8.
void QuantizedLoadTest::computesWithTheQuantizedValues()
{
    QFETCH(QString, checkpoint);
    QFETCH(QString, quantize);
    const std::string source = (TEST_DATA_DIR "/model/" + checkpoint).toStdString();
    const QuantizeOptions options = *parseQuantizeOptions(quantize.toStdString());
    const auto stored = Checkpoint::open(source);
    QVERIFY(stored.has_value());
    SafetensorsWriter writer;
    bool ragged = false;
    for (const StoredTensor *tensor : stored->tensors()) {
        std::vector<float> values = *floatsOf(*tensor);
        const WeightPart part = partOf(tensor->name);
        std::optional<WeightFormat> format = options.of(part);
        const std::size_t columns = tensor->shape.back();
        const bool narrow =
            checkpoint == "tiny-moonlight" && part == WeightPart::Experts; // the layer has one format
        if (format == WeightFormat::Int4 && (columns % 32 != 0 || narrow)) {
            format = WeightFormat::Int8;
            ragged = true;
        }
        for (std::size_t row = 0; format && row * columns < values.size(); ++row)
            throughQuantization(std::span(values).subspan(row * columns, columns), *format);
        writer.add(tensor->name, tensor->shape, std::span<const float>(values));
    }
    const std::string expanded = m_folder->filePath("expanded").toStdString();
    QVERIFY(fs::create_directory(expanded));
    fs::copy_file(source + "/config.json", expanded + "/config.json");
    QVERIFY(writer.write(expanded + "/model.safetensors").has_value());

    const Loaded reference = load(expanded, "");
    const Loaded plain = load(source, "");
    const Loaded made = load(source, quantize.toStdString());
    const Loaded kept = load(source, quantize.toStdString());

    QVERIFY(!reference.logits.empty() && reference.logits.size() == made.logits.size());
    double worst = 0, moved = 0;
    for (std::size_t i = 0; i < made.logits.size(); ++i) {
        worst = std::max(worst, double(std::abs(made.logits[i] - reference.logits[i])));
        moved = std::max(moved, double(std::abs(made.logits[i] - plain.logits[i])));
    }
    qInfo("off by %.2g from the quantized values, moved by %.2g", worst, moved);
    QVERIFY(worst <= 2e-3);
    QVERIFY2(moved > 1e-3, "nothing was quantized");
    QVERIFY(made.logits == kept.logits && kept.kept && !made.kept);
    QCOMPARE(!made.notes.empty(), ragged);
}

void QuantizedLoadTest::packedInt4StaysAndFp8IsTaken()
{
    const Loaded packed = load(TEST_DATA_DIR "/model/tiny-k25", "experts=int8");
    QCOMPARE(packed.notes.size(), std::size_t(1));
    QVERIFY2(packed.notes[0].find("stay so") != std::string::npos, packed.notes[0].c_str());
    QVERIFY(packed.logits == load(TEST_DATA_DIR "/model/tiny-k25", "").logits);
    QVERIFY(keptFiles().empty());

    const Loaded plain = load(TEST_DATA_DIR "/model/tiny-k2-fp8", "");
    const Loaded eight = load(TEST_DATA_DIR "/model/tiny-k2-fp8", "experts=int8,attention=int8");
    double squares = 0;
    for (std::size_t i = 0; i < plain.logits.size(); ++i)
        squares += std::pow(double(eight.logits[i]) - plain.logits[i], 2);
    const double rms = std::sqrt(squares / double(plain.logits.size()));
    qInfo("FP8 as int8 moves logits by %.3g (rms)", rms);
    QVERIFY(rms > 1e-4 &&
            rms < 0.3); // logits of size 4; each value is off by at most 0.4 % of its group's largest
}

void QuantizedLoadTest::theSecondStartTakesWhatWasKept()
{
    const std::string model = copy();

    const Loaded first = load(model, "int8");
    const Loaded second = load(model, "int8");
    const Loaded other = load(model, "experts=int8");

    QVERIFY(!first.logits.empty() && !first.kept && first.notes.empty());
    QVERIFY(second.kept && second.notes.empty());
    QVERIFY(second.logits == first.logits);
    QVERIFY(!other.kept && other.logits != first.logits);
    QCOMPARE(keptFiles().size(), std::size_t(2)); // and nothing unfinished
}

void QuantizedLoadTest::aChangedSourceIsQuantizedAnew()
{
    const std::string model = copy();
    const Loaded first = load(model, "int8");
    const fs::path weights = model + "/model.safetensors";
    { // the last value of the last tensor
        std::fstream file(weights, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-1, std::ios::end);
        file.put('\x3f');
    }
    fs::last_write_time(weights, fs::last_write_time(weights) + std::chrono::seconds(2));

    const Loaded changed = load(model, "int8");

    QVERIFY(!changed.kept && !changed.logits.empty());
    QCOMPARE(changed.notes.size(), std::size_t(1));
    QVERIFY2(changed.notes[0].find("have changed since") != std::string::npos, changed.notes[0].c_str());
    QCOMPARE(keptFiles().size(), std::size_t(1));
    QVERIFY(load(model, "int8").kept);

    // As large as before and with its time put back, as a careful copying program leaves it.
    const auto time = fs::last_write_time(weights);
    {
        std::fstream file(weights, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-1, std::ios::end);
        file.put('\x3e');
    }
    fs::last_write_time(weights, time);
    QVERIFY(fs::last_write_time(weights) == time);
    QVERIFY(!load(model, "int8").kept);
}

void QuantizedLoadTest::aDamagedFileIsMadeAnew_data()
{
    QTest::addColumn<int>("damage");
    QTest::newRow("a changed bit of the data") << 0;
    QTest::newRow("a changed checksum") << 1;
    QTest::newRow("cut short") << 2;
    QTest::newRow("something else") << 3;
    QTest::newRow("empty") << 4;
}

void QuantizedLoadTest::aDamagedFileIsMadeAnew()
{
    QFETCH(int, damage);
    const std::string model = copy();
    const Loaded first = load(model, "int8");
    QCOMPARE(keptFiles().size(), std::size_t(1));
    const fs::path file = keptFiles()[0];
    QFile data(QString::fromStdString(file.string()));
    QVERIFY(data.open(QIODevice::ReadWrite));
    QByteArray bytes = data.readAll();
    if (damage == 0)
        bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 4);
    else if (damage == 1)
        bytes[bytes.size() - 64 - 3] = char(bytes[bytes.size() - 64 - 3] ^ 1);
    bytes = damage == 2   ? bytes.chopped(1000)
            : damage == 3 ? QByteArray("not weights")
            : damage == 4 ? ""
                          : bytes;
    QVERIFY(data.resize(0) && data.seek(0) && data.write(bytes) == bytes.size());
    data.close();

    const Loaded second = load(model, "int8");
    const Loaded third = load(model, "int8");

    QVERIFY(second.logits == first.logits && !second.kept);
    QCOMPARE(second.notes.size(), std::size_t(1));
    QVERIFY2(second.notes[0].find(file.filename().string()) != std::string::npos &&
                 second.notes[0].find("quantized anew") != std::string::npos,
             second.notes[0].c_str());
    QVERIFY(third.kept && third.logits == first.logits && third.notes.empty());
}

// Of the kept file alone: the call that takes its disk space is the test's own.
void QuantizedLoadTest::aFullDiskIsToldAndLoadingGoesOn()
{
    const std::string model = copy();
    g_noSpace = ENOSPC;
    const Loaded loaded = load(model, "int8");
    g_noSpace = 0;

    QVERIFY(!loaded.logits.empty());
    QCOMPARE(loaded.notes.size(), std::size_t(1));
    QVERIFY2(loaded.notes[0].find("can't be kept") != std::string::npos, loaded.notes[0].c_str());
    QVERIFY(keptFiles().empty());
    QVERIFY(loaded.logits == load(model, "int8").logits);
    QCOMPARE(keptFiles().size(), std::size_t(1));
}

/// Where a file system can't say beforehand that there is no space.
void QuantizedLoadTest::aDiskThatFillsWhileWritingIsTold()
{
    const std::string path = m_folder->filePath("full.safetensors").toStdString();
    const std::vector<std::byte> bytes(1 << 20, std::byte{7});
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit little{static_cast<rlim_t>(bytes.size()), before.rlim_max};
    g_noSpace = EOPNOTSUPP;
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &little), 0);
    Status kept = Done{};
    {
        QuantizedFileWriter writer(path, "source",
                                   {
                                       {"a", StoredType::I8, {bytes.size()}}
        });
        writer.append(bytes);
        kept = writer.finish();
    }
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    g_noSpace = 0;
    QVERIFY(!kept);
    QVERIFY(kept.error().code == ErrorCode::NoSpace);
    QVERIFY2(kept.error().message.find(path) != std::string::npos, kept.error().message.c_str());
    QVERIFY(fs::is_empty(m_folder->path().toStdString()));
}

void QuantizedLoadTest::aFolderThatCanNotBeWrittenIsTold()
{
    const std::string model = copy();
    std::ofstream(cache()) << "a file where the folder should be";

    const Loaded loaded = load(model, "int8");

    QVERIFY(!loaded.logits.empty() && loaded.notes.size() == 1);
    QVERIFY2(loaded.notes[0].find("can't be kept") != std::string::npos, loaded.notes[0].c_str());
}

void QuantizedLoadTest::aStopLeavesNoFile()
{
    const std::string model = copy();
    std::stop_source stop;
    const auto progress = [&](const Progress &now) {
        if (now.stage == Progress::Stage::Loading && now.done > now.total / 4)
            stop.request_stop();
    };

    const auto opened = openModel({.folder = model,
                                   .device = {},
                                   .cacheFolder = cache(),
                                   .context = 32,
                                   .quantize = *parseQuantizeOptions("int4")},
                                  progress, stop.get_token());

    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::Cancelled);
    QVERIFY(keptFiles().empty());
}

void QuantizedLoadTest::whatIsTooLargeForOneAllocationIsSplit_data()
{
    QTest::addColumn<QString>("checkpoint");
    QTest::addColumn<QString>("quantize");
    QTest::newRow("BF16") << "tiny-moonlight" << "";
    QTest::newRow("int8") << "tiny-moonlight" << "dense=int8,head=int8";
    QTest::newRow("FP8") << "tiny-k2-fp8" << "";
}

void QuantizedLoadTest::whatIsTooLargeForOneAllocationIsSplit()
{
    QFETCH(QString, checkpoint);
    QFETCH(QString, quantize);
    const std::string folder = (TEST_DATA_DIR "/model/" + checkpoint).toStdString();
    const auto limited = std::make_shared<test::Faults>();
    limited->largestAllocation = checkpoint != "tiny-moonlight" ? 56 << 10
                                 : quantize.isEmpty()           ? 72 << 10
                                                                : 40 << 10;
    const auto tiny = std::make_shared<test::Faults>();
    tiny->largestAllocation = 8 << 10;

    const Loaded whole = load(folder, quantize.toStdString(), {}, 1);
    const Loaded split = load(folder, quantize.toStdString(), limited, 1);

    QCOMPARE(whole.headPieces, std::size_t(0));
    QVERIFY(split.headPieces >= 2);
    QVERIFY(!whole.logits.empty() && split.logits == whole.logits); // no sum crosses a row
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression("allocates at once, and can't be split"));
    QVERIFY(load(folder, quantize.toStdString(), tiny, 1).logits.empty());
}

QTEST_GUILESS_MAIN(QuantizedLoadTest)
#include "quantized_load_test.moc"
