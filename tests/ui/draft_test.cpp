// What is written but not sent, where sending or saving fails: nothing of it is lost. The models, no window.
#include "app/turn/attachment.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QSemaphore>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

constexpr int kPatienceMs = 20000;

constexpr const char *kNoMessages = "CREATE TEMP TRIGGER no_messages BEFORE INSERT ON message"
                                    " BEGIN SELECT RAISE(ABORT, 'no message today'); END";
constexpr const char *kMessagesAgain = "DROP TRIGGER no_messages";
constexpr const char *kNoDrafts = "CREATE TEMP TRIGGER no_drafts BEFORE INSERT ON draft"
                                  " BEGIN SELECT RAISE(ABORT, 'no draft today'); END";
constexpr const char *kDraftsAgain = "DROP TRIGGER no_drafts";

/// The models of a window over a program that runs in a folder.
struct Program {
    explicit Program(const QTemporaryDir &folder)
    {
        const std::string path = folder.path().toStdString();
        application = Application::open(
            {.dataFolder = path,
             .settingsPath = path + "/settings.json",
             .post = guiPost(),
             .openEngine = scriptedOpener(std::make_shared<Script>()),
             .prepare = prepareMedia,
             .visionConfigPath = SOURCE_DIR "/packaging/demo-model/model/preprocessor_config.json",
             .log = {}});
        model = std::make_unique<WindowModel>(*application, Appearance::Scheme::Light);
        chat = model->chat();
        composer = model->composer();
    }

    void sql(const std::string &statement) const
    {
        application->store().run(
            [statement](ConversationStore &store) { (void)store.database().run(statement); });
    }
    /// Nothing of the store happens until what is returned is released.
    std::shared_ptr<QSemaphore> holdStore() const
    {
        auto gate = std::make_shared<QSemaphore>();
        application->store().run([gate](ConversationStore &) { gate->tryAcquire(1, kPatienceMs); });
        return gate;
    }
    Draft draft(ConversationId conversation) const
    {
        const auto answer = std::make_shared<std::optional<Draft>>();
        application->store().ask(
            [conversation](ConversationStore &store) { return store.draft(conversation); },
            [answer](const Result<Draft> &stored) { *answer = stored ? *stored : Draft(); });
        return QTest::qWaitFor([answer] { return answer->has_value(); }, kPatienceMs) ? **answer : Draft();
    }
    /// A conversation with an answer, in view.
    qint64 converse(const QString &text) const
    {
        chat->openNew();
        composer->setText(text);
        chat->send();
        const bool answered =
            QTest::qWaitFor([this] { return !chat->busy() && chat->transcript()->count() > 0; }, kPatienceMs);
        return answered ? chat->conversation() : -1;
    }
    void attachPicture() const
    {
        composer->addFiles({QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png")});
    }
    QString attachment(int row) const
    {
        const AttachmentModel *attachments = composer->attachments();
        return attachments->index(row).data(AttachmentModel::NameRole).toString();
    }

    std::unique_ptr<Application> application;
    std::unique_ptr<WindowModel> model;
    Chat *chat = nullptr;
    Composer *composer = nullptr;
};

} // namespace

class DraftTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void unstoredMessageComesBackBeforeWhatWasTypedSince();
    void unstoredMessageWaitsInItsConversation();
    void unstoredMessageOfANewChatWaitsForTheNext();
    void unstoredMessageIsThereOnceAfterGoingAndComingBack();
    void fullDiskKeepsItInMemory();
    void whatIsTypedWhileADraftComesIsAddedToIt();
    void whatWasTypedDuringSavingGoesWithTheConversation();
    void pastedPictureStaysWhereItWasPasted();
    void pastedPictureIsRemovedOnceItIsStored();
    void pastedPictureGoesWithItsChip();
    void pastedPicturesThatNobodyHasGo();
    void choicesAreKeptInTheDraft();
    void namesAreShownAsTheyAre();
    void pastePrefersWhatIsMeant();
    void damagedSettingsAreTold();
};

