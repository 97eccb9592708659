#include "app/concurrency/job_queue.h"
#include "app/tools/builtin_tools.h"
#include "app/turn/find_in_chats.h"
#include "app/turn/turn_runner.h"
#include "tests/support/scripted_engine.h"
#include "tests/support/test_tool.h"
#include "tests/support/turn_log.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace perilune;
using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

namespace {

/// Hangs until the test lets it go, deaf to its stop.
class HangingTool : public Tool {
public:
    explicit HangingTool(std::shared_future<void> end) : m_end(std::move(end)) {}
    std::string name() const override { return "hang"; }
    std::string description() const override { return "Hangs."; }
    std::string parametersJson() const override { return "{}"; }
    Result<ToolResult> run(const JsonValue &, const ToolContext &, const std::stop_token &) const override
    {
        m_end.wait();
        return ToolResult{TextPart{"late"}};
    }

private:
    std::shared_future<void> m_end;
};

/// "long": gives back a text.
class SayingTool : public Tool {
public:
    explicit SayingTool(std::string text) : m_text(std::move(text)) {}
    std::string name() const override { return "long"; }
    std::string description() const override { return "Says much."; }
    std::string parametersJson() const override { return "{}"; }
    Result<ToolResult> run(const JsonValue &, const ToolContext &, const std::stop_token &) const override
    {
        return ToolResult{TextPart{m_text}};
    }

private:
    std::string m_text;
};

test::ScriptedReply calling(std::initializer_list<std::pair<const char *, const char *>> calls)
{
    test::ScriptedReply reply;
    int index = 0;
    for (const auto &[name, arguments] : calls)
        reply.events.emplace_back(ToolCallReady{
            {"functions." + std::string(name) + ':' + std::to_string(index++), name, arguments}
        });
    reply.finish = ReplySummary::Finish::ToolCalls;
    return reply;
}

constexpr const char *kSum = R"({"expression": "1 + 1"})";

/// A store, an engine that follows a script, tools, and the runner between them.
struct Scene {
    QTemporaryDir folder;
    JobQueue gui;
    std::promise<void> end;
    std::string text; ///< what the tool "long" gives
    ToolRegistry registry = builtinTools();
    ToolChoices choices;
    ToolLimits limits;
    std::shared_ptr<test::Script> script = std::make_shared<test::Script>();
    test::TurnLog log;
    std::unique_ptr<StoreThread> store;
    Worker media, engine;
    std::unique_ptr<TurnRunner> runner;
    std::chrono::milliseconds batchesLate{0}; ///< by how much what comes in batches is later than asked for

    void open()
    {
        if (!registry.add(std::make_shared<HangingTool>(end.get_future().share())))
            qFatal("the hanging tool was refused");
        if (!registry.add(std::make_shared<SayingTool>(text)))
            qFatal("the tool that says much was refused");
        store = std::make_unique<StoreThread>(
            std::move(*ConversationStore::open(folder.path().toStdString())), gui.poster());
        runner = std::make_unique<TurnRunner>(TurnRunner::Services{
            .store = store.get(),
            .engineWorker = &engine,
            .mediaWorkers = {&media, &media},
            .post = poster(),
            .openEngine = opener(),
            .prepare = {},
            .tools = {&registry, &choices, limits}
        });
        runner->setListener(&log);
    }
    ~Scene()
    {
        end.set_value();
        runner.reset();
        store.reset();
    }

    TurnId say(const std::string &text, std::vector<std::string> tools = {"calculator", "hang"})
    {
        TurnDraft draft;
        draft.message.parts.emplace_back(TextPart{text});
        draft.options.toolsJson = registry.declarations(tools);
        draft.options.tools = std::move(tools);
        return runner->start(std::move(draft));
    }
    Post poster()
    {
        return [this, post = gui.poster()](std::function<void()> job, std::chrono::milliseconds delay) {
            post(std::move(job), delay > 0ms ? delay + batchesLate : delay);
        };
    }
    /// Where batches are late, the engine is ready just after the window has shown that it loads.
    EngineOpener opener()
    {
        return [this, open = test::scriptedOpener(script)](const auto &progress, std::stop_token stop) {
            if (batchesLate > 0ms) {
                const auto shown = std::make_shared<std::promise<void>>();
                gui.poster()([shown] { shown->set_value(); }, 0ms);
                shown->get_future().wait();
            }
            return open(progress, stop);
        };
    }
    bool until(const std::function<bool()> &done) { return gui.runUntil(done, 10s); }
    bool untilIdle()
    {
        return until([this] { return runner->idle(); });
    }
    std::string result(std::size_t index) const { return test::wordsOf(log.results.at(index).message); }
};

} // namespace

