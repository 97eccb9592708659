// Tools in the real window over a scripted engine: what the cards show, and what the person decides.
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QQuickItem>
#include <QQuickWindow>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

constexpr int kPatienceMs = 20000;

ScriptedReply calling(const char *expression)
{
    ScriptedReply reply;
    reply.events.emplace_back(ToolCallReady{
        {"functions.calculator:0", "calculator", std::string(R"({"expression": ")") + expression + "\"}"}
    });
    reply.finish = ReplySummary::Finish::ToolCalls;
    return reply;
}

/// The button with these words that is in view.
QQuickItem *buttonIn(QQuickItem *item, const QString &text)
{
    if (item->isVisible() && item->inherits("QQuickAbstractButton") && item->property("text") == text)
        return item;
    for (QQuickItem *child : item->childItems()) {
        if (QQuickItem *found = buttonIn(child, text))
            return found;
    }
    return nullptr;
}

struct Program {
    explicit Program(const QTemporaryDir &folder, std::shared_ptr<Script> played) : script(std::move(played))
    {
        const std::string path = folder.path().toStdString();
        auto opened = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = guiPost(),
                                         .openEngine = scriptedOpener(script),
                                         .prepare = {},
                                         .visionConfigPath = {},
                                         .log = {}});
        application = std::move(*opened);
        window = std::make_unique<Window>(*application, WindowOptions{.theme = Settings::Theme::Light});
        chat = window->model().chat();
    }

    void ask(const QString &text) const
    {
        window->model().composer()->setText(text);
        chat->send();
    }
    const TranscriptRow *rowOf(RowKind::Value kind) const
    {
        for (int row = 0; row < chat->transcript()->count(); ++row) {
            if (chat->transcript()->row(row).kind == kind)
                return &chat->transcript()->row(row);
        }
        return nullptr;
    }
    bool asks() const
    {
        const TranscriptRow *call = rowOf(RowKind::ToolCall);
        return call && call->step == ToolCallStep::Asking;
    }
    void decide(ToolCallStep::Answer answer) const
    {
        const TranscriptRow *call = rowOf(RowKind::ToolCall);
        chat->decide(call->message, call->call, answer);
    }

    std::shared_ptr<Script> script;
    std::unique_ptr<Application> application;
    std::unique_ptr<Window> window;
    Chat *chat = nullptr;
};

} // namespace

class ToolWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cardAsksRunsAndAnswers();
    void buttonsDecide_data();
    void buttonsDecide();
    void faultIsShown();
    void askingSurvivesLookingElsewhere();
    void choicesAreKept();
    void offMeansOff();
};

void ToolWindowTest::cardAsksRunsAndAnswers()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say(calling("17 * 24"));
    script->say("It is 408.");
    const Program program(folder, script);
    program.chat->setTools(true);
    program.ask("What is 17 times 24?");
    QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
    const TranscriptRow *call = program.rowOf(RowKind::ToolCall);
    QCOMPARE(toolTitle(*call), QString("May calculator run with this?"));
    QVERIFY(call->expanded); // what is asked about is in view
    QVERIFY(call->text.contains("17 * 24"));
    QVERIFY(program.chat->busy());

    program.chat->decide(call->message, call->call + 1, ToolCallStep::Always); // a click on what is gone
    QVERIFY(program.asks());
    program.decide(ToolCallStep::Once);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    QCOMPARE(int(program.rowOf(RowKind::ToolCall)->step), int(ToolCallStep::Done));
    const TranscriptRow *result = program.rowOf(RowKind::ToolResult);
    QVERIFY(result);
    QCOMPARE(result->text, QString("408"));
    QCOMPARE(toolTitle(*result), QString("calculator answered"));
    QVERIFY(program.rowOf(RowKind::Markdown)->text.contains("It is 408."));
    QCOMPARE(script->requests().size(), std::size_t(2));
    QVERIFY(!script->requests()[0].toolsJson.empty());
}