void DraftTest::unstoredMessageComesBackBeforeWhatWasTypedSince()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 here = program.converse("one");
    QSignalSpy failed(program.chat, &Chat::failed);
    program.attachPicture();
    program.composer->setText("sent");
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    program.sql(kNoMessages);
    const auto gate = program.holdStore();

    program.chat->send();
    QCOMPARE(program.composer->text(), QString());
    program.composer->setText("since");
    gate->release();

    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QCOMPARE(program.composer->text(), QString("sent\n\nsince"));
    QCOMPARE(program.composer->attachments()->count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).text, std::string("sent\n\nsince"), kPatienceMs);
    QCOMPARE(program.draft(here).media.size(), std::size_t(1));
    program.sql(kMessagesAgain);
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    QVERIFY(program.draft(here) == Draft{});
}

void DraftTest::unstoredMessageWaitsInItsConversation()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    const qint64 here = program.converse("one");
    QSignalSpy failed(program.chat, &Chat::failed);
    program.attachPicture();
    program.composer->setText("sent");
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    program.sql(kNoMessages);
    const auto gate = program.holdStore();

    program.chat->send();
    program.composer->setText("since");
    program.chat->open(other);
    program.composer->setText("elsewhere");
    gate->release();

    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).text, std::string("sent\n\nsince"), kPatienceMs);
    QCOMPARE(program.composer->text(), QString("elsewhere"));
    QCOMPARE(program.composer->attachments()->count(), 0);
    program.chat->open(here);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("sent\n\nsince"), kPatienceMs);
    QCOMPARE(program.attachment(0), QString("two_shapes.png"));
}

void DraftTest::unstoredMessageOfANewChatWaitsForTheNext()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    program.chat->openNew();
    QSignalSpy failed(program.chat, &Chat::failed);
    QCOMPARE(program.draft(0).text, std::string()); // it has come by now
    program.composer->setText("sent");
    program.sql(kNoMessages);
    const auto gate = program.holdStore();

    program.chat->send();
    program.chat->open(other);
    gate->release();

    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QCOMPARE(program.composer->text(), QString());
    program.chat->openNew();
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("sent"), kPatienceMs);
}

void DraftTest::unstoredMessageIsThereOnceAfterGoingAndComingBack()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    const qint64 here = program.converse("one");
    QSignalSpy failed(program.chat, &Chat::failed);
    program.composer->setText("sent");
    program.sql(kNoMessages);
    const auto gate = program.holdStore();

    program.chat->send();
    program.chat->open(other);
    program.chat->open(here);
    program.composer->setText("since"); // its draft is still to come
    gate->release();

    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("sent\n\nsince"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).text, std::string("sent\n\nsince"), kPatienceMs);
    QCOMPARE(program.composer->text(), QString("sent\n\nsince"));
}

void DraftTest::fullDiskKeepsItInMemory()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    const qint64 here = program.converse("one");
    QSignalSpy failed(program.chat, &Chat::failed);
    program.composer->setText("sent");
    program.sql(kNoMessages);
    program.sql(kNoDrafts);

    program.chat->send();
    program.chat->open(other);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QVERIFY(program.draft(here) == Draft{});
    program.chat->open(here);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("sent"), kPatienceMs);

    program.sql(kDraftsAgain);
    program.chat->open(other);
    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).text, std::string("sent"), kPatienceMs);
}

void DraftTest::whatIsTypedWhileADraftComesIsAddedToIt()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    const qint64 here = program.converse("one");
    program.composer->setText("stored");
    program.chat->open(other);
    const auto gate = program.holdStore();

    program.chat->open(here);
    program.composer->setText("typed");
    QTest::qWait(600); // longer than a draft waits to be saved
    gate->release();
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("stored\n\ntyped"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).text, std::string("stored\n\ntyped"), kPatienceMs);

    const auto again = program.holdStore();
    program.chat->open(other);
    program.chat->open(here);
    program.composer->setText("and left");
    program.chat->open(other);
    again->release();
    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).text, std::string("stored\n\ntyped\n\nand left"),
                              kPatienceMs);
}

void DraftTest::whatWasTypedDuringSavingGoesWithTheConversation()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.composer->setText("sent");
    const auto gate = program.holdStore();

    program.chat->send();
    program.composer->setText("since");
    gate->release();

    QTRY_VERIFY_WITH_TIMEOUT(program.chat->conversation() != 0, kPatienceMs);
    QCOMPARE(program.composer->text(), QString("since"));
    QCOMPARE(program.draft(program.chat->conversation()).text, std::string("since"));
    QVERIFY(program.draft(0) == Draft{});
}

