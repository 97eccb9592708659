#include "app/concurrency/job_queue.h"
#include "app/turn/turn_runner.h"
#include "tests/support/scripted_engine.h"
#include "tests/support/turn_log.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;
using namespace std::chrono_literals;
using Stage = TurnState::Stage;

namespace {

/// A store, an engine that follows a script, and the runner between them.
struct Scene {
    QTemporaryDir folder;
    JobQueue gui;
    std::shared_ptr<test::Script> script = std::make_shared<test::Script>();
    test::TurnLog log;
    std::unique_ptr<StoreThread> store;
    std::unique_ptr<Worker> media;
    std::unique_ptr<Worker> engine;
    std::unique_ptr<TurnRunner> runner;
    PrepareMedia prepare;

    void open()
    {
        store = std::make_unique<StoreThread>(
            std::move(*ConversationStore::open(folder.path().toStdString())), gui.poster());
        media = std::make_unique<Worker>();
        engine = std::make_unique<Worker>();
        runner = std::make_unique<TurnRunner>(TurnRunner::Services{
            store.get(),
            engine.get(),
            {media.get(), media.get()},
            gui.poster(),
            test::scriptedOpener(script),
            prepare
        });
        runner->setListener(&log);
    }
    void close()
    {
        runner.reset();
        engine.reset();
        media.reset();
        store.reset();
    }
    ~Scene() { close(); }

    TurnId say(const std::string &text, ConversationId conversation = 0, MessageId parent = 0)
    {
        TurnDraft draft;
        draft.conversation = conversation;
        draft.parent = parent;
        draft.message.parts.emplace_back(TextPart{text});
        return runner->start(std::move(draft));
    }
    bool until(const std::function<bool()> &done) { return gui.runUntil(done, 10s); }
    bool untilIdle()
    {
        return until([this] { return runner->idle(); });
    }
    /// What the store holds now; asked on its thread.
    StoredConversation stored(ConversationId id)
    {
        std::optional<StoredConversation> found;
        store->ask([id](ConversationStore &s) { return *s.load(id); },
                   [&](StoredConversation c) { found = std::move(c); });
        until([&] { return found.has_value(); });
        return *found;
    }
};

MediaPart pictureAt(const QString &path)
{
    MediaPart part;
    part.path = path.toStdString();
    part.name = "cat.png";
    return part;
}

std::string textOf(const Message &message)
{
    std::string all;
    for (const Part &part : message.parts) {
        if (const auto *text = std::get_if<TextPart>(&part))
            all += text->text;
    }
    return all;
}

} // namespace

class TurnRunnerTest : public QObject {
    Q_OBJECT

private slots:
    void answersInOrder();
    void messageIsOnDiskBeforeTheEngineIsAsked();
    void stopKeepsWhatArrived();
    void nextMessageWorksAtOnceAfterStop();
    void stoppedWhileWaitingAsksNothing();
    void engineErrorKeepsMessageAndSaysWhy();
    void engineThatDoesNotOpenIsTriedAgain();
    void lostDeviceIsOpenedAnew();
    void emptyReplyIsComplete();
    void thinkingAndToolCallsAreParts();
    void retryIsAnotherBranch();
    void historyIsTheWholePath();
    void fullDiskKeepsNothingHalf();
    void answerWaitsForSpaceOnAFullDisk();
    void patchesArePreparedOnceAndKept();
    void everyAnswerSeesWhatWasChosen();
    void brokenPictureFailsTheTurn();
    void endOfTheProgramKeepsTheAnswer();
    void showsWhatItIsDoing();
    void samplesAsTheModelSuggestsUnlessWished();
};

