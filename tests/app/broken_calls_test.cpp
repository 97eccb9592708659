// Calls that a model writes badly, from its tokens to the conversation: nothing that it began vanishes,
// nothing that is broken is made, and the model is told. The tokens go the way that those of a model go.
#include "app/concurrency/job_queue.h"
#include "app/tools/builtin_tools.h"
#include "app/turn/turn_runner.h"
#include "engine/session/reply_events.h"
#include "tests/support/test_tool.h"
#include "tests/support/turn_log.h"

#include <QTemporaryDir>
#include <QTest>

#include <deque>
#include <memory>
#include <string>

using namespace perilune;
using namespace std::chrono_literals;

namespace {

using Finish = ReplySummary::Finish;

const Tokenizer &tokenizer()
{
    static const Tokenizer loaded = *Tokenizer::load(SOURCE_DIR "/packaging/demo-model/model");
    return loaded;
}

struct Raw {
    std::string text;
    Finish finish = Finish::Stop;
};

/// What comes of the tokens of `raw`.
ReplySummary eventsOf(const Raw &raw, const ChatRequest &request, const ReplySink &sink)
{
    ReplySummary summary;
    summary.finish = raw.finish;
    ReplyEvents events(tokenizer(), request, sink);
    for (const TokenId id : tokenizer().encode(raw.text)) {
        if (!events.take(id))
            qFatal("a token was refused");
    }
    events.finish(summary);
    return summary;
}

/// A model that writes what it is told.
class WritingEngine : public ChatEngine {
public:
    explicit WritingEngine(std::deque<Raw> replies, std::vector<ChatRequest> &requests)
        : m_replies(std::move(replies)),
          m_requests(requests)
    {
    }
    Capabilities capabilities() const override { return {}; }
    Result<ReplySummary> reply(const ChatRequest &request, const ReplySink &sink, std::stop_token) override
    {
        m_requests.push_back(request);
        const Raw raw = m_replies.empty() ? Raw{"I see."} : m_replies.front();
        if (!m_replies.empty())
            m_replies.pop_front();
        return eventsOf(raw, request, sink);
    }

private:
    std::deque<Raw> m_replies;
    std::vector<ChatRequest> &m_requests;
};

const std::string kSection = "<|tool_calls_section_begin|>", kEnd = "<|tool_calls_section_end|>";

std::string call(const std::string &id, const std::string &arguments, bool ends = true)
{
    return "<|tool_call_begin|>" + id + "<|tool_call_argument_begin|>" + arguments +
           (ends ? "<|tool_call_end|>" : "");
}

} // namespace

class BrokenCallsTest : public QObject {
    Q_OBJECT

private slots:
    void callsBecomeEvents_data();
    void callsBecomeEvents();
    void theConversationKeepsThem_data();
    void theConversationKeepsThem();
};

void BrokenCallsTest::callsBecomeEvents_data()
{
    QTest::addColumn<QString>("raw");
    QTest::addColumn<int>("finish");
    QTest::addColumn<QStringList>("calls"); // "id|name|arguments"
    QTest::addColumn<int>("malformed");
    QTest::addColumn<int>("ends");
    const auto row = [](const char *name, const std::string &raw, Finish finish, const QStringList &calls,
                        int malformed, Finish ends) {
        QTest::newRow(name) << QString::fromStdString(raw) << int(finish) << calls << malformed << int(ends);
    };
    const std::string id = "functions.calculator:0";
    row("whole", kSection + call(id, "{\"a\": 1}") + kEnd, Finish::Stop,
        {"functions.calculator:0|calculator|{\"a\": 1}"}, 0, Finish::ToolCalls);
    row("no JSON", kSection + call(id, "{\"a\": }") + kEnd, Finish::Stop,
        {"functions.calculator:0|calculator|{\"a\": }"}, 0, Finish::ToolCalls);
    row("no object", kSection + call(id, "[1]") + kEnd, Finish::Stop,
        {"functions.calculator:0|calculator|[1]"}, 0, Finish::ToolCalls);
    row("cut off in its arguments", kSection + call(id, "{\"a", false), Finish::Length,
        {"functions.calculator:0||{\"a"}, 1, Finish::Length);
    row("whole arguments without an end", kSection + call(id, "{\"a\": 1}", false), Finish::Stop,
        {"functions.calculator:0||{\"a\": 1}"}, 1, Finish::Stop);
    row("cut off in its header", "Well." + kSection + "<|tool_call_begin|>functions.calc", Finish::Length,
        {"functions.calc||"}, 1, Finish::Length);
    row("foreign id", kSection + call("calculator", "{\"a\": 1}") + kEnd, Finish::Stop,
        {"calculator||{\"a\": 1}"}, 1, Finish::Stop);
    row("one good, one broken off", kSection + call(id, "{}") + call("functions.calculator:1", "{", false),
        Finish::Stop, {"functions.calculator:0|calculator|{}", "functions.calculator:1||{"}, 1,
        Finish::ToolCalls);
}