void DraftTest::pastedPictureStaysWhereItWasPasted()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    const qint64 here = program.converse("one");
    QImage picture(64, 48, QImage::Format_RGB32);
    picture.fill(Qt::red);
    QGuiApplication::clipboard()->setImage(picture);
    program.composer->setText("look");
    QVERIFY(program.chat->canSend());

    QVERIFY(program.composer->pasteMedia());
    QVERIFY(!program.chat->canSend()); // not before it is written and read
    program.chat->open(other);

    QTRY_COMPARE_WITH_TIMEOUT(program.draft(here).media.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(program.draft(here).text, std::string("look"));
    QCOMPARE(program.composer->attachments()->count(), 0);
    program.chat->open(here);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->attachments()->count(), 1, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
}

static QStringList pastedFiles()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + "/pasted")
        .entryList(QDir::Files);
}

static QImage redPicture()
{
    QImage picture(64, 48, QImage::Format_RGB32);
    picture.fill(Qt::red);
    return picture;
}

void DraftTest::pastedPictureIsRemovedOnceItIsStored()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qsizetype before = pastedFiles().size();
    QGuiApplication::clipboard()->setImage(redPicture());
    program.composer->setText("look");
    QVERIFY(program.composer->pasteMedia());
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QCOMPARE(pastedFiles().size(), before + 1);

    program.sql(kNoMessages);
    program.chat->send();
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->attachments()->count(), 1, kPatienceMs); // put back
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QCOMPARE(pastedFiles().size(), before + 1);

    program.sql(kMessagesAgain);
    program.chat->send();
    QTRY_COMPARE_WITH_TIMEOUT(pastedFiles().size(), before, kPatienceMs);
}

void DraftTest::pastedPictureGoesWithItsChip()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qsizetype before = pastedFiles().size();
    QGuiApplication::clipboard()->setImage(redPicture());
    QVERIFY(program.composer->pasteMedia());
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QCOMPARE(pastedFiles().size(), before + 1);

    program.composer->attachments()->remove(0);

    QTRY_COMPARE_WITH_TIMEOUT(pastedFiles().size(), before, kPatienceMs);
}

void DraftTest::pastedPicturesThatNobodyHasGo()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const QDir pasted(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + "/pasted");
    QVERIFY(pasted.mkpath("."));
    const auto write = [&pasted](const char *name, int days) {
        QFile file(pasted.filePath(name));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTime().addDays(-days), QFileDevice::FileModificationTime));
    };
    write("old.png", 30);
    write("of a draft.png", 30);
    write("new.png", 1);
    const MediaPart part{
        .path = pasted.filePath("of a draft.png").toStdString(), .name = "a", .patches = nullptr};
    program.application->store().run(
        [part](ConversationStore &store) { (void)store.saveDraft(0, {"look", {part}}); });

    program.composer->tidyPasted();

    QTRY_VERIFY_WITH_TIMEOUT(!pastedFiles().contains("old.png"), kPatienceMs);
    QVERIFY(pastedFiles().contains("of a draft.png"));
    QVERIFY(pastedFiles().contains("new.png"));
    QFile::remove(pasted.filePath("of a draft.png"));
    QFile::remove(pasted.filePath("new.png"));
}

