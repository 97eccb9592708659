// Files on their way into a message: what they are, what is said of them meanwhile and afterwards. The
// models, no window.
#include "tests/ui/program.h"
#include "ui/viewmodel/choice_text.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

class AttachmentsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void bytesSayWhatAFileIs();
    void whatIsNoFileIsRefused();
    void readingTellsHowFarItIs();
    void choicesAreNamed_data();
    void choicesAreNamed();
    void sentMediaShowTheirChoice();
    void animationsAreToldOnTheirChip();
};

static QUrl copied(const QTemporaryDir &folder, const char *from, const char *name)
{
    const QString place = folder.filePath(name);
    if (!QFile::copy(QStringLiteral(SOURCE_DIR "/") + from, place))
        qFatal("can't copy %s", from);
    return QUrl::fromLocalFile(place);
}

static QString detailOf(const AttachmentModel &attachments, int row)
{
    return attachments.index(row).data(AttachmentModel::DetailRole).toString();
}

/// Whatever they are called.
void AttachmentsTest::bytesSayWhatAFileIs()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    Composer *composer = program.model->composer();
    QSignalSpy refused(composer, &Composer::refused);

    composer->addFiles({copied(folder, "packaging/demo-model/samples/two_shapes.png", "notes.txt"),
                        copied(folder, "packaging/demo-model/samples/moving_circle.mp4", "still.png"),
                        copied(folder, "README.md", "photo.jpg")});

    QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, kPatienceMs);
    QCOMPARE(refused[0][0].toString(), QString("photo.jpg is neither a picture nor a clip."));
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    const std::vector<MediaPart> parts = composer->attachments()->parts();
    QCOMPARE(parts.size(), std::size_t(2));
    QCOMPARE(parts[0].kind, MediaPart::Kind::Image);
    QCOMPARE(parts[1].kind, MediaPart::Kind::Video);
}

void AttachmentsTest::whatIsNoFileIsRefused()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    Composer *composer = program.model->composer();
    AttachmentModel *attachments = composer->attachments();
    QSignalSpy refused(composer, &Composer::refused);
    const QString pipe = folder.filePath("pipe.png");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QVERIFY(QDir(folder.path()).mkdir("holiday"));

    composer->addFiles({QUrl::fromLocalFile(pipe), QUrl::fromLocalFile(folder.filePath("holiday")),
                        QUrl::fromLocalFile("/dev/zero")});

    QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 3, kPatienceMs);
    QStringList said;
    for (const QList<QVariant> &sentence : refused)
        said += sentence[0].toString();
    said.sort();
    QCOMPARE(said, QStringList({"holiday is a folder, not a picture or clip.",
                                "pipe.png is a pipe, not a file.", "zero is a device, not a file."}));
    QCOMPARE(attachments->count(), 0);

    // One that is damaged stays, and says why without the long way to it.
    const QUrl broken = copied(folder, "packaging/demo-model/samples/two_shapes.png", "broken.png");
    QVERIFY(QFile::resize(broken.toLocalFile(), 100));
    composer->addFiles({broken});
    QTRY_VERIFY_WITH_TIMEOUT(attachments->anyFailed(), kPatienceMs);
    QCOMPARE(detailOf(*attachments, 0), QString("Is cut off: the file ends before the picture does"));
}

void AttachmentsTest::readingTellsHowFarItIs()
{
    MediaProgress progress;
    std::function<void(Result<Attachment>)> then;
    std::stop_token stopped;
    AttachmentModel attachments([&](const MediaPart &, std::stop_token stop, MediaProgress tell, auto ready) {
        stopped = std::move(stop);
        progress = std::move(tell);
        then = std::move(ready);
    });
    attachments.tryFile("/somewhere/film.mp4");
    QCOMPARE(detailOf(attachments, 0), QString("Reading…"));

    progress(0.424);
    QCOMPARE(detailOf(attachments, 0), QString("Reading… 42 %"));

    then(Error{ErrorCode::Corrupt, "/somewhere/film.mp4 is damaged"});
    progress(0.5); // on its way already
    QCOMPARE(detailOf(attachments, 0), QString("Is damaged"));
    QVERIFY(!stopped.stop_requested());
    attachments.remove(0);
    QVERIFY(stopped.stop_requested());
}

