#include "tests/engine_contract.h"
#include "tests/support/scripted_engine.h"

using namespace perilune;
using namespace std::chrono_literals;

class ScriptedEngineTest : public test::EngineContract {
    Q_OBJECT

protected:
    std::unique_ptr<ChatEngine> make() override
    {
        return std::make_unique<test::ScriptedEngine>(std::make_shared<test::Script>());
    }
    std::unique_ptr<ChatEngine> makeEndless() override
    {
        auto script = std::make_shared<test::Script>();
        std::string words;
        for (int i = 0; i < 200; ++i)
            words += "word ";
        script->say(words, 20ms);
        return std::make_unique<test::ScriptedEngine>(script);
    }
    std::unique_ptr<ChatEngine> makeFailing() override
    {
        auto script = std::make_shared<test::Script>();
        test::ScriptedReply reply;
        reply.error = Error{ErrorCode::OutOfMemory, "the device's memory is full"};
        script->say(reply);
        return std::make_unique<test::ScriptedEngine>(script);
    }

private slots:
    void handsOutToolCalls();
};

void ScriptedEngineTest::handsOutToolCalls()
{
    auto script = std::make_shared<test::Script>();
    test::ScriptedReply reply;
    reply.events = {ToolCallReady{{"functions.f:0", "f", "{}"}}};
    reply.finish = ReplySummary::Finish::ToolCalls;
    script->say(reply);
    test::ScriptedEngine engine(script);
    std::vector<ReplyEvent> events;

    const auto summary =
        engine.reply(say("call"), [&](ReplyEvent event) { events.push_back(std::move(event)); }, {});

    QCOMPARE(summary->finish, ReplySummary::Finish::ToolCalls);
    QCOMPARE(std::get<ToolCallReady>(events.at(0)).call.name, std::string("f"));
    QCOMPARE(script->requests().size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(ScriptedEngineTest)
#include "scripted_engine_test.moc"
