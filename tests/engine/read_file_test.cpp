#include "engine/base/read_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace perilune;

class ReadFileTest : public QObject {
    Q_OBJECT

private slots:
    void everyByteIsRead();
    void whatIsNoFileIsRefused();
    void longestIsALimit();
    void filesWithoutSizeAreRead();

private:
    std::string at(const char *name) const { return m_folder.filePath(name).toStdString(); }
    void write(const char *name, const QByteArray &bytes) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

    QTemporaryDir m_folder;
};

void ReadFileTest::everyByteIsRead()
{
    QByteArray bytes(200'000, '\0');
    for (qsizetype i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(i * 7);
    write("bytes", bytes);
    const Result<std::string> read = readFile(at("bytes"), 200'000);
    QVERIFY(read);
    QCOMPARE(QByteArray::fromStdString(*read), bytes);
    write("empty", {});
    QCOMPARE(*readFile(at("empty"), 0), std::string());
}

void ReadFileTest::whatIsNoFileIsRefused()
{
    QCOMPARE(readFile(at("missing"), 10).error().code, ErrorCode::NotFound);
    QCOMPARE(readFile(m_folder.path().toStdString(), 10).error().code, ErrorCode::InvalidInput);
    QVERIFY(mkfifo(at("pipe").c_str(), 0600) == 0);
    const Error pipe = readFile(at("pipe"), 10).error(); // nobody writes: it must not wait
    QVERIFY2(pipe.message.ends_with("is a pipe or a device, not a file"), pipe.message.c_str());
    QCOMPARE(readFile("/dev/zero", 10).error().code, ErrorCode::InvalidInput);
    const Result<std::string> memory = readFile("/proc/self/mem", 10); // a regular file that fails to be read
    QVERIFY(!memory && memory.error().code == ErrorCode::Io);
}

void ReadFileTest::longestIsALimit()
{
    write("eleven", QByteArray(11, 'x'));
    QVERIFY(readFile(at("eleven"), 11));
    QCOMPARE(readFile(at("eleven"), 10).error().code, ErrorCode::Corrupt);
}

void ReadFileTest::filesWithoutSizeAreRead()
{
    const Result<std::string> status = readFile("/proc/self/status", 100'000);
    QVERIFY(status && status->starts_with("Name:"));
}

QTEST_GUILESS_MAIN(ReadFileTest)
#include "read_file_test.moc"
