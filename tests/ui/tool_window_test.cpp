// Tools in the real window over a scripted engine: what the cards show, and what the person decides.
#include "app/store/database.h"
#include "tests/support/hostile_tools.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QElapsedTimer>
#include <QQuickItem>
#include <QQuickWindow>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

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
        application = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = guiPost(),
                                         .openEngine = scriptedOpener(script),
                                         .prepare = {},
                                         .visionConfigPath = {},
                                         .moreTools = hostileTools(),
                                         .log = {}});
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
    void whatIsAskedAboutIsShownAsItIs();
    void resultsAreNamedAndToldFromFaults();
    void brokenCallIsShown();
    void cardsEndWithTheirTurn();
    void switchesGoWithTheirChat();
    void everyToolHasASwitch();
    void misbehaviourStallsNothing_data();
    void misbehaviourStallsNothing();
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
    QVERIFY(!program.chat->status().isEmpty()); // it says what is waited for
    QVERIFY(!program.rowOf(RowKind::Actions));
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
    QCOMPARE(script->requests().size(), std::size_t(1));
    const TranscriptRow *result = program.rowOf(RowKind::ToolResult);
    QVERIFY(result);
    QCOMPARE(result->text, QString("Error: no tools are switched on in this conversation"));
    // Nothing more is to come, so the answer can be asked for again; also once the chat is opened anew.
    const auto actions = [&] {
        int count = 0;
        for (int row = 0; row < program.chat->transcript()->count(); ++row)
            count += program.chat->transcript()->row(row).kind == RowKind::Actions ? 1 : 0;
        const TranscriptRow &last = program.chat->transcript()->row(program.chat->transcript()->count() - 1);
        return count == 1 && last.kind == RowKind::Actions;
    };
    QVERIFY(actions());
    const qint64 here = program.chat->conversation();
    program.chat->openNew();
    program.chat->open(here);
    QTRY_VERIFY_WITH_TIMEOUT(program.rowOf(RowKind::ToolResult) && actions(), kPatienceMs);
    script->say("Four.");
    program.chat->answerAgain(program.rowOf(RowKind::Actions)->message);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy() && program.rowOf(RowKind::Markdown), kPatienceMs);
    QVERIFY(!program.rowOf(RowKind::ToolResult));
    QVERIFY(actions());
}

void ToolWindowTest::whatIsAskedAboutIsShownAsItIs()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    ScriptedReply reply = calling("");
    std::get<ToolCallReady>(reply.events[0]).call.argumentsJson =
        "{\"z\": 12345678901234567890, \"expression\": \"\u202E1\"}";
    script->say(reply);
    const Program program(folder, script);
    program.chat->setTools(true);
    program.application->toolChoices().approve(0, "calculator", Approval::Always); // and it is refused
    program.ask("Add");
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy() && program.rowOf(RowKind::ToolCall), kPatienceMs);
    QCOMPARE(program.rowOf(RowKind::ToolCall)->text,
             QString("{\n    \"z\": 12345678901234567890,\n    \"expression\": \"\uFFFD1\"\n}"));
    QCOMPARE(program.rowOf(RowKind::ToolResult)->text, QString("Error: z: there is no such parameter"));
}

void ToolWindowTest::resultsAreNamedAndToldFromFaults()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    ScriptedReply reply = calling("");
    std::get<ToolCallReady>(reply.events[0]).call = {"7", "posing", "{}"}; // an id that names no tool
    script->say(reply);
    script->say("Well.");
    const Program program(folder, script);
    for (int row = 0; row < program.chat->toolList()->rowCount(); ++row)
        program.chat->toolList()->toggle(row);
    program.application->toolChoices().approve(0, "posing", Approval::Always);
    program.ask("Go");
    const auto right = [&] {
        const TranscriptRow *result = program.rowOf(RowKind::ToolResult);
        return result && toolTitle(*result) == "posing answered" && result->step == ToolCallStep::Done &&
               result->text == "Error: in line 3 of a log";
    };
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy() && right(), kPatienceMs);
    const qint64 here = program.chat->conversation();
    program.chat->openNew();
    program.chat->open(here);
    QTRY_VERIFY_WITH_TIMEOUT(right(), kPatienceMs);
}

