// The real window over a scripted engine, driven by keys, drops and the clipboard as a person would.
#include "app/turn/attachment.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/transcript_scroller.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QClipboard>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QInputMethodEvent>
#include <QMimeData>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSemaphore>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <memory>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;
using namespace std::chrono_literals;

namespace {

constexpr int kPatienceMs = 20000;

QQuickItem *listIn(QQuickItem *item)
{
    if (item->property("following").isValid())
        return item;
    for (QQuickItem *child : item->childItems()) {
        if (QQuickItem *found = listIn(child))
            return found;
    }
    return nullptr;
}

/// A program that runs in a folder.
struct Program {
    explicit Program(const QTemporaryDir &folder, std::shared_ptr<Script> script = std::make_shared<Script>())
        : script(std::move(script))
    {
        const std::string path = folder.path().toStdString();
        this->script->capabilities.visionConfigPath =
            SOURCE_DIR "/packaging/demo-model/model/preprocessor_config.json";
        application = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = guiPost(),
                                         .openEngine = scriptedOpener(this->script),
                                         .prepare = prepareMedia,
                                         .visionConfigPath = this->script->capabilities.visionConfigPath,
                                         .log = {}});
        window = std::make_unique<Window>(*application, WindowOptions{.theme = Settings::Theme::Light});
        view = window->quickWindow();
        chat = window->model().chat();
        composer = window->model().composer();
    }

    void type(const QString &text) const
    {
        for (const QChar letter : text)
            QTest::keyClick(view, letter.toLatin1());
    }
    void ask(const QString &text) const
    {
        composer->setText(text);
        chat->send();
    }
    /// Runs a statement on the database below.
    void sql(const std::string &statement) const
    {
        application->store().run(
            [statement](ConversationStore &store) { (void)store.database().run(statement); });
    }
    bool idle() const { return !chat->busy() && chat->transcript()->count() > 0; }
    int rowsOf(RowKind::Value kind) const
    {
        int found = 0;
        for (int row = 0; row < chat->transcript()->count(); ++row)
            found += chat->transcript()->row(row).kind == kind ? 1 : 0;
        return found;
    }
    /// The list of messages.
    QQuickItem *list() const { return listIn(view->contentItem()); }

    std::shared_ptr<Script> script;
    std::unique_ptr<Application> application;
    std::unique_ptr<Window> window;
    QQuickWindow *view = nullptr;
    Chat *chat = nullptr;
    Composer *composer = nullptr;
};

std::string textOf(const ChatRequest &request)
{
    return ui::copyText(request.messages.back()).toStdString();
}

QElapsedTimer startedTimer()
{
    QElapsedTimer timer;
    timer.start();
    return timer;
}

std::string manyParagraphs(int count)
{
    std::string text;
    for (int at = 0; at < count; ++at)
        text += "Paragraph " + std::to_string(at) + " of a long answer that fills the view.\n\n";
    return text;
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void enterSendsAndTheAnswerAppears();
    void notesOnTheModelAreShown();
    void shiftEnterBeginsALine();
    void anInputMethodsEnterNeverSends();
    void escapeStopsAndKeepsWhatIsThere();
    void viewStaysWhereSomeoneReads();
    void scrollingAwayWinsOverGoingToTheEnd();
    void droppedFilesAreAttached();
    void pastedPicturesAreAttached();
    void whatIsNoPictureIsRefused();
    void pictureTravelsWithTheQuestion();
    void answerAgainMakesABranch();
    void everythingIsThereAfterARestart();
    void draftsBelongToTheirConversation();
    void whoTypesSteadilyHasADraft();
    void nothingIsSentBeforeItsConversationIsShown();
    void failedBranchLeavesTheChatAsItIs();
    void removedConversationComesBack();
    void failedAnswerSaysWhyAndCanBeRetried();
    void nothingIsEverFetched();
};