void TurnRunnerTest::answersInOrder()
{
    Scene scene;
    scene.open();
    scene.script->say("It is a cat.");

    scene.say("What is this?");
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.lines, (std::vector<std::string>{"stored", "began", "grew", "finished complete"}));
    QCOMPARE(scene.log.text, std::string("It is a cat."));
    const StoredConversation conversation = scene.stored(scene.log.stored[0].conversation);
    QCOMPARE(conversation.row.title, std::string("What is this?"));
    QCOMPARE(conversation.path.size(), std::size_t(2));
    QCOMPARE(textOf(conversation.path[1].message), std::string("It is a cat."));
    QCOMPARE(conversation.path[1].state, MessageState::Complete);
    QVERIFY(conversation.path[1].stats.has_value());
    QCOMPARE(conversation.path[1].stats->model, std::string("Scripted"));
    QCOMPARE(conversation.path[1].stats->summary.newTokens, 4u);
}

void TurnRunnerTest::messageIsOnDiskBeforeTheEngineIsAsked()
{
    Scene scene;
    std::optional<std::size_t> messagesSeen;
    std::optional<MessageState> replyState;
    scene.open();
    scene.runner->replaceEngine([&](const auto &, std::stop_token) -> Result<std::unique_ptr<ChatEngine>> {
        // A second connection sees only what is committed.
        auto other = ConversationStore::open(scene.folder.path().toStdString());
        const auto rows = (*other)->list();
        messagesSeen = (*(*other)->load(rows->front().id)).path.size();
        replyState = (*(*other)->load(rows->front().id)).path.back().state;
        return Error{ErrorCode::NoDevice, "no device"};
    });

    scene.say("Remember me");
    QVERIFY(scene.untilIdle());

    QCOMPARE(messagesSeen, std::optional<std::size_t>(2));
    QCOMPARE(replyState, std::optional(MessageState::Streaming)); // the writer lives
}

void TurnRunnerTest::stopKeepsWhatArrived()
{
    Scene scene;
    scene.open();
    scene.script->say("one two three four five six seven eight nine ten", 30ms);

    const TurnId turn = scene.say("count");
    QVERIFY(scene.until([&] { return scene.log.text.size() > 8; }));
    scene.runner->stop(turn);
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.lines.back(), std::string("finished cancelled"));
    const StoredConversation conversation = scene.stored(scene.log.stored[0].conversation);
    const std::string kept = textOf(conversation.path[1].message);
    QCOMPARE(conversation.path[1].state, MessageState::Cancelled);
    QCOMPARE(kept, scene.log.text);
    QVERIFY(kept.size() > 8 && kept.find("ten") == std::string::npos);
}

void TurnRunnerTest::nextMessageWorksAtOnceAfterStop()
{
    Scene scene;
    scene.open();
    scene.script->say("a very long answer that nobody reads to its end at all", 200ms);
    scene.script->say("short");

    const TurnId first = scene.say("one");
    QVERIFY(scene.until([&] { return !scene.log.text.empty(); }));
    scene.runner->stop(first);
    scene.say("two", scene.log.stored[0].conversation, scene.log.begun[0].id);
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.finished.size(), std::size_t(2));
    const StoredConversation conversation = scene.stored(scene.log.stored[0].conversation);
    QCOMPARE(conversation.path.size(), std::size_t(4));
    QCOMPARE(conversation.path[1].state, MessageState::Cancelled);
    QCOMPARE(textOf(conversation.path[2].message), std::string("two"));
    QCOMPARE(textOf(conversation.path[3].message), std::string("short"));
    // The second request has the words that had come before the stop.
    QCOMPARE(scene.script->requests()[1].messages.size(), std::size_t(3));
}

void TurnRunnerTest::stoppedWhileWaitingAsksNothing()
{
    Scene scene;
    scene.open();
    scene.script->say("slow answer", 100ms);

    scene.say("one");
    const TurnId second = scene.say("two");
    QVERIFY(scene.until([&] { return scene.log.stored.size() == 2; }));
    QVERIFY(scene.runner->turnIn(scene.log.stored[1].conversation) == second);
    scene.runner->stop(second);
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.script->requests().size(), std::size_t(1));
    QCOMPARE(scene.stored(scene.log.stored[1].conversation).path.size(),
             std::size_t(1)); // the message is kept
}

