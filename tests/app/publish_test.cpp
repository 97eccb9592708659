#include "app/publish/embedded_picture.h"
#include "app/publish/file_name.h"
#include "app/publish/publish.h"
#include "tests/support/mixed_chat.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;

namespace {

ChatToPublish mixed(int turns)
{
    ChatToPublish chat;
    chat.conversation = test::mixedConversation(turns);
    chat.tree = chat.conversation.path;
    return chat;
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList filesIn(const QString &folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

class PublishTest : public QObject {
    Q_OBJECT

private slots:
    void everyFormIsWritten_data();
    void everyFormIsWritten();
    void stopLeavesTheOldFile();
    void aFullDiskIsOneSentence();
    void aMissingFolderIsNamed();
    void markdownTakesItsMediaAlong();
    void namesAreSafe_data();
    void namesAreSafe();
    void placesAreFree();
    void jpegsAreWhole();
};

void PublishTest::everyFormIsWritten_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("markdown") << int(ExportFormat::Markdown) << QByteArray("# A mixed chat");
    QTest::newRow("html") << int(ExportFormat::Html) << QByteArray("<!DOCTYPE html>");
    QTest::newRow("pdf") << int(ExportFormat::Pdf) << QByteArray("%PDF-");
    QTest::newRow("json") << int(ExportFormat::Json) << QByteArray("{\n  \"format\"");
}

void PublishTest::everyFormIsWritten()
{
    QFETCH(int, format);
    QFETCH(QByteArray, begin);
    const QTemporaryDir folder;
    std::size_t steps = 0;
    PublishOptions options;
    options.format = static_cast<ExportFormat>(format);
    options.progress = [&steps](std::size_t done, std::size_t) { steps = std::max(steps, done); };
    const QString place = folder.filePath("chat");

    const Result<Published> published = publishChat(mixed(3), options, place.toStdString());

    QVERIFY2(published, published ? "" : published.error().message.c_str());
    QVERIFY(bytesOf(place).startsWith(begin));
    QCOMPARE(steps, mixed(3).tree.size());
    QCOMPARE(filesIn(folder.path()), QStringList{"chat"});
}

void PublishTest::stopLeavesTheOldFile()
{
    const QTemporaryDir folder;
    const QString place = folder.filePath("chat.html");
    QFile old(place);
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("old");
    old.close();
    for (const ExportFormat format :
         {ExportFormat::Markdown, ExportFormat::Html, ExportFormat::Pdf, ExportFormat::Json}) {
        std::stop_source stop;
        PublishOptions options;
        options.format = format;
        options.stop = stop.get_token();
        options.progress = [&stop](std::size_t done, std::size_t) {
            if (done == 3)
                stop.request_stop();
        };

        const Result<Published> published = publishChat(mixed(3), options, place.toStdString());

        QVERIFY(!published);
        QCOMPARE(published.error().code, ErrorCode::Cancelled);
        QCOMPARE(bytesOf(place), QByteArray("old"));
        QCOMPARE(filesIn(folder.path()), QStringList{"chat.html"});
    }
}

void PublishTest::aFullDiskIsOneSentence()
{
    for (const ExportFormat format :
         {ExportFormat::Markdown, ExportFormat::Html, ExportFormat::Pdf, ExportFormat::Json}) {
        PublishOptions options;
        options.format = format;

        const Result<Published> published = publishChat(mixed(3), options, "/dev/full");

        QVERIFY(!published);
        QCOMPARE(published.error().code, ErrorCode::NoSpace);
        QCOMPARE(published.error().message, std::string("the disk is full: /dev/full can't be written"));
    }
}

void PublishTest::aMissingFolderIsNamed()
{
    const Result<Published> published = publishChat(mixed(1), {}, "/nowhere/at/all/chat.md");

    QVERIFY(!published);
    QCOMPARE(published.error().message, std::string("there is no folder /nowhere/at/all"));
}

void PublishTest::markdownTakesItsMediaAlong()
{
    const QTemporaryDir folder;
    const QString blob = folder.filePath("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QVERIFY(QFile::copy(TEST_DATA_DIR "/demo/001_0.png", blob));
    ChatToPublish chat = mixed(1);
    MediaPart media;
    media.path = blob.toStdString();
    media.name = "../my [sky].png";
    MediaPart missing = media;
    missing.path = "/no/such/file";
    missing.name = "gone.png";
    for (std::vector<StoredMessage> *messages : {&chat.tree, &chat.conversation.path}) {
        messages->front().message.parts.emplace_back(media);
        messages->front().message.parts.emplace_back(missing);
    }
    QVERIFY(QDir(folder.path()).mkdir("out"));
    const std::string place = folder.filePath("out/chat.md").toStdString();

    const Result<Published> published = publishChat(chat, {}, place);

    QVERIFY2(published, published ? "" : published.error().message.c_str());
    QCOMPARE(published->notes, std::vector<std::string>{"the file of gone.png is missing"});
    QCOMPARE(filesIn(folder.filePath("out")), (QStringList{"chat.md", "chat_media"}));
    QCOMPARE(filesIn(folder.filePath("out/chat_media")), QStringList{"_my [sky]-ba7816bf.png"});
    QCOMPARE(bytesOf(folder.filePath("out/chat_media/_my [sky]-ba7816bf.png")), bytesOf(blob));
    QVERIFY(bytesOf(folder.filePath("out/chat.md")).contains("](chat_media/_my%20[sky]-ba7816bf.png)"));

    // Once more over it, stopped: what was there stays, and nothing is added.
    std::stop_source stop;
    stop.request_stop();
    PublishOptions stopped;
    stopped.stop = stop.get_token();
    QVERIFY(!publishChat(chat, stopped, place));
    QCOMPARE(filesIn(folder.filePath("out/chat_media")).size(), 1);
}

void PublishTest::namesAreSafe_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("Weather in Oslo") << QByteArray("Weather in Oslo");
    QTest::newRow("path") << QByteArray("../../etc/passwd") << QByteArray("_.._etc_passwd");
    QTest::newRow("hidden") << QByteArray(".bashrc") << QByteArray("bashrc");
    QTest::newRow("lines") << QByteArray("a\nb\tc") << QByteArray("a b c");
    QTest::newRow("windows") << QByteArray("a:b?c*\"<>|") << QByteArray("a_b_c_____");
    QTest::newRow("device") << QByteArray("CON.txt") << QByteArray("_CON.txt");
    QTest::newRow("empty") << QByteArray(" . ") << QByteArray("chat");
    QTest::newRow("script") << QByteArray("中文 عربي 😀") << QByteArray("中文 عربي 😀");
    QTest::newRow("no UTF-8") << QByteArray("a\xff") << QByteArray("a\xef\xbf\xbd");
}

void PublishTest::namesAreSafe()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, name);
    QCOMPARE(QByteArray::fromStdString(safeFileName(text.toStdString())), name);
    const std::string cut = safeFileName(QByteArray("中").repeated(200).toStdString());
    QVERIFY(cut.size() <= 103 &&
            QString::fromStdString(cut).count(QChar(0x4e2d)) * 3 == qsizetype(cut.size()));
}

