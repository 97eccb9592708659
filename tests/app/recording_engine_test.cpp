#include "app/store/database.h"
#include "app/turn/recording_engine.h"
#include "tests/support/scripted_engine.h"

#include <QTemporaryDir>
#include <QTest>
#include <stdexcept>

using namespace perilune;

class RecordingEngineTest : public QObject {
    Q_OBJECT

private slots:
    void keepsMessagesOnceAndTheAnswer();
    void replyEndsWhereKeepingItBreaksOff();

private:
    static Message said(const std::string &text);
};

Message RecordingEngineTest::said(const std::string &text)
{
    Message message;
    message.parts.emplace_back(TextPart{text});
    return message;
}

void RecordingEngineTest::keepsMessagesOnceAndTheAnswer()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<test::Script>();
    test::ScriptedEngine engine(script);
    script->say("An answer");
    ConversationId conversation = 0;
    {
        RecordingEngine recording(engine, *ConversationStore::open(folder.path().toStdString()), {});
        ChatRequest request;
        request.messages.push_back(said("A question"));
        QVERIFY(recording.keep(request.messages));
        conversation = recording.conversation();
        QVERIFY(conversation != 0); // before the engine is asked
        QVERIFY(recording.reply(request, [](ReplyEvent) {}, {}));
    }

    const auto stored = (*ConversationStore::open(folder.path().toStdString()))->load(conversation);

    QVERIFY(stored);
    QCOMPARE(stored->path.size(), 2u);
    QCOMPARE(stored->path[1].state, MessageState::Complete);
}

/// Main memory may end while an answer is brought to the disk; here the one who is told of a failed write
/// throws in its place.
void RecordingEngineTest::replyEndsWhereKeepingItBreaksOff()
{
    const QTemporaryDir folder;
    const auto script = std::make_shared<test::Script>();
    test::ScriptedEngine engine(script);
    script->say("An answer");
    RecordingEngine recording(engine, *ConversationStore::open(folder.path().toStdString()),
                              [](const Error &) { throw std::runtime_error("main memory is full"); });
    ChatRequest request;
    request.messages.push_back(said("A question"));
    const ReplySink sink = [&](ReplyEvent) {
        Result<Database> other = Database::open(folder.filePath("conversations.db").toStdString());
        QVERIFY(other && other->run("DROP TABLE IF EXISTS reply_stats"));
    };

    const Result<ReplySummary> summary = recording.reply(request, sink, {});

    QVERIFY(!summary);
    QVERIFY2(summary.error().message.ends_with("main memory is full"), summary.error().message.c_str());
}

QTEST_GUILESS_MAIN(RecordingEngineTest)
#include "recording_engine_test.moc"