void AttachmentsTest::choicesAreNamed_data()
{
    using Kind = MediaPart::Kind;
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<MediaChoice>("choice");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << Kind::Video << MediaChoice{} << "";
    QTest::newRow("less") << Kind::Image << MediaChoice{.detail = MediaChoice::Detail::Low} << "Low detail";
    QTest::newRow("first frame") << Kind::Image << MediaChoice{.firstFrame = true}
                                 << "The first frame of an animation";
    QTest::newRow("no first frame of a clip") << Kind::Video << MediaChoice{.firstFrame = true} << "";
    QTest::newRow("no part of a picture") << Kind::Image << MediaChoice{.toSeconds = 1} << "";
    QTest::newRow("from") << Kind::Video << MediaChoice{.fromSeconds = 1} << "From 1.0 s on";
    QTest::newRow("to") << Kind::Video << MediaChoice{.toSeconds = 61.5} << "Up to 61.5 s";
    QTest::newRow("thinned") << Kind::Video << MediaChoice{.maxFrames = 8}
                             << "At most 8 frames, evenly spread";
    QTest::newRow("trimmed") << Kind::Video << MediaChoice{.fit = MediaChoice::Fit::Trim, .maxFrames = 1200}
                             << "The first frames, at most 1,200";
    QTest::newRow("trimmed to what fits")
        << Kind::Video << MediaChoice{.fit = MediaChoice::Fit::Trim} << "Only its beginning";
    QTest::newRow("all") << Kind::Video
                         << MediaChoice{.detail = MediaChoice::Detail::Medium,
                                        .fromSeconds = 0.5,
                                        .toSeconds = 1.5,
                                        .maxFrames = 4}
                         << "Medium detail · 0.5 to 1.5 s · at most 4 frames, evenly spread";
}

void AttachmentsTest::choicesAreNamed()
{
    QFETCH(MediaPart::Kind, kind);
    QFETCH(MediaChoice, choice);
    QFETCH(QString, text);

    QCOMPARE(choiceText({.kind = kind, .path = {}, .name = {}, .patches = nullptr, .choice = choice}), text);
}

void AttachmentsTest::sentMediaShowTheirChoice()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    AttachmentModel *attachments = program.model->composer()->attachments();
    program.model->composer()->addFiles(
        {QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/moving_circle.mp4"),
         QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png")});
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    attachments->look(0);
    attachments->choose({.detail = MediaChoice::Detail::Low, .fromSeconds = 0.5, .toSeconds = 1.5});
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY2(detailOf(*attachments, 0).startsWith("Low detail · 0.5–1.5 of 2.0 s · "),
             qPrintable(detailOf(*attachments, 0)));

    program.ask("What happens?", "It moves.");
    QTRY_VERIFY_WITH_TIMEOUT(program.idle() && program.last(RowKind::Media), kPatienceMs);

    const auto choicesShown = [&program] {
        QStringList shown;
        for (const QVariant &medium : program.last(RowKind::Media)->media)
            shown += medium.toMap().value("choice").toString();
        return shown;
    };
    const QStringList expected{"Low detail · 0.5 to 1.5 s", ""};
    QCOMPARE(choicesShown(), expected);
    const qint64 here = program.chat->conversation();
    program.chat->openNew();
    program.chat->open(here); // from the store
    QTRY_VERIFY_WITH_TIMEOUT(program.last(RowKind::Media), kPatienceMs);
    QCOMPARE(choicesShown(), expected);
}

void AttachmentsTest::animationsAreToldOnTheirChip()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    AttachmentModel *attachments = program.model->composer()->attachments();
    program.model->composer()->addFiles(
        {QUrl::fromLocalFile(SOURCE_DIR "/tests/data/media/animations/moving.webp")});
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY2(detailOf(*attachments, 0).startsWith("Animation · "), qPrintable(detailOf(*attachments, 0)));

    attachments->look(0);
    attachments->choose({.firstFrame = true});
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY2(detailOf(*attachments, 0).startsWith("First frame · "), qPrintable(detailOf(*attachments, 0)));
}

QTEST_MAIN(AttachmentsTest)
#include "attachments_test.moc"