class ToolTurnTest : public QObject {
    Q_OBJECT

private slots:
    void goesFromCallToAnswer();
    void asksTheFirstTime_data();
    void asksTheFirstTime();
    void refusalIsTold();
    void whatIsOffIsNotRun();
    void othersDontWaitForADecision();
    void stopWhileAsking();
    void stopWhileHanging();
    void hangingEndsAtItsLimit();
    void roundsAreLimited();
    void callsThatAreNotMadeAreAnswered_data();
    void callsThatAreNotMadeAreAnswered();
    void stopBetweenCallsAnswersThem();
    void badArgumentsAreNotAskedAbout();
    void missingResultsAreMadeGood();
    void stateCanBeAskedFor();
    void longResultsLeaveRoomForAnAnswer();
    void picturesAreKeptAndShown();
    void searchesOtherChats();
};

void ToolTurnTest::goesFromCallToAnswer()
{
    Scene scene;
    scene.choices.approve(0, "calculator", Approval::Always);
    scene.script->say(calling({
        {"calculator", kSum                         },
        {"calculator", R"({"expression": "2 ^ 10"})"}
    }));
    scene.script->say("Two and 1024.");
    scene.open();
    scene.say("Count");
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.lines,
             (Lines{"stored", "began", "grew", "finished complete", "call 0 runs", "call 0 done", "result",
                    "call 1 runs", "call 1 done", "result", "began", "grew", "finished complete"}));
    QCOMPARE(scene.result(0), std::string("2"));
    QCOMPARE(scene.result(1), std::string("1024"));

    // The second request is the first, the answer as it was, and the results: nothing that a cache held
    // before has changed.
    const std::vector<ChatRequest> requests = scene.script->requests();
    QCOMPARE(requests.size(), std::size_t(2));
    const std::vector<Message> &messages = requests[1].messages;
    QCOMPARE(messages.size(), std::size_t(4));
    QVERIFY(messages[0] == requests[0].messages[0]);
    QVERIFY(messages[1] == scene.log.finished[0].message);
    QCOMPARE(std::get<ToolCallPart>(messages[1].parts[0]).argumentsJson, std::string(kSum));
    QVERIFY(messages[2] == scene.log.results[0].message);
    QVERIFY(messages[3] == scene.log.results[1].message);
    QCOMPARE(messages[3].toolCallId, std::string("functions.calculator:1"));
    QCOMPARE(requests[1].toolsJson, requests[0].toolsJson);
}

void ToolTurnTest::asksTheFirstTime_data()
{
    QTest::addColumn<int>("approval");
    QTest::addColumn<bool>("askedAgain");
    QTest::addColumn<bool>("askedElsewhere");
    QTest::newRow("once") << int(Approval::Once) << true << true;
    QTest::newRow("this chat") << int(Approval::ThisChat) << false << true;
    QTest::newRow("always") << int(Approval::Always) << false << false;
}

void ToolTurnTest::asksTheFirstTime()
{
    QFETCH(const int, approval);
    QFETCH(const bool, askedAgain);
    QFETCH(const bool, askedElsewhere);
    Scene scene;
    scene.script->say(calling({
        {"calculator", kSum}
    }));
    scene.script->say("Two.");
    scene.open();
    const TurnId turn = scene.say("Count");
    QVERIFY(scene.until([&] { return scene.log.asking == turn; }));
    QVERIFY(scene.log.results.empty());
    QVERIFY(scene.log.stages.back() == TurnState::Stage::Asking);
    scene.runner->approve(turn, static_cast<Approval>(approval));
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.result(0), std::string("2"));
    QCOMPARE(scene.log.text, std::string("Two."));

    const ConversationId here = scene.log.finished[0].conversation;
    QCOMPARE(!scene.choices.approved(here, "calculator"), askedAgain);
    QCOMPARE(!scene.choices.approved(here + 1, "calculator"), askedElsewhere);
    QVERIFY(!scene.choices.approved(here, "current_time"));
}

void ToolTurnTest::refusalIsTold()
{
    Scene scene;
    scene.script->say(calling({
        {"calculator", kSum}
    }));
    scene.script->say("A pity.");
    scene.open();
    const TurnId turn = scene.say("Count");
    QVERIFY(scene.until([&] { return scene.log.asking == turn; }));
    scene.runner->approve(turn, Approval::Refused);
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.result(0), std::string("Error: the person does not allow this call"));
    QCOMPARE(scene.log.text, std::string("A pity."));
}