/// What the model is to see is chosen in the viewer, known to the token before, and there again later.
void DraftTest::choicesAreKeptInTheDraft()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const qint64 other = program.converse("other");
    program.chat->openNew();
    AttachmentModel *attachments = program.composer->attachments();
    program.composer->addFiles({QUrl::fromLocalFile(SOURCE_DIR "/tests/data/media/animations/moving.webp")});
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    const auto detail = [attachments] {
        return attachments->index(0).data(AttachmentModel::DetailRole).toString();
    };
    attachments->look(0);
    SeenChoices *choices = attachments->seen()->choices();
    QCOMPARE(choices->kinds()->count(), 2); // the person is told that it moves, whatever its name

    choices->frames()->choose(1);
    QVERIFY(attachments->seen()->busy());
    QVERIFY(!program.chat->canSend()); // not before it is read
    choices->details()->choose(2);
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY(!attachments->seen()->busy() && attachments->seen()->video());
    const MediaChoice chosen = attachments->parts()[0].choice;
    QCOMPARE(chosen.detail, MediaChoice::Detail::Low);
    choices->kinds()->choose(1);
    const QString costOfPicture = choices->kinds()->index(1).data(ChoiceList::CostRole).toString();
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY(!attachments->seen()->video());
    QVERIFY2(detail().endsWith(costOfPicture), qPrintable(detail()));

    attachments->seen()->hide();
    program.chat->open(other); // the draft is saved, and another is in view
    QTRY_COMPARE_WITH_TIMEOUT(attachments->count(), 0, kPatienceMs);
    QVERIFY(program.draft(0).media.at(0).choice.firstFrame);
    program.chat->openNew();
    QTRY_COMPARE_WITH_TIMEOUT(attachments->count(), 1, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY2(detail().endsWith(costOfPicture), qPrintable(detail()));
    attachments->look(0);
    choices->kinds()->choose(0); // back to the clip
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY(attachments->seen()->video());
    QVERIFY(attachments->parts()[0].choice.detail == MediaChoice::Detail::Low);
}

void DraftTest::namesAreShownAsTheyAre()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QSignalSpy refused(program.composer, &Composer::refused);
    const QString odd = folder.filePath(QString::fromUtf8("cat\u202Egnp.exe"));
    QVERIFY(QFile::copy(SOURCE_DIR "/LICENSE", odd));
    const QString picture = folder.filePath(QString::fromUtf8("a\nb\u2066.png"));
    QVERIFY(QFile::copy(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png", picture));

    program.composer->addFiles({QUrl::fromLocalFile(odd), QUrl::fromLocalFile(picture)});

    QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, kPatienceMs);
    QCOMPARE(refused[0][0].toString(),
             QString::fromUtf8("cat\ufffdgnp.exe is neither a picture nor a clip."));
    QCOMPARE(program.attachment(0), QString::fromUtf8("a\ufffdb\ufffd.png"));
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
}

void DraftTest::pastePrefersWhatIsMeant()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QSignalSpy refused(program.composer, &Composer::refused);
    const auto paste = [&](bool image, const QList<QUrl> &urls, const QString &text) {
        auto *data = new QMimeData;
        if (image)
            data->setImageData(redPicture());
        if (!urls.isEmpty())
            data->setUrls(urls);
        if (!text.isEmpty())
            data->setText(text);
        QGuiApplication::clipboard()->setMimeData(data);
        return program.composer->pasteMedia();
    };
    const QUrl address("https://example.org/cat.png");
    const QUrl file = QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png");

    QVERIFY(!paste(true, {}, "a paragraph"));              // of a web page with a picture in it
    QVERIFY(!paste(false, {address}, address.toString())); // an address that was copied as text
    QCOMPARE(program.composer->attachments()->count(), 0);
    QVERIFY(paste(true, {file}, file.toString())); // a file manager's copy: the file, not its preview
    QCOMPARE(program.attachment(0), QString("two_shapes.png"));
    QVERIFY(paste(true, {address}, address.toString())); // a browser's copied picture
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->attachments()->count(), 2, kPatienceMs);
    QVERIFY(paste(false, {address}, {}));
    QCOMPARE(refused.count(), 1);
    QCOMPARE(refused[0][0].toString(),
             QString("Only files of this computer can be attached, not https://example.org/cat.png."));
}

void DraftTest::damagedSettingsAreTold()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("settings.json").toStdString();
    QFile file(folder.filePath("settings.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{") == 1);
    file.close();
    SettingsFile settings = SettingsFile::open(path); // as main() does, which needs to know the model

    const auto application = Application::open({.dataFolder = folder.path().toStdString(),
                                                .settingsPath = path,
                                                .settings = std::move(settings),
                                                .post = guiPost(),
                                                .openEngine = scriptedOpener(std::make_shared<Script>()),
                                                .prepare = {},
                                                .visionConfigPath = {},
                                                .log = {}});

    QVERIFY(application);
    QCOMPARE(application->notices().size(), std::size_t(1));
    QVERIFY(QString::fromStdString(application->notices()[0]).contains("damaged"));
}

QTEST_MAIN(DraftTest)
#include "draft_test.moc"
