// A chat that is there to be killed: kill_victim FOLDER NUMBER. Sends messages one after another to an engine
// that counts, and says on stdout what a window would have shown by then, a line each:
//
//   sent CONVERSATION TEXT      the message is stored
//   seen MILLISECONDS REPLY N   the answer has reached the number N (steady clock)
#include "app/concurrency/job_queue.h"
#include "app/turn/turn_runner.h"
#include "tests/support/scripted_engine.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace perilune;

namespace {

void say(const std::string &line)
{
    // One write: what the parent reads was complete before the kill.
    if (::write(STDOUT_FILENO, (line + '\n').data(), line.size() + 1) < 0)
        std::_Exit(1);
}

class Witness : public TurnListener {
public:
    ConversationId conversation = 0;
    MessageId last = 0;

    void engineChanged(const EngineState &) override {}
    void turnChanged(TurnId, const TurnState &) override {}
    void messageStored(TurnId, ConversationId id, const StoredMessage &message) override
    {
        conversation = id;
        say("sent " + std::to_string(id) + " " + std::get<TextPart>(message.message.parts[0]).text);
    }
    void replyBegan(TurnId, ConversationId, const StoredMessage &) override {}
    void replyGrew(TurnId, MessageId reply, const std::vector<ReplyEvent> &events) override
    {
        using namespace std::chrono;
        const auto now = duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
        std::string number = std::get<TextDelta>(events.back()).text;
        number.pop_back(); // its space
        say("seen " + std::to_string(now) + " " + std::to_string(reply) + " " + number);
    }
    void replyFinished(TurnId, ConversationId, const StoredMessage &reply) override { last = reply.id; }
    void callChanged(TurnId, MessageId, std::size_t, CallState) override {}
    void resultStored(TurnId, ConversationId, const StoredMessage &) override {}
    void titled(ConversationId, const std::string &) override {}
    void storeFailed(TurnId, const Error &error) override
    {
        say("failed " + error.message);
        std::_Exit(1);
    }
};

test::ScriptedReply counting(int from, int count)
{
    test::ScriptedReply reply;
    reply.pause = std::chrono::milliseconds(4);
    for (int i = 0; i < count; ++i)
        reply.events.emplace_back(TextDelta{std::to_string(from + i) + " "});
    return reply;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const std::string number = argv[2];
    JobQueue gui;
    auto opened = ConversationStore::open(argv[1]);
    if (!opened) {
        say("failed " + opened.error().message);
        return 1;
    }
    StoreThread store(std::move(*opened), gui.poster());
    Worker engine;
    const auto script = std::make_shared<test::Script>();
    TurnRunner runner({&store, &engine, {}, gui.poster(), test::scriptedOpener(script), {}});
    Witness witness;
    runner.setListener(&witness);
    for (int turn = 0;; ++turn) {
        // Short answers and long ones, so that kills meet beginnings, middles and ends.
        script->say(counting(1, turn % 2 == 0 ? 20 : 500));
        TurnDraft draft;
        draft.conversation = witness.conversation;
        draft.parent = witness.last;
        draft.message.parts.emplace_back(TextPart{"message " + number + "." + std::to_string(turn)});
        runner.start(std::move(draft));
        gui.runUntil([&] { return runner.idle(); }, std::chrono::hours(1));
    }
}