void WindowTest::enterSendsAndTheAnswerAppears()
{
    const QTemporaryDir folder;
    Program program(folder);
    program.script->say("Hello **there**.");
    QVERIFY(QTest::qWaitForWindowExposed(program.view));

    program.type("hi");
    QCOMPARE(program.composer->text(), QString("hi"));
    QTest::keyClick(program.view, Qt::Key_Return);

    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QCOMPARE(program.composer->text(), QString());
    QCOMPARE(textOf(program.script->requests().at(0)), std::string("hi"));
    QCOMPARE(program.chat->transcript()->count(), 4);
    QCOMPARE(program.chat->transcript()->row(0).text, QString("hi"));
    QCOMPARE(program.chat->transcript()->row(2).text, QString("<p>Hello <b>there</b>.</p>"));
}

void WindowTest::notesOnTheModelAreShown()
{
    const QTemporaryDir folder;
    auto script = std::make_shared<Script>();
    script->capabilities.notes = {"Its <b>template</b> is not known."};
    const Program program(folder, script);
    auto *note = program.view->findChild<QQuickItem *>("engineNote");
    QVERIFY(note && !note->isVisible());

    program.window->model().engine()->load();

    QTRY_VERIFY_WITH_TIMEOUT(note->isVisible(), kPatienceMs);
    QCOMPARE(note->property("text").toString(), QString("Its <b>template</b> is not known."));
}

void WindowTest::shiftEnterBeginsALine()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));

    program.type("a");
    QTest::keyClick(program.view, Qt::Key_Return, Qt::ShiftModifier);
    program.type("b");

    QCOMPARE(program.composer->text(), QString("a\nb"));
    QVERIFY(program.chat->empty());
}

void WindowTest::anInputMethodsEnterNeverSends()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    program.type("a");

    QInputMethodEvent composing(QStringLiteral("ni hao"), {});
    QGuiApplication::sendEvent(program.view->activeFocusItem(), &composing);
    QVERIFY(program.view->activeFocusItem()->property("inputMethodComposing").toBool());
    QTest::keyClick(program.view, Qt::Key_Return);
    QInputMethodEvent committed;
    committed.setCommitString(QString::fromUtf8("你好"));
    QGuiApplication::sendEvent(program.view->activeFocusItem(), &committed);

    QTest::qWait(100);
    QVERIFY(program.chat->empty());
    QCOMPARE(program.script->requests().size(), std::size_t(0));
    QVERIFY(program.composer->text().contains(QString::fromUtf8("你好")));
}

