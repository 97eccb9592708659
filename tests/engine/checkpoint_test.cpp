// Shards, index and headers that contradict each other or the config: loading refuses with a sentence that
// names the file and what was expected and found.
#include "engine/weights/checkpoint.h"

#include "engine/model/decoder_weights.h"
#include "engine/model/inspection.h"
#include "engine/weights/shard_index.h"
#include "tests/support/qtest_strings.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
namespace fs = std::filesystem;

class CheckpointTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void aTensorInTwoShardsIsRefused();
    void aMissingShardIsRefused();
    void anIndexBesideASingleFileIsCompared();
    void aShardThatTheIndexLacksIsNamed();
    void indexesAreRefused_data();
    void indexesAreRefused();
    void aHugeIndexIsRefused();
    void otherTypesAreNamed();
    void anotherPackedShapeIsNamed();

private:
    void copy(const char *model)
    {
        for (const auto &entry : fs::directory_iterator(std::string(TEST_DATA_DIR "/model/") + model))
            fs::copy_file(entry.path(), path(entry.path().filename().string()));
    }
    std::string folder() const { return m_folder->path().toStdString(); }
    std::string path(const std::string &name) const { return folder() + "/" + name; }
    void write(const std::string &name, const QByteArray &text) const
    {
        std::ofstream(path(name), std::ios::binary) << text.toStdString();
    }
    QByteArray read(const std::string &name) const
    {
        std::ifstream in(path(name), std::ios::binary);
        return QByteArray::fromStdString({std::istreambuf_iterator<char>(in), {}});
    }
    /// What the loader says of the folder before it uploads anything.
    std::string problem() const
    {
        const auto checkpoint = Checkpoint::open(folder());
        const auto config = readConfig(folder());
        if (!checkpoint || !config)
            return checkpoint ? config.error().message : checkpoint.error().message;
        WeightLoader loader(*checkpoint);
        DecoderWeights weights;
        bindDecoderWeights(loader, *config, weights);
        if (!loader.problems().empty())
            return loader.problems().front();
        const Status shapes = loader.checkShapes();
        return shapes ? "" : shapes.error().message;
    }
    bool inspectionSays(const std::string &what) const
    {
        const Inspection inspection = inspectModel(folder());
        for (const std::string &problem : inspection.problems) {
            if (problem.find(what) != std::string::npos)
                return true;
        }
        return false;
    }
    void says(const std::string &what) const
    {
        const std::string found = problem();
        QVERIFY2(found.find(what) != std::string::npos, found.c_str());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void CheckpointTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void CheckpointTest::aTensorInTwoShardsIsRefused()
{
    copy("tiny-moonlight");
    fs::rename(path("model.safetensors"), path("model-1.safetensors"));
    fs::copy_file(path("model-1.safetensors"), path("model-2.safetensors"));
    write("model.safetensors.index.json",
          R"({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}})");

    says("stands both in model-1.safetensors and in model-2.safetensors");
}

void CheckpointTest::aMissingShardIsRefused()
{
    copy("tiny-k25");
    QCOMPARE(problem(), "");
    fs::remove(path("model-00002-of-000002.safetensors"));

    says("the index names the shard model-00002-of-000002.safetensors, but");
    QVERIFY(inspectModel(folder()).unreadable && !inspectModel(folder()).whole);
}

void CheckpointTest::anIndexBesideASingleFileIsCompared()
{
    copy("tiny-moonlight");
    QVERIFY(inspectModel(folder()).problems.empty());
    write("model.safetensors.index.json",
          R"({"weight_map": {"model.norm.weight": "model.safetensors", "x": "model-1.safetensors"}})");

    QVERIFY(inspectionSays("places 1 tensors elsewhere, such as x in model-1.safetensors"));
    QCOMPARE(problem(), ""); // it isn't read
}

void CheckpointTest::aShardThatTheIndexLacksIsNamed()
{
    copy("tiny-k25");
    fs::copy_file(path("model-00001-of-000002.safetensors"), path("model-00003-of-000002.safetensors"));

    QVERIFY(inspectionSays(
        "model-00003-of-000002.safetensors lies in the folder, but the index names no tensor"));
    QCOMPARE(problem(), "");
}

void CheckpointTest::indexesAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const char *text, const char *sentence) {
        QTest::newRow(name) << QByteArray(text) << sentence;
    };
    row("a list", "[]", "is not a JSON object");
    row("a number", "3", "is not a JSON object");
    row("cut off", R"({"weight_map": {"a": "b")", "is not a JSON object: byte");
    row("no map", R"({"metadata": {}})", "weight_map must be an object");
    row("an empty map", R"({"weight_map": {}})", "weight_map must be an object");
    row("a list for the map", R"({"weight_map": ["a"]})", "weight_map must be an object");
    row("a way out", R"({"weight_map": {"a": "../b"}})",
        "gives tensor a no name of a file in the same folder");
    row("a number for a file", R"({"weight_map": {"a": 3}})", "gives tensor a no name of a file");
    row("a list for a file", R"({"weight_map": {"a": ["b"]}})", "gives tensor a no name of a file");
    row("a tensor twice", R"({"weight_map": {"a": "b", "a": "c"}})", "a stands there twice");
    row("the map twice", R"({"weight_map": {"a": "b"}, "weight_map": {"a": "b"}})",
        "weight_map stands there twice");
    row("no UTF-8", "{\"weight_map\": {\"a\xff\": \"b\"}}", "is not a JSON object: byte");
    QTest::newRow("deep") << QByteArray("{\"a\":").repeated(1000) << "nests deeper than 8";
}