void BrokenCallsTest::callsBecomeEvents()
{
    QFETCH(const QString, raw);
    QFETCH(const int, finish);
    QFETCH(const QStringList, calls);
    QFETCH(const int, malformed);
    QFETCH(const int, ends);
    QStringList found;
    ChatRequest request;
    request.thinking = false;
    const ReplySummary summary =
        eventsOf({raw.toStdString(), static_cast<Finish>(finish)}, request, [&](const ReplyEvent &event) {
            if (const auto *ready = std::get_if<ToolCallReady>(&event))
                found += QString::fromStdString(ready->call.id + '|' + ready->call.name + '|' +
                                                ready->call.argumentsJson);
        });
    QCOMPARE(found, calls);
    QCOMPARE(int(summary.malformedCalls.size()), malformed);
    QCOMPARE(int(summary.finish), ends);
}

void BrokenCallsTest::theConversationKeepsThem_data()
{
    QTest::addColumn<QString>("raw");
    QTest::addColumn<int>("finish");
    QTest::addColumn<QString>("result"); // how it begins
    QTest::addColumn<int>("requests");   // the model is asked again where it stopped by itself
    const auto row = [](const char *name, const std::string &raw, Finish finish, const char *result,
                        int requests) {
        QTest::newRow(name) << QString::fromStdString(raw) << int(finish) << result << requests;
    };
    const std::string id = "functions.calculator:0";
    row("good", kSection + call(id, R"({"expression": "1 + 1"})") + kEnd, Finish::Stop, "2", 2);
    row("no JSON", kSection + call(id, R"({"expression": 1 +)") + kEnd, Finish::Stop,
        "Error: the arguments are no JSON: ", 2);
    row("no end", kSection + call(id, R"({"expression": "1 + 1"})", false), Finish::Stop,
        "Error: this call broke off", 2);
    row("foreign id", kSection + call("calculator", R"({"expression": "1 + 1"})") + kEnd, Finish::Stop,
        "Error: this call broke off or can't be understood", 2);
    row("cut off", kSection + call(id, R"({"expression)", false), Finish::Length,
        "Error: the answer reached its longest allowed length", 1);
}

void BrokenCallsTest::theConversationKeepsThem()
{
    QFETCH(const QString, raw);
    QFETCH(const int, finish);
    QFETCH(const QString, result);
    QFETCH(const int, requests);
    const QTemporaryDir folder;
    JobQueue gui;
    test::TurnLog log;
    const ToolRegistry registry = builtinTools();
    ToolChoices choices;
    choices.approve(0, "calculator", Approval::Always);
    std::vector<ChatRequest> asked;
    const Raw reply{raw.toStdString(), static_cast<Finish>(finish)};
    StoreThread store(std::move(*ConversationStore::open(folder.path().toStdString())), gui.poster());
    Worker media, engine;
    TurnRunner runner({
        .store = &store,
        .engineWorker = &engine,
        .mediaWorkers = {&media, &media},
        .post = gui.poster(),
        .openEngine = [&](const auto &, const std::stop_token &) -> Result<std::unique_ptr<ChatEngine>> {
            return std::unique_ptr<ChatEngine>(
                std::make_unique<WritingEngine>(std::deque<Raw>{reply}, asked));
                         },
        .prepare = {},
        .tools = {&registry, &choices, {}}
    });
    runner.setListener(&log);
    TurnDraft draft;
    draft.message.parts.emplace_back(TextPart{"Count"});
    draft.options.thinking = false;
    draft.options.tools = {"calculator"};
    draft.options.toolsJson = registry.declarations(draft.options.tools);
    runner.start(std::move(draft));
    QVERIFY(gui.runUntil([&] { return runner.idle(); }, 20s));

    QCOMPARE(int(asked.size()), requests);
    QCOMPARE(log.results.size(), std::size_t(1));
    const QString told = QString::fromStdString(test::wordsOf(log.results[0].message));
    QVERIFY2(told.startsWith(result), qPrintable(told));
    QCOMPARE(callsOf(log.finished[0].message).size(), std::size_t(1)); // in the store, and in view
    if (requests == 2)
        QVERIFY(asked[1].messages.back() == log.results[0].message);
}

QTEST_GUILESS_MAIN(BrokenCallsTest)
#include "broken_calls_test.moc"