void WindowTest::escapeStopsAndKeepsWhatIsThere()
{
    const QTemporaryDir folder;
    Program program(folder);
    program.script->say(manyParagraphs(500), 5ms);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));

    program.type("go");
    QTest::keyClick(program.view, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(program.rowsOf(RowKind::Markdown) >= 3, kPatienceMs);
    QVERIFY(program.chat->busy());
    QTest::keyClick(program.view, Qt::Key_Escape);

    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QVERIFY(program.rowsOf(RowKind::Markdown) >= 3);
    QCOMPARE(program.rowsOf(RowKind::Notice), 1);
    program.type("next");
    QTest::keyClick(program.view, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(program.script->requests().size(), std::size_t(2), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
}

void WindowTest::viewStaysWhereSomeoneReads()
{
    const QTemporaryDir folder;
    Program program(folder);
    program.script->say(manyParagraphs(400), 1ms);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    QQuickItem *list = program.list();
    QVERIFY(list);

    program.type("go");
    QTest::keyClick(program.view, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(program.rowsOf(RowKind::Markdown) >= 40, kPatienceMs);
    QTRY_VERIFY(list->property("nearEnd").toBool()); // it follows
    list->forceActiveFocus();
    QTest::keyClick(program.view, Qt::Key_PageUp);
    QTest::keyClick(program.view, Qt::Key_PageUp);
    const double reading = list->property("contentY").toDouble();
    const int rows = program.chat->transcript()->count();
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->transcript()->count() > rows + 30, kPatienceMs);

    QVERIFY(!list->property("following").toBool());
    QVERIFY(std::abs(list->property("contentY").toDouble() - reading) < 1); // whole pixels may be made of it
    QTest::keyClick(program.view, Qt::Key_End);
    QVERIFY(list->property("following").toBool());
    program.chat->stop();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QTRY_VERIFY(list->property("nearEnd").toBool());
}

void WindowTest::scrollingAwayWinsOverGoingToTheEnd()
{
    const QTemporaryDir folder;
    Program program(folder);
    program.script->say(manyParagraphs(60));
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    program.ask("go");
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QQuickItem *list = program.list();
    QTRY_VERIFY(list->property("nearEnd").toBool());
    auto *scroller = program.view->findChild<TranscriptScroller *>();
    QVERIFY(scroller);

    scroller->goToEnd(); // with the next frame, as when text came
    scroller->handleKey(Qt::Key_PageUp);
    const double reading = list->property("contentY").toDouble();
    QTest::qWait(200);

    QVERIFY(!list->property("following").toBool());
    QVERIFY(std::abs(list->property("contentY").toDouble() - reading) < 1);
}

void WindowTest::droppedFilesAreAttached()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png"),
                   QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/moving_circle.mp4")});

    QDragEnterEvent enter({40, 40}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QGuiApplication::sendEvent(program.view, &enter);
    QDragMoveEvent move({50, 50}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QGuiApplication::sendEvent(program.view, &move);
    QDropEvent drop({50, 50}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QGuiApplication::sendEvent(program.view, &drop);

    AttachmentModel *attachments = program.composer->attachments();
    QCOMPARE(attachments->count(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(!attachments->reading(), kPatienceMs);
    QVERIFY2(!attachments->anyFailed(),
             qPrintable(attachments->index(0).data(AttachmentModel::DetailRole).toString()));
    QCOMPARE(attachments->index(0).data(AttachmentModel::NameRole).toString(), QString("two_shapes.png"));
    QVERIFY(attachments->index(0).data(AttachmentModel::DetailRole).toString().startsWith("448 × 448 · "));
    QVERIFY(!attachments->index(0).data(AttachmentModel::ThumbnailRole).value<QImage>().isNull());
    QVERIFY(attachments->index(1).data(AttachmentModel::VideoRole).toBool());
    attachments->look(1);
    QVERIFY(attachments->seen()->shown() && attachments->seen()->video());
}

void WindowTest::pastedPicturesAreAttached()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    QImage picture(64, 48, QImage::Format_RGB32);
    picture.fill(Qt::red);

    QGuiApplication::clipboard()->setImage(picture);
    QTest::keyClick(program.view, Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->attachments()->count(), 1, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!program.composer->attachments()->reading(), kPatienceMs);
    QVERIFY(!program.composer->attachments()->anyFailed());

    QGuiApplication::clipboard()->setText("words");
    QTest::keyClick(program.view, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(program.composer->text(), QString("words"));
    QCOMPARE(program.composer->attachments()->count(), 1);
}

void WindowTest::whatIsNoPictureIsRefused()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QSignalSpy refused(program.composer, &Composer::refused);

    program.composer->addFiles(
        {QUrl::fromLocalFile(SOURCE_DIR "/LICENSE"), QUrl("https://example.org/cat.png")});

    QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 2, kPatienceMs);
    QCOMPARE(refused[1][0].toString(), QString("LICENSE is neither a picture nor a clip."));
    QCOMPARE(program.composer->attachments()->count(), 0);
}

void WindowTest::pictureTravelsWithTheQuestion()
{
    const QTemporaryDir folder;
    Program program(folder);
    program.script->say("Two shapes.");

    program.composer->trySample("two_shapes.png", "Describe the image.");
    QVERIFY(!program.chat->canSend()); // not before it is read
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);

    const Message sent = program.script->requests().at(0).messages.back();
    QCOMPARE(sent.parts.size(), std::size_t(2));
    QVERIFY(std::holds_alternative<MediaPart>(sent.parts[0]));
    QVERIFY(QFile::exists(QString::fromStdString(std::get<MediaPart>(sent.parts[0]).path)));
    QCOMPARE(program.chat->transcript()->row(0).kind, RowKind::Media);
    QCOMPARE(program.composer->attachments()->count(), 0);
}

void WindowTest::answerAgainMakesABranch()
{
    const QTemporaryDir folder;
    Program program(folder);
    program.script->say("first");
    program.script->say("second");
    program.composer->setText("?");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);

    program.chat->answerAgain(program.chat->transcript()->row(2).message);
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->transcript()->row(2).text, QString("<p>second</p>"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QCOMPARE(program.chat->transcript()->count(), 4);
    QCOMPARE(program.chat->transcript()->row(3).branches, 2);
    QCOMPARE(program.chat->transcript()->row(3).branch, 1);

    program.chat->showBranch(program.chat->transcript()->row(2).message, -1);
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->transcript()->row(2).text, QString("<p>first</p>"), kPatienceMs);
}

void WindowTest::everythingIsThereAfterARestart()
{
    const QTemporaryDir folder;
    std::vector<TranscriptRow> before;
    {
        Program program(folder);
        program.script->say("# Answer\n\n- a\n- b\n\n```py\nx\n```");
        program.composer->setText("What is it?");
        program.chat->send();
        QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
        for (int row = 0; row < program.chat->transcript()->count(); ++row)
            before.push_back(program.chat->transcript()->row(row));
        program.composer->setText("and then");
        QTest::qWait(700); // saved as it is typed, not at the end
        const auto drafts = std::make_shared<std::string>();
        program.application->store().ask(
            [id = program.chat->conversation()](ConversationStore &store) { return store.draft(id); },
            [drafts](const Result<Draft> &draft) { *drafts = draft->text; });
        QTRY_COMPARE_WITH_TIMEOUT(*drafts, std::string("and then"), kPatienceMs);
    }

    const Program program(folder);
    ConversationListModel *list = program.window->model().conversations();
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 1, kPatienceMs);
    QCOMPARE(list->index(0).data(ConversationListModel::TitleRole).toString(), QString("What is it?"));
    program.chat->open(list->index(0).data(ConversationListModel::IdRole).toLongLong());
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->transcript()->count(), static_cast<int>(before.size()),
                              kPatienceMs);

    for (std::size_t row = 0; row < before.size(); ++row)
        QVERIFY(program.chat->transcript()->row(static_cast<int>(row)) == before[row]);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("and then"), kPatienceMs);
    QCOMPARE(program.chat->title(), QString("What is it?"));
}

