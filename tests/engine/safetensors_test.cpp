// Every way in which a safetensors file can contradict itself is refused with a sentence that names file and
// place.
#include "engine/weights/safetensors.h"
#include "engine/weights/safetensors_writer.h"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

using namespace perilune;
namespace fs = std::filesystem;

namespace {

/// A file of a header and `data` bytes; the length is the header's where none is given.
QByteArray file(const QByteArray &header, int data, std::optional<std::uint64_t> length = {})
{
    const std::uint64_t size = length.value_or(std::uint64_t(header.size()));
    QByteArray bytes(8, 0);
    std::memcpy(bytes.data(), &size, 8);
    return bytes + header + QByteArray(data, '\1');
}

const char *kGood = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";

} // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

private slots:
    void faultsAreNamed_data();
    void faultsAreNamed();
    void goodFilesAreRead();
    void aFileThatShrinksIsNoticed();
    void longNamesAreCut();
    void emptyTensorsAndMetadataAreFine();
    void whatIsWrittenIsReadBack();
    void pipesAreRefusedAtOnce();
    void devicesAreWrittenNotReplaced();
    void halfPrecisionIsExact();

private:
    std::string write(const QByteArray &bytes)
    {
        const QString path = m_folder.filePath("x.safetensors");
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size())
            qFatal("can't write");
        return path.toStdString();
    }

    QTemporaryDir m_folder;
};

void SafetensorsTest::faultsAreNamed_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &header, int data, const char *says) {
        QTest::newRow(name) << file(header, data) << says;
    };
    QTest::newRow("empty") << QByteArray() << "8 bytes";
    QTest::newRow("seven bytes") << QByteArray(7, 0) << "there are 7";
    QTest::newRow("header beyond the end") << file(kGood, 0, 1000) << "only 54";
    QTest::newRow("header beyond the limit") << file(kGood, 8, ~0ull) << "more than the 100000000";
    row("no header", "", 0, "must start with {");
    row("not JSON", "{\"a\":", 0, "is not JSON at byte");
    row("not an object", "[1]", 0, "must start with {");
    row("space before it", " {}", 0, "must start with {");
    row("deep", QByteArray("{\"a\":").repeated(100000), 0, "unknown key");
    row("deep lists", QByteArray("{\"a\":{\"dtype\":") + QByteArray(100000, '['), 0,
        "a list is not expected");
    row("list of lists", R"({"a":{"dtype":"F32","shape":[[2]],"data_offsets":[0,8]}})", 8,
        "a list is not expected");
    row("same name twice",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
        16, "a stands there twice");
    row("same key twice", R"({"a":{"dtype":"F32","dtype":"F16","shape":[2],"data_offsets":[0,8]}})", 8,
        "dtype twice");
    row("unknown key", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1}})", 8,
        "unknown key \"x\"");
    row("no shape", R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", 8, "lacks one of");
    row("no entry", R"({"a":3})", 0, "entry a: a number");
    row("unknown type", R"({"a":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", 8,
        "unknown type \"F31\"");
    row("negative size", R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8, "negative");
    row("fraction", R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8, "fraction");
    row("one offset", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", 8, "must be two numbers");
    row("three offsets", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})", 8, "more than two");
    row("offsets reversed", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8, "bytes 8 to 0");
    row("beyond the data", kGood, 4, "the data has 4");
    row("size of another type", R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,8]}})", 8,
        "does not fit F16 (2)");
    row("size overflows", R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,8]}})",
        8, "does not fit");
    row("overlap",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
        12, "tensor b starts at byte 4");
    row("gap",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})",
        16, "tensor b starts at byte 12");
    row("gap at the start", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8,
        "tensor a starts at byte 4");
    row("bytes at the end", kGood, 9, "the last tensor ends at byte 8");
    row("metadata of numbers", R"({"__metadata__":{"a":1}})", 0, "a number is not expected");
    row("a name that is no UTF-8", "{\"a\xff\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
        "is not JSON at byte");
    row("nine dimensions", R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})", 1,
        "more than 8 dimensions");
}

void SafetensorsTest::faultsAreNamed()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const std::string path = write(bytes);

    const auto opened = SafetensorsFile::open(path);

    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::Corrupt);
    const QString message = QString::fromStdString(opened.error().message);
    QVERIFY2(message.contains("x.safetensors") && message.contains(says), qPrintable(message));
}

// Truncated, as by another program, between the opening and the reading.
void SafetensorsTest::aFileThatShrinksIsNoticed()
{
    const std::string path = write(file(kGood, 8));
    const auto opened = SafetensorsFile::open(path);
    QVERIFY(opened.has_value());
    const StoredTensor *tensor = (*opened)->find("a");
    QVERIFY(floatsOf(*tensor).has_value());
    const auto whole = static_cast<off_t>(fs::file_size(path));

    for (const off_t size : {whole - 1, whole - 8, off_t{20}, off_t{0}}) {
        QCOMPARE(truncate(path.c_str(), size), 0);
        const auto floats = floatsOf(*tensor);
        QVERIFY(!floats);
        QCOMPARE(floats.error().code, ErrorCode::Corrupt);
        const QString message = QString::fromStdString(floats.error().message);
        QVERIFY2(message.contains("x.safetensors") && message.contains("within tensor a") &&
                     message.contains(QString("had %1 bytes").arg(whole)),
                 qPrintable(message));
    }
    QVERIFY(!(*opened)->header());
}