void ToolTurnTest::whatIsOffIsNotRun()
{
    Scene scene;
    scene.choices.approve(0, "current_time", Approval::Always);
    scene.script->say(calling({
        {"current_time", "{}"}
    }));
    scene.script->say("Well.");
    scene.open();
    scene.say("Count", {"calculator"});
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.result(0), std::string("Error: there is no tool named current_time"));
}

void ToolTurnTest::othersDontWaitForADecision()
{
    Scene scene;
    scene.script->say(calling({
        {"calculator", kSum}
    }));
    scene.script->say("Elsewhere.");
    scene.script->say("Two.");
    scene.open();
    const TurnId asking = scene.say("Count");
    QVERIFY(scene.until([&] { return scene.log.asking == asking; }));
    const TurnId other = scene.say("Something else");
    QVERIFY(scene.until([&] { return scene.log.ended == other; }));
    QCOMPARE(scene.log.text, std::string("Elsewhere."));
    scene.runner->approve(asking, Approval::Once);
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.text, std::string("Elsewhere.Two."));
}

void ToolTurnTest::stopWhileAsking()
{
    Scene scene;
    scene.script->say(calling({
        {"calculator", kSum},
        {"calculator", kSum}
    }));
    scene.open();
    const TurnId turn = scene.say("Count");
    QVERIFY(scene.until([&] { return scene.log.asking == turn; }));
    scene.runner->stop(turn);
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.results.size(), std::size_t(2)); // each call has its result
    QCOMPARE(scene.result(1), std::string("Error: the person stopped this call"));
    QCOMPARE(scene.script->requests().size(), std::size_t(1));
}

void ToolTurnTest::stopWhileHanging()
{
    Scene scene;
    scene.limits.time = 10min;
    scene.choices.approve(0, "hang", Approval::Always);
    scene.script->say(calling({
        {"hang", "{}"}
    }));
    scene.open();
    const TurnId turn = scene.say("Hang");
    QVERIFY(scene.until([&] { return scene.log.stages.back() == TurnState::Stage::Calling; }));
    scene.runner->stop(turn);
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.result(0), std::string("Error: the person stopped this call"));
}

void ToolTurnTest::hangingEndsAtItsLimit()
{
    Scene scene;
    scene.limits.time = 30ms;
    scene.choices.approve(0, "hang", Approval::Always);
    scene.script->say(calling({
        {"hang", "{}"}
    }));
    scene.script->say("It hangs.");
    scene.open();
    scene.say("Hang");
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.result(0), std::string("Error: the tool did not answer within 30 ms"));
    QCOMPARE(scene.log.text, std::string("It hangs."));
}

void ToolTurnTest::roundsAreLimited()
{
    Scene scene;
    scene.limits.rounds = 2;
    scene.choices.approve(0, "calculator", Approval::Always);
    for (int i = 0; i < 6; ++i)
        scene.script->say(calling({
            {"calculator", kSum}
        }));
    scene.open();
    scene.say("Count for ever");
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.script->requests().size(), std::size_t(4));
    QCOMPARE(scene.log.results.size(), std::size_t(4)); // one for each call, the last answer's too
    for (const std::size_t index : {2, 3})
        QVERIFY(scene.result(index).starts_with("Error: no more calls are made in this turn"));
}

void ToolTurnTest::longResultsLeaveRoomForAnAnswer()
{
    Scene scene;
    for (int i = 0; i < 5000; ++i) // 60,000 bytes: some 20,000 tokens, for a context of 4,096
        scene.text += "line of log ";
    scene.limits.resultBytes = 1'000'000;
    scene.choices.approve(0, "long", Approval::Always);
    const std::pair<const char *, const char *> call{"long", "{}"};
    scene.script->say(calling({call, call}));
    scene.script->say("I have read what there is.");
    scene.open();
    scene.say("Read it", {"long"});
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.lines.back(), std::string("finished complete"));
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const Message &result = scene.log.results.at(i).message;
        const auto &note = std::get<TextPart>(result.parts.back());
        QVERIFY2(note.text.starts_with("\n[The result was cut: the first "), note.text.c_str());
        QVERIFY2(note.text.ends_with(" of 60000 bytes are shown.]"), note.text.c_str());
        for (const Part &part : result.parts)
            tokens += tokensAtMost(std::get<TextPart>(part).text);
    }
    QVERIFY2(tokens > 2000 && tokens < 4096 - 1024, std::to_string(tokens).c_str());
}

