// Branches in the window's chat: editing, copying, deleting and bringing back, and jumping to what was found.
#include "app/turn/attachment.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QGuiApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

constexpr int kPatienceMs = 20000;

/// The models of a window in a folder, without what they are drawn with.
struct Program {
    explicit Program(const QTemporaryDir &folder) : script(std::make_shared<Script>())
    {
        const std::string path = folder.path().toStdString();
        application = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = guiPost(),
                                         .openEngine = scriptedOpener(script),
                                         .prepare = prepareMedia,
                                         .visionConfigPath = {},
                                         .log = {}});
        model = std::make_unique<WindowModel>(*application, Appearance::Scheme::Light);
        chat = model->chat();
    }

    /// Sends `question`; the engine will say `answer`.
    void ask(const QString &question, const std::string &answer) const
    {
        script->say(answer);
        model->composer()->setText(question);
        chat->send();
    }
    bool idle() const { return !chat->busy() && chat->canSend() == model->composer()->ready(); }
    /// The texts of what people and model said, in view.
    QStringList texts() const
    {
        QStringList found;
        for (int row = 0; row < chat->transcript()->count(); ++row) {
            const TranscriptRow &shown = chat->transcript()->row(row);
            if (shown.kind == RowKind::UserText || shown.kind == RowKind::Markdown)
                found += QString(shown.text).remove("<p>").remove("</p>");
        }
        return found;
    }
    /// The message whose text is `text`; 0 where it isn't in view.
    qint64 message(const QString &text) const
    {
        for (int row = 0; row < chat->transcript()->count(); ++row) {
            if (chat->transcript()->row(row).text.contains(text))
                return chat->transcript()->row(row).message;
        }
        return 0;
    }

    std::shared_ptr<Script> script;
    std::unique_ptr<Application> application;
    std::unique_ptr<WindowModel> model;
    Chat *chat = nullptr;
};

} // namespace

class BranchesTest : public QObject {
    Q_OBJECT

private slots:
    void editedQuestionIsABranch();
    void editedAnswerIsABranch();
    void editingKeepsTheDraft();
    void deletedMessageComesBack();
    void forkIsANewChat();
    void searchJumpsToTheMessage();
};

void BranchesTest::editedQuestionIsABranch()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.ask("first question", "first answer");
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"first question", "first answer"}), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);

    program.script->say("second answer");
    program.chat->edit(program.message("first question"), "second question");

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"second question", "second answer"}),
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QCOMPARE(program.chat->transcript()->row(1).kind, RowKind::QuestionActions);
    QCOMPARE(program.chat->transcript()->row(1).branches, 2);
    program.chat->showBranch(program.message("second question"), -1);
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"first question", "first answer"}), kPatienceMs);
    program.chat->keepOnlyThis();
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->transcript()->row(1).branches, 1, kPatienceMs);
    program.model->undo();
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->transcript()->row(1).branches, 2, kPatienceMs);
}

void BranchesTest::editedAnswerIsABranch()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.ask("question", "wrong");
    QTRY_VERIFY_WITH_TIMEOUT(program.message("wrong") != 0 && program.idle(), kPatienceMs);

    program.chat->edit(program.message("wrong"), "right");

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"question", "right"}), kPatienceMs);
    program.chat->showBranch(program.message("right"), -1);
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"question", "wrong"}), kPatienceMs);
}

void BranchesTest::editingKeepsTheDraft()
{
    const QTemporaryDir folder;
    {
        const Program program(folder);
        program.ask("question", "answer");
        QTRY_VERIFY_WITH_TIMEOUT(program.message("answer") != 0 && program.idle(), kPatienceMs);
        program.model->composer()->setText("not sent yet");
        program.model->composer()->flush();
        program.script->say("again");
        program.chat->edit(program.message("question"), "question, edited");
        QTRY_VERIFY_WITH_TIMEOUT(program.message("again") != 0 && !program.chat->busy(), kPatienceMs);
        QCOMPARE(program.model->composer()->text(), QString("not sent yet"));
    }
    const auto store = std::move(*ConversationStore::open(folder.path().toStdString()));
    QCOMPARE(store->draft(store->list()->front().id)->text, std::string("not sent yet"));
}

void BranchesTest::deletedMessageComesBack()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.ask("one", "two");
    QTRY_VERIFY_WITH_TIMEOUT(program.message("two") != 0 && program.idle(), kPatienceMs);
    QSignalSpy toasts(program.model.get(), &WindowModel::toast);

    program.chat->removeMessage(program.message("two"));
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), QStringList{"one"}, kPatienceMs);
    QCOMPARE(toasts.size(), 1);
    program.model->undo();

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"one", "two"}), kPatienceMs);
}

void BranchesTest::forkIsANewChat()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.ask("one", "two");
    QTRY_VERIFY_WITH_TIMEOUT(program.message("two") != 0 && program.idle(), kPatienceMs);
    program.ask("three", "four");
    QTRY_VERIFY_WITH_TIMEOUT(program.message("four") != 0 && program.idle(), kPatienceMs);
    const qint64 before = program.chat->conversation();

    program.chat->fork(program.message("two"));

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"one", "two"}), kPatienceMs);
    QVERIFY(program.chat->conversation() != before);
    QTRY_COMPARE_WITH_TIMEOUT(program.model->conversations()->count(), 2, kPatienceMs);
}

void BranchesTest::searchJumpsToTheMessage()
{
    const QTemporaryDir folder;
    const Program program(folder);
    program.ask("question", "needle in an answer");
    QTRY_VERIFY_WITH_TIMEOUT(program.message("needle") != 0 && program.idle(), kPatienceMs);
    const qint64 found = program.message("needle");
    const qint64 conversation = program.chat->conversation();
    program.script->say("another one");
    program.chat->answerAgain(found);
    QTRY_VERIFY_WITH_TIMEOUT(program.message("another one") != 0 && program.idle(), kPatienceMs);
    program.chat->openNew();
    QSignalSpy rows(program.chat, &Chat::found);

    program.chat->openAt(conversation, found, "NEEDLE"); // on the branch that isn't in view

    QTRY_COMPARE_WITH_TIMEOUT(rows.size(), 1, kPatienceMs);
    const TranscriptRow &row =
        program.chat->transcript()->row(rows.at(0).at(0).toInt()); // few rows come at once
    QCOMPARE(row.message, MessageId(found));
    QCOMPARE(row.kind, RowKind::Markdown);
}

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(count, arguments);
    BranchesTest test;
    return QTest::qExec(&test, count, arguments);
}

#include "branches_test.moc"