void WindowTest::draftsBelongToTheirConversation()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.composer->setText("one");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    const qint64 first = program.chat->conversation();

    program.composer->setText("draft of one");
    program.chat->openNew();
    QTest::qWait(50);
    QCOMPARE(program.composer->text(), QString());
    program.composer->setText("draft of the new chat");
    program.chat->open(first);

    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("draft of one"), kPatienceMs);
    program.chat->openNew();
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("draft of the new chat"), kPatienceMs);
}

void WindowTest::whoTypesSteadilyHasADraft()
{
    const QTemporaryDir folder;
    const Program program(folder);
    const auto draft = std::make_shared<std::string>();

    for (QElapsedTimer typing = startedTimer(); typing.elapsed() < 1500; QTest::qWait(50)) {
        program.composer->setText(program.composer->text() + "a");
        program.application->store().ask([](ConversationStore &store) { return store.draft(0); },
                                         [draft](const Result<Draft> &stored) { *draft = stored->text; });
    }

    QVERIFY(!draft->empty());
}

void WindowTest::nothingIsSentBeforeItsConversationIsShown()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.ask("one");
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    const qint64 first = program.chat->conversation();
    const qint64 answer = program.chat->transcript()->row(1).message;
    program.chat->openNew();
    program.ask("two");
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    const qint64 otherAnswer = program.chat->transcript()->row(1).message;

    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    const auto gate = std::make_shared<QSemaphore>();
    program.application->store().run([gate](ConversationStore &) { gate->tryAcquire(1, kPatienceMs); });
    program.chat->open(first);
    program.composer->setText("three");
    QVERIFY(!program.chat->canSend());
    QTest::keyClick(program.view, Qt::Key_Return);
    program.chat->answerAgain(otherAnswer);
    program.chat->answerAgain(answer);
    QVERIFY(!program.chat->busy());
    QCOMPARE(program.composer->text(), QString("three"));

    QSignalSpy canSend(program.chat, &Chat::canSendChanged);
    gate->release();
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
    QVERIFY(!canSend.isEmpty());
    QTest::keyClick(program.view, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(program.script->requests().size(), std::size_t(3), kPatienceMs);
    const std::vector<Message> asked = program.script->requests().at(2).messages;
    QCOMPARE(asked.size(), std::size_t(3));
    QCOMPARE(ui::copyText(asked.at(0)), QString("one"));
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
}