void ToolTurnTest::callsThatAreNotMadeAreAnswered_data()
{
    QTest::addColumn<int>("finish");
    QTest::addColumn<bool>("breaksDown");
    QTest::addColumn<bool>("on");
    QTest::addColumn<QString>("why");
    using Finish = ReplySummary::Finish;
    QTest::newRow("length")
        << int(Finish::Length) << false << true
        << "Error: the answer reached its longest allowed length, so its calls were not made";
    QTest::newRow("failed") << int(Finish::ToolCalls) << true << true
                            << "Error: the answer failed before its calls were made";
    QTest::newRow("tools off") << int(Finish::ToolCalls) << false << false
                               << "Error: no tools are switched on in this conversation";
}

void ToolTurnTest::callsThatAreNotMadeAreAnswered()
{
    QFETCH(const int, finish);
    QFETCH(const bool, breaksDown);
    QFETCH(const bool, on);
    QFETCH(const QString, why);
    Scene scene;
    scene.choices.approve(0, "calculator", Approval::Always);
    test::ScriptedReply reply = calling({
        {"calculator", kSum},
        {"calculator", kSum}
    });
    reply.finish = static_cast<ReplySummary::Finish>(finish);
    if (breaksDown)
        reply.error = Error{ErrorCode::Io, "the engine broke down"};
    scene.script->say(reply);
    scene.open();
    scene.say("Count", on ? std::vector<std::string>{"calculator"} : std::vector<std::string>{});
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.script->requests().size(), std::size_t(1)); // the turn is over
    QCOMPARE(scene.log.results.size(), std::size_t(2));
    for (const std::size_t index : {0, 1}) {
        QCOMPARE(QString::fromStdString(scene.result(index)), why);
        QCOMPARE(scene.log.results[index].message.toolCallId,
                 "functions.calculator:" + std::to_string(index));
    }
}

/// The second call never came: Stop was faster.
void ToolTurnTest::stopBetweenCallsAnswersThem()
{
    Scene scene;
    scene.choices.approve(0, "calculator", Approval::Always);
    test::ScriptedReply reply = calling({
        {"calculator", kSum},
        {"calculator", kSum}
    });
    reply.events.insert(reply.events.begin() + 1, TextDelta{"x"});
    reply.pause = 400ms;
    scene.script->say(reply);
    scene.open();
    const TurnId turn = scene.say("Count");
    QVERIFY(scene.until([&] { return !scene.log.lines.empty() && scene.log.lines.back() == "grew"; }));
    scene.runner->stop(turn);
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.finished[0].state, MessageState::Cancelled);
    QCOMPARE(callsOf(scene.log.finished[0].message).size(), std::size_t(1));
    QCOMPARE(scene.log.results.size(), std::size_t(1));
    QCOMPARE(scene.result(0), std::string("Error: the person stopped this call"));
}

void ToolTurnTest::badArgumentsAreNotAskedAbout()
{
    Scene scene;
    scene.script->say(calling({
        {"calculator", "{\"expression\": 1 +"},
        {"calculator", "[1]"                 },
        {"calculator", "{\"sum\": 1}"        }
    }));
    scene.script->say("Sorry.");
    scene.open();
    scene.say("Count");
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.asking, TurnId(0));
    QVERIFY(scene.result(0).starts_with("Error: the arguments are no JSON: "));
    QCOMPARE(scene.result(1), std::string("Error: the arguments are no JSON object"));
    QCOMPARE(scene.result(2), std::string("Error: expression: is missing"));
    QCOMPARE(scene.log.text, std::string("Sorry."));
    QCOMPARE(scene.script->requests().at(1).messages.size(), std::size_t(5));
}

/// A program that was killed while a tool ran, or a full disk, leaves a call without its result.
void ToolTurnTest::missingResultsAreMadeGood()
{
    Scene scene;
    Message question, calls, result;
    question.parts = {TextPart{"Count"}};
    calls.role = Role::Assistant;
    calls.parts = {
        ToolCallPart{"a", "calculator", kSum},
        ToolCallPart{"b", "calculator", kSum}
    };
    result.role = Role::Tool;
    result.toolCallId = "a";
    result.parts = {TextPart{"2"}};
    TurnDraft draft;
    {
        const auto store = ConversationStore::open(scene.folder.path().toStdString());
        QVERIFY(store);
        StoredMessage last;
        for (const Message &message : {question, calls, result})
            last = *(*store)->append(last.conversation, last.id, message);
        draft.conversation = last.conversation;
        draft.parent = last.id;
    }
    draft.message.parts = {TextPart{"And now?"}};
    scene.script->say("Four.");
    scene.open();
    scene.runner->start(std::move(draft));
    QVERIFY(scene.untilIdle());
    const std::vector<Message> asked = scene.script->requests().at(0).messages;
    QCOMPARE(asked.size(), std::size_t(5));
    QVERIFY(asked[2] == result);
    QVERIFY(asked[3].role == Role::Tool && asked[3].toolCallId == "b" && isFault(asked[3]));
    QCOMPARE(test::wordsOf(asked[4]), std::string("And now?"));
}