void CheckpointTest::indexesAreRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, sentence);
    write("index.json", text);

    const auto index = readShardIndex(path("index.json"));

    QVERIFY(!index);
    QCOMPARE(index.error().code, ErrorCode::Corrupt);
    const QString message = QString::fromStdString(index.error().message);
    QVERIFY2(message.contains("index.json") && message.contains(sentence), qPrintable(message));
}

void CheckpointTest::aHugeIndexIsRefused()
{
    QByteArray text = R"({"metadata": {"total_size": 7, "other": [{"a": 1}, {"a": 1}]}, "weight_map": {)";
    for (int i = 0; i < 1'000'000; ++i)
        text += '"' + QByteArray::number(i) + "\":\"x\",";
    write("index.json", text + R"("last": "x"}})");
    write("full.json", text.chopped(1) + "}}");
    write("long.json", QByteArray(65 << 20, ' '));

    const auto many = readShardIndex(path("index.json"));
    const auto full = readShardIndex(path("full.json"));
    const auto tooLong = readShardIndex(path("long.json"));

    QVERIFY(!many && many.error().message.find("more than 1000000 tensors") != std::string::npos);
    QVERIFY2(full.has_value(), full ? "" : full.error().message.c_str());
    QCOMPARE(full->fileOf.size(), std::size_t(1'000'000));
    QCOMPARE(full->files, std::vector<std::string>{"x"});
    QCOMPARE(*full->totalSize, std::uint64_t(7));
    QVERIFY(!tooLong &&
            tooLong.error().message.find("more than the 67108864 expected at most") != std::string::npos);
}

void CheckpointTest::otherTypesAreNamed()
{
    copy("tiny-k25");
    const std::string shard = "model-00001-of-000002.safetensors";
    const QByteArray bytes = read(shard);
    const qsizetype name = bytes.indexOf(".weight_scale\"");
    QVERIFY(name > 0);
    const qsizetype type = bytes.indexOf("\"BF16\"", name);
    QVERIFY(type > 0 && type < name + 200);
    QByteArray changed = bytes;
    changed.replace(type, 6, "\"F16\" ");
    write(shard, changed);

    says(shard + ": language_model.model.layers.");
    says(".weight_scale is F16, but BF16 is expected");
}

void CheckpointTest::anotherPackedShapeIsNamed()
{
    copy("tiny-k25");
    const auto checkpoint = Checkpoint::open(folder());
    QVERIFY(checkpoint.has_value());
    const StoredTensor *shape = nullptr;
    for (const StoredTensor *tensor : checkpoint->tensors()) {
        if (tensor->name.ends_with("weight_shape"))
            shape = tensor;
    }
    QVERIFY(shape);
    const std::vector<std::int64_t> sizes = *integersOf(*shape);
    std::fstream file(shape->file->path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(shape->offset));
    file.put('\x07');
    file.close();
    const std::string sentence = checkpoint->fileOf(*shape) + ": " + shape->name + " says (7, " +
                                 std::to_string(sizes[1]) + "), but config.json makes it (" +
                                 std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ")";

    says(sentence);
    QVERIFY(inspectionSays(sentence));
}

QTEST_GUILESS_MAIN(CheckpointTest)
#include "checkpoint_test.moc"