void WindowTest::failedBranchLeavesTheChatAsItIs()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QSignalSpy failed(program.chat, &Chat::failed);
    program.ask("one");
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    program.composer->setText("more");
    program.sql("ALTER TABLE message RENAME TO elsewhere");

    program.chat->showBranch(program.chat->transcript()->row(1).message, -1);
    QVERIFY(!program.chat->canSend());
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
    QVERIFY(program.chat->canSend()); // what is in view is still right

    const qint64 here = program.chat->conversation();
    program.chat->openNew();
    program.chat->open(here);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.composer->text(), QString("more"), kPatienceMs);
    QVERIFY(!program.chat->canSend());

    program.sql("ALTER TABLE elsewhere RENAME TO message");
    program.chat->open(here);
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->canSend(), kPatienceMs);
}

void WindowTest::removedConversationComesBack()
{
    const QTemporaryDir folder;
    const Program program(folder);
    ConversationListModel *list = program.window->model().conversations();
    program.composer->setText("keep me");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle() && list->count() == 1, kPatienceMs);

    list->remove(program.chat->conversation());
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 0, kPatienceMs);
    QVERIFY(program.chat->empty());
    list->undoRemove();

    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 1, kPatienceMs);
}

void WindowTest::failedAnswerSaysWhyAndCanBeRetried()
{
    const QTemporaryDir folder;
    Program program(folder);
    ScriptedReply broken;
    broken.events.emplace_back(TextDelta{"Half"});
    broken.error = Error{ErrorCode::DeviceLost, "the device went away"};
    program.script->say(broken);
    program.script->say("Whole.");

    program.composer->setText("?");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QCOMPARE(program.rowsOf(RowKind::Failure), 1);
    QVERIFY(program.chat->transcript()->row(3).text.contains("he device went away"));
    program.chat->answerAgain(program.chat->transcript()->row(3).message);

    QTRY_COMPARE_WITH_TIMEOUT(program.chat->transcript()->row(2).text, QString("<p>Whole.</p>"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.rowsOf(RowKind::Failure), 0, kPatienceMs);
}

void WindowTest::nothingIsEverFetched()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QSignalSpy asked(&server, &QTcpServer::newConnection);
    QQmlComponent component(qmlEngine(program.view));
    component.setData(QStringLiteral("import QtQuick\nImage { source: \"http://127.0.0.1:%1/a.png\" }")
                          .arg(server.serverPort())
                          .toUtf8(),
                      {});

    const std::unique_ptr<QObject> image(component.create());

    QVERIFY(image);
    QTRY_COMPARE_WITH_TIMEOUT(image->property("status").toInt(), 3, kPatienceMs); // Image.Error
    QCOMPARE(asked.count(), 0);
}

QTEST_MAIN(WindowTest)
#include "window_test.moc"