void ToolTurnTest::stateCanBeAskedFor()
{
    Scene scene;
    scene.script->say(calling({
        {"calculator", kSum}
    }));
    scene.open();
    const TurnId turn = scene.say("Count");
    QVERIFY(scene.runner->stateOf(turn).stage == TurnState::Stage::Saving);
    QVERIFY(scene.until([&] { return scene.log.asking == turn; }));
    QVERIFY(scene.runner->stateOf(turn).stage == TurnState::Stage::Asking);
    scene.runner->stop(turn);
    QVERIFY(scene.untilIdle());
    QVERIFY(scene.runner->stateOf(turn).stage == TurnState::Stage::Finished);
}

void ToolTurnTest::picturesAreKeptAndShown()
{
    Scene scene;
    const QByteArray bytes = "\x89PNG\r\n\x1A\n";
    QFile picture(scene.folder.filePath("cat.png"));
    QVERIFY(picture.open(QIODevice::WriteOnly) && picture.write(bytes) == bytes.size());
    picture.close();
    scene.registry = builtinTools(ToolPlaces{
        .files = {.base = scene.folder.path().toStdString(),
                  .home = {},
                  .canBeShown = [](const std::string &, const std::stop_token &) { return Status(Done{}); }},
        .find = {}
    });
    scene.choices.approve(0, "read_file", Approval::Always);
    scene.script->say(calling({
        {"read_file", R"({"path": "cat.png"})"}
    }));
    scene.script->say("A cat.");
    scene.batchesLate = 1s; // a fast answer overtakes the news that the engine is ready, and can see
    scene.open();
    scene.say("Look at cat.png", {"read_file"});
    QVERIFY(scene.untilIdle());
    const auto *kept = std::get_if<MediaPart>(&scene.log.results.at(0).message.parts.at(0));
    QVERIFY(kept && kept->name == "cat.png");
    QVERIFY(kept->path.starts_with((scene.folder.path() + "/media/").toStdString())); // the store's own copy
    QFile copy(QString::fromStdString(kept->path));
    QVERIFY(copy.open(QIODevice::ReadOnly) && copy.readAll() == bytes);
    QVERIFY(scene.script->requests().at(1).messages.at(2) == scene.log.results[0].message);
}

void ToolTurnTest::searchesOtherChats()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const SearchChats::Find find = findInChats(path / "none");
    const auto nothing = find({"moon", 0, 9});
    QVERIFY(nothing && nothing->empty());
    QVERIFY(!std::filesystem::exists(path / "none")); // searching makes no store

    const auto opened = ConversationStore::open(path);
    QVERIFY(opened);
    ConversationStore &store = **opened;
    const auto say = [&store](const char *words) {
        Message message;
        message.parts = {TextPart{words}};
        return store.append(0, 0, message)->conversation;
    };
    const ConversationId other = say("The moon is far");
    const ConversationId own = say("What did I say of the moon?");
    const ConversationId binned = say("The moon is cheese");
    QVERIFY(store.remove(binned));
    const auto hits = [&](ConversationId except) {
        std::string found;
        const auto list = findInChats(path)({"moon", except, 9});
        for (const SearchChats::Hit &hit : *list)
            found += hit.title + '|';
        return found;
    };
    QCOMPARE(hits(0),
             std::string(
                 "What did I say of the moon?|The moon is far|What did I say of the moon?|The moon is far|"));
    QCOMPARE(hits(own), std::string("The moon is far|The moon is far|"));
    QCOMPARE(hits(other), std::string("What did I say of the moon?|What did I say of the moon?|"));

    // It only reads: nothing was put into the index, as a search of the window would do.
    QCOMPARE(*store.database().integer("SELECT count(*) FROM message WHERE indexed <> 0"), std::int64_t(0));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = findInChats(path)({"moon", 0, 9, stop.get_token()});
    QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    const auto reading = ConversationStore::openForReading(path);
    QVERIFY(reading && !(*reading)->readOnlyReason().empty());
    QVERIFY(!(*reading)->append(0, 0, {}));
}

QTEST_GUILESS_MAIN(ToolTurnTest)
#include "tool_turn_test.moc"