void PublishTest::placesAreFree()
{
    const QTemporaryDir folder;
    ConversationRow row;
    row.title = "Trip";
    const std::filesystem::path there = folder.path().toStdString();
    QCOMPARE(freePlace(there, row, ExportFormat::Pdf).filename().string(), std::string("Trip.pdf"));
    QFile taken(folder.filePath("Trip.pdf"));
    QVERIFY(taken.open(QIODevice::WriteOnly));
    QCOMPARE(freePlace(there, row, ExportFormat::Pdf).filename().string(), std::string("Trip (2).pdf"));
}

void PublishTest::jpegsAreWhole()
{
    std::vector<std::uint8_t> rgb;
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 30; ++x) {
            const bool left = x < 15;
            rgb.insert(rgb.end(), {std::uint8_t(left ? 200 : 20), 30, std::uint8_t(left ? 10 : 220)});
        }
    }

    const Result<std::string> jpeg = encodeJpeg(rgb, 30, 20);

    QVERIFY(jpeg);
    const QImage image = QImage::fromData(QByteArray::fromStdString(*jpeg), "JPEG");
    QCOMPARE(image.size(), QSize(30, 20));
    QVERIFY(std::abs(qRed(image.pixel(5, 5)) - 200) < 8);
    QVERIFY(std::abs(qBlue(image.pixel(25, 15)) - 220) < 8);
}

QTEST_GUILESS_MAIN(PublishTest)
#include "publish_test.moc"