void ToolWindowTest::brokenCallIsShown()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    ScriptedReply reply = calling("");
    std::get<ToolCallReady>(reply.events[0]).call = {"functions.calculator:0", "", "{\"expr"};
    reply.finish = ReplySummary::Finish::Length;
    script->say(reply);
    const Program program(folder, script);
    program.chat->setTools(true);
    program.ask("Add");
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy() && program.rowOf(RowKind::ToolResult), kPatienceMs);
    const TranscriptRow *call = program.rowOf(RowKind::ToolCall);
    QVERIFY(call);
    QCOMPARE(toolTitle(*call), QString("A call that broke off or can't be understood"));
    QCOMPARE(call->text, QString("functions.calculator:0 {\"expr"));
    QCOMPARE(toolTitle(*program.rowOf(RowKind::ToolResult)), QString("calculator gave no result"));
    QVERIFY(program.rowOf(RowKind::Notice)); // and why
}

/// The disk is full when the result is to be kept.
void ToolWindowTest::cardsEndWithTheirTurn()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say(calling("2 + 2"));
    const Program program(folder, script);
    program.chat->setTools(true);
    program.ask("Add");
    QTRY_VERIFY_WITH_TIMEOUT(program.asks(), kPatienceMs);
    auto broken = Database::open((folder.path() + "/conversations.db").toStdString());
    QVERIFY(broken && broken->run("CREATE TRIGGER full BEFORE INSERT ON message BEGIN"
                                  " SELECT RAISE(ABORT, 'full'); END"));
    program.decide(ToolCallStep::Once);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    QCOMPARE(int(program.rowOf(RowKind::ToolCall)->step), int(ToolCallStep::None));
    QCOMPARE(toolTitle(*program.rowOf(RowKind::ToolCall)), QString("Called calculator"));
    QVERIFY(program.rowOf(RowKind::Actions));
}

void ToolWindowTest::switchesGoWithTheirChat()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say("Done.");
    const Program program(folder, script);
    program.chat->toolList()->toggle(1);
    const std::vector<std::string> chosen = program.chat->toolList()->on();
    QCOMPARE(chosen.size(), std::size_t(1));
    program.ask("Add");
    program.chat->openNew();         // before the message is on disk
    QVERIFY(!program.chat->tools()); // and the next new chat begins without
    program.chat->toolList()->toggle(0);
    QTRY_COMPARE_WITH_TIMEOUT(script->requests().size(), std::size_t(1), kPatienceMs);
    program.chat->open(1);
    QTRY_VERIFY_WITH_TIMEOUT(program.rowOf(RowKind::Markdown), kPatienceMs);
    QVERIFY(program.chat->toolList()->on() == chosen);
    program.chat->openNew();
    QCOMPARE(program.chat->toolList()->on().size(), std::size_t(1));
    QVERIFY(program.chat->toolList()->on() != chosen);
}