void TurnRunnerTest::engineErrorKeepsMessageAndSaysWhy()
{
    Scene scene;
    scene.open();
    test::ScriptedReply broken;
    broken.events = {TextDelta{"half an"}};
    broken.error = Error{ErrorCode::OutOfMemory, "the prompt needs 9000 tokens, the context has 4096"};
    scene.script->say(broken);

    scene.say("long story");
    QVERIFY(scene.untilIdle());

    const StoredConversation conversation = scene.stored(scene.log.stored[0].conversation);
    QCOMPARE(textOf(conversation.path[0].message), std::string("long story"));
    QCOMPARE(conversation.path[1].state, MessageState::Failed);
    QCOMPARE(conversation.path[1].note, std::string("the prompt needs 9000 tokens, the context has 4096"));
    QCOMPARE(textOf(conversation.path[1].message), std::string("half an"));
}

void TurnRunnerTest::engineThatDoesNotOpenIsTriedAgain()
{
    Scene scene;
    scene.open();
    scene.script->failToOpen({ErrorCode::NoDevice, "no Vulkan device was found"});

    scene.say("hello");
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.finished[0].note, std::string("no Vulkan device was found"));
    QVERIFY(scene.until([&] { return scene.runner->engine().stage == EngineState::Stage::Failed; }));

    scene.runner->retry(scene.log.stored[0].conversation, scene.log.stored[0].id, {});
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.finished[1].state, MessageState::Complete);
    QVERIFY(scene.until([&] { return scene.runner->engine().stage == EngineState::Stage::Ready; }));
}

void TurnRunnerTest::lostDeviceIsOpenedAnew()
{
    Scene scene;
    scene.open();
    test::ScriptedReply lost;
    lost.error = Error{ErrorCode::DeviceLost, "the graphics card stopped answering"};
    scene.script->say(lost);

    scene.say("one");
    QVERIFY(scene.untilIdle());
    scene.say("two", scene.log.stored[0].conversation, scene.log.begun[0].id);
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.script->openings(), 2);
    QCOMPARE(scene.log.finished[0].state, MessageState::Failed);
    QCOMPARE(scene.log.finished[1].state, MessageState::Complete);
}

void TurnRunnerTest::emptyReplyIsComplete()
{
    Scene scene;
    scene.open();
    scene.script->say(test::ScriptedReply{});

    scene.say("say nothing");
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.lines, (std::vector<std::string>{"stored", "began", "finished complete"}));
    QVERIFY(scene.stored(scene.log.stored[0].conversation).path[1].message.parts.empty());
}

void TurnRunnerTest::thinkingAndToolCallsAreParts()
{
    Scene scene;
    scene.open();
    const ToolCallPart call{"functions.f:0", "f", R"({"a": 1})"};
    test::ScriptedReply reply;
    reply.events = {ThinkingDelta{"I "}, ThinkingDelta{"think."}, TextDelta{"Let "}, TextDelta{"me."},
                    ToolCallReady{call}};
    reply.finish = ReplySummary::Finish::ToolCalls;
    scene.script->say(reply);

    scene.say("go");
    QVERIFY(scene.untilIdle());

    const StoredMessage answer = scene.stored(scene.log.stored[0].conversation).path[1];
    QCOMPARE(answer.message.parts, (std::vector<Part>{ThinkingPart{"I think."}, TextPart{"Let me."}, call}));
    QCOMPARE(answer.stats->summary.finish, ReplySummary::Finish::ToolCalls);
}

void TurnRunnerTest::retryIsAnotherBranch()
{
    Scene scene;
    scene.open();
    scene.script->say("first answer");
    scene.script->say("second answer");

    scene.say("question");
    QVERIFY(scene.untilIdle());
    const StoredMessage question = scene.log.stored[0];
    scene.runner->retry(question.conversation, question.id, {});
    QVERIFY(scene.untilIdle());

    const StoredConversation conversation = scene.stored(question.conversation);
    QCOMPARE(conversation.path.size(), std::size_t(2));
    QCOMPARE(textOf(conversation.path[1].message), std::string("second answer"));
    QCOMPARE(conversation.path[1].branch, 1u);
    QCOMPARE(conversation.path[1].branches, 2u);
    QCOMPARE(scene.script->requests()[1].messages.size(), std::size_t(1)); // the first answer isn't in it
}