void SafetensorsTest::longNamesAreCut()
{
    const QByteArray name(4000, 'n'), type(5000, 't');
    const auto opened = SafetensorsFile::open(write(
        file("{\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8)));

    QVERIFY(!opened);
    QVERIFY2(opened.error().message.size() < 400, opened.error().message.c_str());
    QVERIFY(opened.error().message.find("unknown type") != std::string::npos);
}

void SafetensorsTest::goodFilesAreRead()
{
    const auto opened = SafetensorsFile::open(write(file(kGood, 8)));

    QVERIFY(opened.has_value());
    const StoredTensor *tensor = (*opened)->find("a");
    QVERIFY(tensor && !(*opened)->find("b"));
    QCOMPARE(tensor->type, StoredType::F32);
    QCOMPARE(tensor->shape, std::vector<std::uint64_t>{2});
    QCOMPARE(tensor->bytes, std::uint64_t(8));
    QVERIFY(!SafetensorsFile::open("/nowhere/x.safetensors"));
    QCOMPARE(SafetensorsFile::open("/nowhere/x.safetensors").error().code, ErrorCode::NotFound);
    QVERIFY(!SafetensorsFile::open(m_folder.path().toStdString()));
}

void SafetensorsTest::emptyTensorsAndMetadataAreFine()
{
    const auto opened = SafetensorsFile::open(write(file(
        R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]},"i":{"dtype":"I64","shape":[3,0],"data_offsets":[0,0]},"s":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})",
        8)));

    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    QCOMPARE((*opened)->find("b")->elements(), 0u);
    QVERIFY(floatsOf(*(*opened)->find("b"))->empty());
    QVERIFY(integersOf(*(*opened)->find("i"))->empty());
    QCOMPARE((*opened)->find("s")->elements(), 1u);
    QVERIFY(!(*opened)->find("__metadata__"));
}

void SafetensorsTest::whatIsWrittenIsReadBack()
{
    const std::vector<float> floats{1.5f, -2.0f, 0.0f, 3.25f, 5.0f, 6.0f};
    const std::vector<std::int64_t> ids{7, -1};
    SafetensorsWriter writer;
    writer.add("hidden", {2, 3}, std::span<const float>(floats));
    writer.add("ids", {2}, std::span<const std::int64_t>(ids));
    const std::string path = m_folder.filePath("out.safetensors").toStdString();

    QVERIFY(writer.write(path).has_value());

    const auto opened = SafetensorsFile::open(path);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    QCOMPARE(*floatsOf(*(*opened)->find("hidden")), floats);
    QCOMPARE(*integersOf(*(*opened)->find("ids")), ids);
    QVERIFY(!floatsOf(*(*opened)->find("ids")));
    QVERIFY(!integersOf(*(*opened)->find("hidden")));
}

void SafetensorsTest::pipesAreRefusedAtOnce()
{
    const std::string path = m_folder.filePath("pipe").toStdString();
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);

    const auto opened = SafetensorsFile::open(path);

    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::InvalidInput);
    QCOMPARE(opened.error().message, path + " is not a file");
}

void SafetensorsTest::devicesAreWrittenNotReplaced()
{
    const std::string path = m_folder.filePath("stream").toStdString();
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    SafetensorsWriter writer;
    writer.add("x", {1}, std::span<const float>(std::array{1.0F}));

    QVERIFY(writer.write(path).has_value());

    QVERIFY(std::filesystem::is_fifo(path));
    std::uint64_t length = 0;
    QCOMPARE(::read(reader, &length, 8), 8);
    QVERIFY(length > 0);
    ::close(reader);
}

void SafetensorsTest::halfPrecisionIsExact()
{
    // 1, the smallest subnormal, the largest, minus infinity; then 1 and the largest of BF16.
    const std::uint16_t halves[] = {0x3c00, 0x0001, 0x7bff, 0xfc00};
    QByteArray bytes = file(R"({"h":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}})", 8);
    std::memcpy(bytes.data() + bytes.size() - 8, halves, 8);

    const auto opened = SafetensorsFile::open(write(bytes));

    const std::vector<float> expected{1.0f, 0x1p-24f, 65504.0f, -std::numeric_limits<float>::infinity()};
    QCOMPARE(*floatsOf(*(*opened)->find("h")), expected);
}

QTEST_GUILESS_MAIN(SafetensorsTest)
#include "safetensors_test.moc"