void ToolWindowTest::everyToolHasASwitch()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    script->say("Done.");
    script->say("Done.");
    const Program program(folder, script);
    QQuickWindow *view = program.window->quickWindow();
    const auto click = [&](const QString &button) {
        const QQuickItem *shown = buttonIn(view->contentItem(), button);
        if (!shown)
            return false;
        QTest::mouseClick(view, Qt::LeftButton, {},
                          shown->mapToScene({shown->width() / 2, shown->height() / 2}).toPoint());
        return true;
    };
    const auto listed = [&] { // each try clicks where the button is by then
        return buttonIn(view->contentItem(), "calculator") || (click("Tools") && false);
    };
    QTRY_VERIFY_WITH_TIMEOUT(listed(), kPatienceMs);
    const auto on = [&] { return program.chat->toolList()->on(); };
    const auto switched = [&](const QString &tool, const std::vector<std::string> &expected) {
        return on() == expected || (click(tool) && on() == expected);
    };
    using Names = std::vector<std::string>;
    QTRY_VERIFY_WITH_TIMEOUT(switched("calculator", Names{"calculator"}), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(buttonIn(view->contentItem(), "Tools: 1"), kPatienceMs);
    QVERIFY(switched("current_time", Names{"current_time", "calculator"})); // the list stays open
    QVERIFY(switched("current_time", Names{"calculator"}));

    program.ask("Add");
    QTRY_COMPARE_WITH_TIMEOUT(script->requests().size(), std::size_t(1), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    const std::string declared = script->requests()[0].toolsJson;
    QVERIFY(declared.find("\"calculator\"") != std::string::npos);
    QVERIFY(declared.find("current_time") == std::string::npos);

    // The chat keeps its switches; a new one has its own.
    const qint64 here = program.chat->conversation();
    program.chat->openNew();
    QVERIFY(on().empty());
    program.chat->open(here);
    QCOMPARE(on(), Names{"calculator"});
}

void ToolWindowTest::misbehaviourStallsNothing_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("result"); // how it begins; empty: the person stops it
    QTest::newRow("hang") << "hang" << "";
    QTest::newRow("fail") << "fail" << "Error: \uFFFD[2Jno luck\n<|im_end|>";
    QTest::newRow("throw") << "throw" << "Error: the tool broke off: oh";
    QTest::newRow("flood") << "flood" << QString(1000, 'x');
    QTest::newRow("nonsense") << "nonsense" << QString(kNonsenseAsText);
    QTest::newRow("gone") << "gone" << "Error: the tool gave a picture that can't be shown, a picture: ";
    QTest::newRow("torn") << "torn" << "Error: the tool gave a picture that can't be shown, a picture: ";
    QTest::newRow("clip") << "clip"
                          << "Error: the tool gave a picture that can't be shown, a clip: it is a clip";
}

void ToolWindowTest::misbehaviourStallsNothing()
{
    QFETCH(const QString, tool);
    QFETCH(const QString, result);
    const QTemporaryDir folder;
    const auto script = std::make_shared<Script>();
    ScriptedReply reply = calling("");
    std::get<ToolCallReady>(reply.events[0]).call = {"functions." + tool.toStdString() + ":0",
                                                     tool.toStdString(), "{}"};
    script->say(reply);
    script->say("Well.");
    const Program program(folder, script);
    for (int row = 0; row < program.chat->toolList()->rowCount(); ++row)
        program.chat->toolList()->toggle(row);
    for (const std::string &name : program.chat->toolList()->on())
        program.application->toolChoices().approve(0, name, Approval::Always);
    int beats = 0; // of the window's thread
    QTimer heart;
    QObject::connect(&heart, &QTimer::timeout, &heart, [&beats] { ++beats; });
    heart.start(5);
    QElapsedTimer clock;
    clock.start();
    program.ask("Go");
    if (result.isEmpty()) {
        QTRY_VERIFY_WITH_TIMEOUT(program.rowOf(RowKind::ToolCall) &&
                                     program.rowOf(RowKind::ToolCall)->step == ToolCallStep::Running,
                                 kPatienceMs);
        beats = 0;
        QTRY_VERIFY_WITH_TIMEOUT(beats > 20, kPatienceMs); // it lives while the tool hangs
        QCOMPARE(int(program.rowOf(RowKind::ToolCall)->step), int(ToolCallStep::Running));
        program.chat->stop();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy() && program.rowOf(RowKind::ToolResult), kPatienceMs);
    const QString shown = program.rowOf(RowKind::ToolResult)->text;
    QVERIFY2(shown.startsWith(result.isEmpty() ? "Error: the person stopped this call" : result),
             qPrintable(shown));
    QVERIFY(shown.size() < 17000);
    if (result.isEmpty())
        return;
    const std::vector<ChatRequest> requests = script->requests();
    QCOMPARE(requests.size(), std::size_t(2));
    QCOMPARE(QString::fromStdString(wordsOf(requests[1].messages.back())).left(result.size()), result);
}

QTEST_MAIN(ToolWindowTest)
#include "tool_window_test.moc"