void TurnRunnerTest::historyIsTheWholePath()
{
    Scene scene;
    scene.open();
    scene.script->say("A");
    scene.script->say("B");

    scene.say("1");
    QVERIFY(scene.untilIdle());
    scene.say("2", scene.log.stored[0].conversation, scene.log.finished[0].id);
    QVERIFY(scene.untilIdle());

    const auto requests = scene.script->requests();
    QCOMPARE(requests.size(), std::size_t(2));
    QStringList texts;
    for (const Message &message : requests[1].messages)
        texts += QString::fromStdString(textOf(message));
    QCOMPARE(texts, QStringList({"1", "A", "2"}));
}

void TurnRunnerTest::fullDiskKeepsNothingHalf()
{
    Scene scene;
    scene.open();
    scene.store->run([](ConversationStore &store) {
        const auto pages = *store.database().integer("PRAGMA page_count");
        (void)store.database().integer("PRAGMA max_page_count = " + std::to_string(pages + 2));
    });

    scene.say(std::string(100'000, 'x'));
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.lines, std::vector<std::string>{"failed"});
    QCOMPARE(scene.log.storeErrors[0].code, ErrorCode::NoSpace);
    QVERIFY(scene.script->requests().empty());
    std::optional<std::size_t> conversations;
    scene.store->ask([](ConversationStore &store) { return store.list()->size(); },
                     [&](std::size_t count) { conversations = count; });
    QVERIFY(scene.until([&] { return conversations.has_value(); }));
    QCOMPARE(*conversations, std::size_t(0));

    // There is space again: work goes on.
    scene.store->run(
        [](ConversationStore &store) { (void)store.database().integer("PRAGMA max_page_count = 1000000"); });
    scene.say(std::string(100'000, 'x'));
    QVERIFY(scene.untilIdle());
    QCOMPARE(scene.log.lines.back(), std::string("finished complete"));
}

void TurnRunnerTest::answerWaitsForSpaceOnAFullDisk()
{
    Scene scene;
    scene.open();
    test::ScriptedReply reply;
    reply.pause = 20ms;
    for (int i = 0; i < 10; ++i)
        reply.events.emplace_back(TextDelta{std::string(50'000, char('a' + i))});
    scene.script->say(reply);

    scene.say("write a book");
    QVERIFY(scene.until([&] { return !scene.log.begun.empty(); }));
    scene.store->run([](ConversationStore &store) {
        const auto pages = *store.database().integer("PRAGMA page_count");
        (void)store.database().integer("PRAGMA max_page_count = " + std::to_string(pages + 2));
    });
    QVERIFY(scene.untilIdle());

    // The person is told and sees the whole answer; the next turn could begin.
    QVERIFY(!scene.log.storeErrors.empty());
    QCOMPARE(scene.log.storeErrors[0].code, ErrorCode::NoSpace);
    QCOMPARE(scene.log.lines.back(), std::string("finished complete"));
    QCOMPARE(textOf(scene.log.finished[0].message).size(), std::size_t(500'000));

    scene.store->run(
        [](ConversationStore &store) { (void)store.database().integer("PRAGMA max_page_count = 1000000"); });
    QVERIFY(!scene.gui.runUntil([] { return false; }, 1500ms)); // it is tried again each second
    const StoredMessage answer = scene.stored(scene.log.stored[0].conversation).path[1];
    QCOMPARE(answer.state, MessageState::Complete);
    QCOMPARE(textOf(answer.message), scene.log.text);
}

void TurnRunnerTest::patchesArePreparedOnceAndKept()
{
    Scene scene;
    scene.script->capabilities.wantsPatches = true;
    scene.script->capabilities.visionConfigPath = "preprocessor_config.json";
    std::atomic<int> prepared = 0;
    scene.prepare = [&](const MediaPart &part, KindFrom kind, const std::string &config,
                        const std::stop_token &, const auto &) -> Result<Attachment> {
        if (kind != KindFrom::Part)
            return Error{ErrorCode::InvalidInput, "a stored picture must stay one"};
        ++prepared;
        Attachment attachment;
        attachment.part = part;
        auto patches = std::make_shared<VisionPatches>();
        patches->contentId = config;
        patches->pixelValues.resize(10);
        attachment.part.patches = patches;
        return attachment;
    };
    scene.open();
    QFile picture(scene.folder.filePath("cat.png"));
    QVERIFY(picture.open(QIODevice::WriteOnly));
    picture.write("bytes of a cat");
    picture.close();

    TurnDraft draft;
    draft.message.parts.emplace_back(TextPart{"look"});
    draft.message.parts.emplace_back(pictureAt(picture.fileName()));
    scene.runner->start(draft);
    QVERIFY(scene.untilIdle());
    QVERIFY(QFile::remove(picture.fileName())); // the store has its own copy
    scene.say("and now?", scene.log.stored[0].conversation, scene.log.finished[0].id);
    QVERIFY(scene.untilIdle());

    QCOMPARE(prepared.load(), 1);
    const auto requests = scene.script->requests();
    QCOMPARE(requests.size(), std::size_t(2));
    for (const ChatRequest &request : requests) {
        const auto &media = std::get<MediaPart>(request.messages[0].parts[1]);
        QVERIFY(media.patches);
        QCOMPARE(media.patches->contentId, std::string("preprocessor_config.json"));
        QVERIFY(media.path.starts_with(scene.folder.path().toStdString() + "/media/"));
    }

    // After a restart they are made again from the stored file.
    scene.close();
    scene.open();
    scene.say("once more", scene.log.stored[0].conversation, scene.log.finished[1].id);
    QVERIFY(scene.untilIdle());
    QCOMPARE(prepared.load(), 2);
    QCOMPARE(scene.log.lines.back(), std::string("finished complete"));
}

/// One file taken in three ways is prepared in three ways, and so again by a retry after a restart.
void TurnRunnerTest::everyAnswerSeesWhatWasChosen()
{
    Scene scene;
    scene.script->capabilities.wantsPatches = true;
    scene.prepare = [](const MediaPart &part, KindFrom, const std::string &, const std::stop_token &,
                       const auto &) -> Result<Attachment> {
        auto patches = std::make_shared<VisionPatches>();
        patches->contentId = std::string(part.kind == MediaPart::Kind::Video ? "clip" : "picture") +
                             " from " + std::to_string(part.choice.fromSeconds.value_or(0));
        Attachment attachment;
        attachment.part = part;
        attachment.part.patches = patches;
        return attachment;
    };
    scene.open();
    QVERIFY(QFile(scene.folder.filePath("cat.gif")).open(QIODevice::WriteOnly));
    TurnDraft draft;
    draft.message.parts.assign(3, pictureAt(scene.folder.filePath("cat.gif")));
    std::get<MediaPart>(draft.message.parts[1]).kind = MediaPart::Kind::Video;
    std::get<MediaPart>(draft.message.parts[2]).choice.fromSeconds = 2;

    scene.runner->start(draft);
    QVERIFY(scene.untilIdle());
    scene.close();
    scene.open();
    scene.runner->retry(scene.log.stored[0].conversation, scene.log.stored[0].id, {});
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.script->requests().size(), std::size_t(2));
    for (const ChatRequest &request : scene.script->requests()) {
        const char *seen[] = {"picture from 0.000000", "clip from 0.000000", "picture from 2.000000"};
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(std::get<MediaPart>(request.messages[0].parts[i]).patches->contentId,
                     std::string(seen[i]));
    }
}

void TurnRunnerTest::brokenPictureFailsTheTurn()
{
    Scene scene;
    scene.script->capabilities.wantsPatches = true;
    scene.prepare = [](const MediaPart &part, KindFrom, const std::string &, const std::stop_token &,
                       const auto &) -> Result<Attachment> {
        return Error{ErrorCode::Corrupt, part.name + " is damaged after its first rows"};
    };
    scene.open();
    QFile picture(scene.folder.filePath("cat.png"));
    QVERIFY(picture.open(QIODevice::WriteOnly));
    picture.close();

    TurnDraft draft;
    draft.message.parts.emplace_back(pictureAt(picture.fileName()));
    scene.runner->start(draft);
    QVERIFY(scene.untilIdle());

    QCOMPARE(scene.log.finished[0].note, std::string("cat.png is damaged after its first rows"));
    QVERIFY(scene.script->requests().empty());
}

void TurnRunnerTest::endOfTheProgramKeepsTheAnswer()
{
    Scene scene;
    scene.open();
    scene.script->say("one two three four five six seven eight nine ten", 20ms);
    scene.say("count");
    QVERIFY(scene.until([&] { return scene.log.text.size() > 8; }));

    scene.close(); // as when the window is closed in mid-answer
    scene.open();

    const StoredConversation conversation = scene.stored(scene.log.stored[0].conversation);
    QCOMPARE(conversation.path[1].state, MessageState::Cancelled);
    QVERIFY(textOf(conversation.path[1].message).starts_with(scene.log.text));
}

void TurnRunnerTest::showsWhatItIsDoing()
{
    Scene scene;
    scene.open();
    test::ScriptedReply reply;
    reply.pause = 40ms;
    reply.events = {
        Progress{Progress::Stage::Vision, 1, 2},
        Progress{Progress::Stage::Prefill, 64, 128},
        TextDelta{"a"},
        TextDelta{"b"},
        TextDelta{"c"}
    };
    scene.script->say(reply);

    scene.say("look");
    QVERIFY(scene.untilIdle());

    const std::vector<Stage> expected = {Stage::Saving,  Stage::Loading, Stage::Vision,
                                         Stage::Prefill, Stage::Writing, Stage::Finished};
    QCOMPARE(scene.log.stages, expected);
    QCOMPARE(scene.log.engineStates.back().stage, EngineState::Stage::Ready);
}

void TurnRunnerTest::samplesAsTheModelSuggestsUnlessWished()
{
    Scene scene;
    scene.script->capabilities.suggestedSampling = {
        .temperature = 0, .topP = 0.9f, .minP = 0.1f, .topK = 7, .seed = {}};
    scene.open();
    scene.say("question");
    QVERIFY(scene.untilIdle());
    const StoredMessage question = scene.log.stored[0];
    TurnOptions cooler;
    cooler.sampling.temperature = 0.25f;
    scene.runner->retry(question.conversation, question.id, cooler);
    QVERIFY(scene.untilIdle());
    TurnOptions fewer;
    fewer.sampling.topK = 3; // means nothing to a greedy choice
    scene.runner->retry(question.conversation, question.id, fewer);
    QVERIFY(scene.untilIdle());

    const auto requests = scene.script->requests();
    QCOMPARE(requests.size(), std::size_t(3));
    QCOMPARE(requests[0].sampling.temperature, 0.0f);
    QCOMPARE(requests[0].sampling.topK, 7u);
    QCOMPARE(requests[1].sampling.temperature, 0.25f);
    QCOMPARE(requests[1].sampling.topP, 0.9f);
    QCOMPARE(requests[2].sampling.temperature, 1.0f);
    QCOMPARE(requests[2].sampling.topK, 3u);
    QCOMPARE(requests[2].sampling.minP, 0.1f);
    const StoredConversation conversation = scene.stored(question.conversation);
    QCOMPARE(conversation.path.back().stats->sampling.topK, 3u); // what was used is what is kept
}

QTEST_GUILESS_MAIN(TurnRunnerTest)
#include "turn_runner_test.moc"