void ToolWindowTest::buttonsDecide_data()
{
    QTest::addColumn<QString>("button");
    QTest::addColumn<QString>("result");
    QTest::addColumn<bool>("askedAgain");
    QTest::newRow("once") << "Allow once" << "4" << true;
    QTest::newRow("this chat") << "In this chat" << "4" << false;
    QTest::newRow("always") << "Always" << "4" << false;
    QTest::newRow("no") << "Don't allow" << "Error: the person does not allow this call" << true;
}

void ToolWindowTest::buttonsDecide()
{
    QFETCH(const QString, button);
    QFETCH(const QString, result);
    QFETCH(const bool, askedAgain);
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say(calling("2 + 2"));
    script->say("Well.");
    const Program program(folder, script);
    program.chat->setTools(true);
    program.ask("Add");
    QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
    QQuickWindow *view = program.window->quickWindow();
    const auto decided = [&] { // each try clicks where the button is by then
        if (const QQuickItem *shown = buttonIn(view->contentItem(), button))
            QTest::mouseClick(view, Qt::LeftButton, {},
                              shown->mapToScene({shown->width() / 2, shown->height() / 2}).toPoint());
        return !program.asks();
    };
    QTRY_VERIFY_WITH_TIMEOUT(decided(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    QCOMPARE(program.rowOf(RowKind::ToolResult)->text, result);
    QCOMPARE(!program.application->toolChoices().approved(program.chat->conversation(), "calculator"),
             askedAgain);
}

void ToolWindowTest::faultIsShown()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say(calling("1 / 0"));
    script->say("That can't be.");
    const Program program(folder, script);
    program.chat->setTools(true);
    program.ask("Divide");
    QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
    program.decide(ToolCallStep::Once);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    const TranscriptRow *result = program.rowOf(RowKind::ToolResult);
    QVERIFY(result);
    QCOMPARE(int(result->step), int(ToolCallStep::Failed));
    QCOMPARE(toolTitle(*result), QString("calculator gave no result"));
    QVERIFY(result->text.contains("division by zero"));
}

void ToolWindowTest::askingSurvivesLookingElsewhere()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say(calling("2 + 2"));
    script->say("Four.");
    const Program program(folder, script);
    program.chat->setTools(true);
    program.ask("Add");
    QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
    const qint64 here = program.chat->conversation();
    program.chat->openNew();
    QVERIFY(!program.chat->tools()); // the switch is the other chat's
    program.chat->open(here);
    QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
    QVERIFY(program.chat->tools());
    program.decide(ToolCallStep::Refused);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    QVERIFY(program.rowOf(RowKind::ToolResult)->text.contains("does not allow"));
}

void ToolWindowTest::choicesAreKept()
{
    const QTemporaryDir folder;
    qint64 chat = 0;
    {
        const auto script = std::make_shared<Script>();
        script->say(calling("2 + 2"));
        script->say("Four.");
        const Program program(folder, script);
        program.chat->setTools(true);
        program.ask("Add");
        QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
        program.decide(ToolCallStep::Always);
        QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
        chat = program.chat->conversation();
    }
    const auto script = std::make_shared<Script>();
    script->say(calling("3 + 3"));
    script->say("Six.");
    const Program program(folder, script);
    program.chat->open(chat);
    QVERIFY(program.chat->tools());
    QTRY_VERIFY_WITH_TIMEOUT(program.rowOf(RowKind::ToolResult), kPatienceMs);
    program.ask("Add more");
    QTRY_COMPARE_WITH_TIMEOUT(script->requests().size(), std::size_t(2), kPatienceMs); // without asking
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
}

void ToolWindowTest::offMeansOff()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say(calling("2 + 2"));
    const Program program(folder, script);
    program.ask("Add");
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy() && program.rowOf(RowKind::ToolCall), kPatienceMs);
    QVERIFY(script->requests()[0].toolsJson.empty());
    QVERIFY(!program.rowOf(RowKind::ToolResult));
}

QTEST_MAIN(ToolWindowTest)
#include "tool_window_test.moc"
