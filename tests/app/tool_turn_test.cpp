#include "app/concurrency/job_queue.h"
#include "app/tools/builtin_tools.h"
#include "app/turn/find_in_chats.h"
#include "app/turn/turn_runner.h"
#include "tests/support/scripted_engine.h"
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

class NamedTool : public Tool {
public:
    explicit NamedTool(std::string name) : m_name(std::move(name)) {}
    std::string name() const override { return m_name; }
    std::string description() const override { return "Does nothing."; }
    std::string parametersJson() const override { return "{}"; }
    Result<ToolResult> run(const JsonValue &, const ToolContext &, const std::stop_token &) const override
    {
        return ToolResult{};
    }

private:
    std::string m_name;
};

/// "a" and "b", which are usually on, and "c", which isn't.
ToolRegistry threeTools()
{
    ToolRegistry registry;
    for (const char *name : {"a", "b", "c"}) {
        if (!registry.add(std::make_shared<NamedTool>(name), *name == 'c' ? Usually::Off : Usually::On))
            qFatal("a tool was refused");
    }
    return registry;
}

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
    std::string result(std::size_t index) const
    {
        return std::get<TextPart>(log.results.at(index).message.parts.at(0)).text;
    }
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
    void choicesOutliveTheProgram();
    void everyToolHasASwitch();
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
    QCOMPARE(scene.log.results.size(), std::size_t(3));
    QVERIFY(scene.result(2).starts_with("Error: no more calls are made in this turn"));
    QCOMPARE(scene.script->requests().size(), std::size_t(4));
}

void ToolTurnTest::choicesOutliveTheProgram()
{
    std::string kept;
    const auto keep = [&kept](const std::string &json) { kept = json; };
    const ToolRegistry registry = threeTools();
    ToolChoices choices({}, keep);
    choices.setOn(0, true);
    choices.adopt(7);
    QCOMPARE(choices.toolsOn(7, registry), (Lines{"a", "b"}));
    QVERIFY(choices.toolsOn(0, registry).empty());
    choices.setTool(9, "c", true, registry);
    choices.approve(7, "a", Approval::ThisChat);
    choices.approve(7, "b", Approval::Always);
    choices.approve(7, "c", Approval::Once);
    const ToolChoices again(kept, keep);
    QCOMPARE(again.toolsOn(7, registry), (Lines{"a", "b"}));
    QCOMPARE(again.toolsOn(9, registry), (Lines{"c"}));
    QVERIFY(again.toolsOn(8, registry).empty());
    QVERIFY(again.approved(7, "a") && !again.approved(8, "a"));
    QVERIFY(again.approved(8, "b") && !again.approved(7, "c"));
    for (const char *nonsense : {"", "[]", "{\"on\":3,\"approved\":[1],\"always\":{},\"chosen\":[7]}", "{",
                                 "{\"chosen\":{\"7\":[\"a\"]}}"})
        QVERIFY(ToolChoices(nonsense, keep).toolsOn(7, registry).empty());
}

void ToolTurnTest::everyToolHasASwitch()
{
    const ToolRegistry registry = threeTools();
    std::string kept;
    ToolChoices choices({}, [&kept](const std::string &json) { kept = json; });
    const auto switchTool = [&](const char *tool, bool on) {
        kept.clear();
        choices.setTool(7, tool, on, registry);
        return choices.toolsOn(7, registry);
    };
    QCOMPARE(switchTool("c", true), (Lines{"c"})); // from off: this one and no other
    QCOMPARE(switchTool("a", true), (Lines{"a", "c"}));
    QCOMPARE(switchTool("a", true), (Lines{"a", "c"}));
    QVERIFY(kept.empty()); // nothing changed
    QCOMPARE(switchTool("b", true), (Lines{"a", "b", "c"}));
    QCOMPARE(switchTool("c", false), (Lines{"a", "b"})); // the usual ones again
    QVERIFY(kept.find("\"chosen\": {}") != std::string::npos);
    QCOMPARE(switchTool("unknown", true), (Lines{"a", "b"}));
    QCOMPARE(switchTool("a", false), (Lines{"b"}));
    QCOMPARE(switchTool("b", false), Lines());
    QVERIFY(kept.find("\"on\": []") != std::string::npos);
    // A tool that was chosen and isn't there any more is off, and comes back with the program that has it.
    choices.setTool(7, "c", true, registry);
    QVERIFY(choices.toolsOn(7, builtinTools()).empty());
    QCOMPARE(choices.toolsOn(7, registry), (Lines{"c"}));
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
}

QTEST_GUILESS_MAIN(ToolTurnTest)
#include "tool_turn_test.moc"
