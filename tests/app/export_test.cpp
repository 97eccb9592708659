#include "app/export/json.h"
#include "app/export/markdown.h"
#include "tests/support/golden.h"

#include <QTest>

using namespace perilune;

namespace {

const char *kSha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // of "abc"

StoredMessage made(MessageId id, MessageId parent, Role role)
{
    StoredMessage message;
    message.id = id;
    message.parent = parent;
    message.message.role = role;
    message.createdMs = 1'796'000'000'000 + id;
    message.finishedMs = message.createdMs + 500;
    return message;
}

/// A picture, thinking, a tool, two branches, a stop.
std::vector<StoredMessage> weatherTree()
{
    StoredMessage question = made(1, 0, Role::User);
    question.message.parts.emplace_back(TextPart{"What is the weather in *Oslo*?"});
    MediaPart media;
    media.path = std::string("/data/media/ba/") + kSha;
    media.name = "sky [1].png";
    question.message.parts.emplace_back(media);

    StoredMessage call = made(2, 1, Role::Assistant);
    call.message.parts.emplace_back(ThinkingPart{"I need\nthe tool."});
    call.message.parts.emplace_back(
        ToolCallPart{"functions.get_weather:0", "get_weather", "{\"city\":\"Oslo ```\"}"});
    call.stats.emplace();
    call.stats->model = "Kimi K2.5";
    call.stats->device = "llvmpipe";
    call.stats->sampling.temperature = 0.5f;
    call.stats->summary.seed = 0xfedcba9876543210u;
    call.stats->summary.newTokens = 12;
    call.stats->summary.finish = ReplySummary::Finish::ToolCalls;
    call.stats->summary.decodeSeconds = 0.25;

    StoredMessage result = made(3, 2, Role::Tool);
    result.message.toolCallId = "functions.get_weather:0";
    result.message.parts.emplace_back(TextPart{"-3 °C"});

    StoredMessage stopped = made(4, 3, Role::Assistant);
    stopped.message.parts.emplace_back(TextPart{"It is"});
    stopped.state = MessageState::Cancelled;

    StoredMessage answer = made(5, 3, Role::Assistant);
    answer.message.parts.emplace_back(TextPart{"It is **-3 °C** in Oslo.\n\n```\nbrr\n```"});
    return {question, call, result, stopped, answer};
}

StoredConversation weather()
{
    StoredConversation conversation;
    conversation.row.id = 7;
    conversation.row.title = "Weather";
    conversation.row.createdMs = 1'796'000'000'000;
    conversation.row.updatedMs = 1'796'000'001'234;
    conversation.systemPrompt = "Be brief.";
    const auto tree = weatherTree();
    conversation.path = {tree[0], tree[1], tree[2], tree[4]};
    return conversation;
}

/// The weather chat as it is exported.
ExportedChat exported(const ExportChoices &choices = {.allBranches = true})
{
    return chosen(weather(), weatherTree(), choices);
}

} // namespace

class ExportTest : public QObject {
    Q_OBJECT

private slots:
    void markdownLeavesThinkingOut();
    void markdownWithThinkingAndNotes();
    void jsonHasEverything();
    void jsonComesBackTheSame();
    void choicesComeBack();
    void wordsOfTextPartsAreUnderText();
    void badJsonNamesThePlace_data();
    void badJsonNamesThePlace();
    void base64_data();
    void base64();
    void times();
};

void ExportTest::markdownLeavesThinkingOut()
{
    test::compareWithGolden(toMarkdown(exported({.thinking = false, .statistics = false})),
                            "export/weather.md");
}

void ExportTest::markdownWithThinkingAndNotes()
{
    StoredConversation conversation = weather();
    conversation.path.back() = weatherTree()[3];
    const LinkTo linkTo = [](const MediaPart &) { return "media/sky (1).png"; };

    test::compareWithGolden(toMarkdown(chosen(conversation, weatherTree(), {}), linkTo),
                            "export/weather_thinking.md");
}

void ExportTest::jsonHasEverything()
{
    const auto read = [](const MediaPart &) -> Result<std::string> { return std::string("abc"); };

    test::compareWithGolden(toJson(exported(), read), "export/weather.json");
}

void ExportTest::jsonComesBackTheSame()
{
    const auto read = [](const MediaPart &) -> Result<std::string> { return std::string("abc"); };
    const auto tree = weatherTree();

    const auto back = fromJson(toJson(exported(), read));

    QVERIFY2(back, back ? "" : back.error().message.c_str());
    QCOMPARE(back->title, std::string("Weather"));
    QCOMPARE(back->systemPrompt, std::string("Be brief."));
    QCOMPARE(back->tip, MessageId(5));
    QCOMPARE(back->media.size(), std::size_t(1));
    QCOMPARE(back->media[0].sha256, std::string(kSha));
    QCOMPARE(back->media[0].bytes, std::string("abc"));
    QCOMPARE(back->tree.size(), tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        Message expected = tree[i].message;
        for (Part &part : expected.parts) {
            if (auto *media = std::get_if<MediaPart>(&part))
                media->path = kSha;
        }
        QVERIFY(back->tree[i].message == expected);
        QCOMPARE(back->tree[i].parent, tree[i].parent);
        QCOMPARE(back->tree[i].state, tree[i].state);
        QCOMPARE(back->tree[i].createdMs, tree[i].createdMs);
        QCOMPARE(back->tree[i].finishedMs, tree[i].finishedMs);
        QCOMPARE(back->tree[i].stats.has_value(), tree[i].stats.has_value());
    }
    QCOMPARE(back->tree[1].stats->summary.seed, std::uint64_t(0xfedcba9876543210u));
    QCOMPARE(back->tree[1].stats->summary.finish, ReplySummary::Finish::ToolCalls);
    QCOMPARE(back->tree[1].stats->summary.decodeSeconds, 0.25);
}

void ExportTest::choicesComeBack()
{
    StoredMessage question = made(1, 0, Role::User);
    const std::vector<MediaChoice> chosen = {
        {},
        {.detail = MediaChoice::Detail::Low},
        {.detail = MediaChoice::Detail::Medium,
         .fit = MediaChoice::Fit::Trim,
         .firstFrame = true,
         .fromSeconds = 0,
         .toSeconds = 1.0 / 3,
         .maxFrames = 4294967295u},
    };
    for (const MediaChoice &choice : chosen)
        question.message.parts.emplace_back(MediaPart{
            .path = std::string("/media/ba/") + kSha, .name = "a.gif", .patches = nullptr, .choice = choice});
    StoredConversation conversation = weather();
    conversation.path = {question};

    const std::string json = toJson(perilune::chosen(conversation, {question}, {}));
    const auto back = fromJson(json);

    QVERIFY2(back, back ? "" : back.error().message.c_str());
    for (std::size_t i = 0; i < chosen.size(); ++i)
        QVERIFY(std::get<MediaPart>(back->tree[0].message.parts[i]).choice == chosen[i]);
    QCOMPARE(QString::fromStdString(json).count("\"choice\""), 2); // what was left as it is isn't written
    QVERIFY(json.find("\"detail\": \"low\"") != std::string::npos);
}

void ExportTest::wordsOfTextPartsAreUnderText()
{
    const QString json = QString::fromStdString(toJson(exported()));

    QVERIFY(json.contains("\"text\": \"What is the weather in *Oslo*?\""));
    QVERIFY(!json.contains("\"text\": \"I need")); // thinking has a key of its own
    QCOMPARE(json.count("\"text\":"), 4);
}

void ExportTest::badJsonNamesThePlace_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("message");

    const QString head = R"({"format":"perilune-conversation","version":1,"messages":)";
    QTest::newRow("no JSON") << "{"
                             << "the text is not JSON";
    QTest::newRow("other format") << R"({"format":"x"})"
                                  << "the document: `format` must be perilune-conversation";
    QTest::newRow("newer") << R"({"format":"perilune-conversation","version":2,"messages":[]})"
                           << "the document: this version of Perilune reads version 1";
    QTest::newRow("no messages") << head + "3}" << "the document: `messages` must be a list";
    QTest::newRow("role") << head + R"([{"id":1,"role":"king","state":"complete","parts":[]}]})"
                          << "message 1: `role` is unknown: king";
    QTest::newRow("parent") << head + R"([{"id":1,"parent":9,"role":"user","state":"complete","parts":[]}]})"
                            << "message 1: its parent must come before it";
    QTest::newRow("part")
        << head + R"([{"id":1,"role":"user","state":"complete","parts":[{"type":"text","text":5}]}]})"
        << "message 1, part 1: `text` must be text";
    QTest::newRow("path in place of a name")
        << head +
               R"([{"id":1,"role":"user","state":"complete","parts":[{"type":"image","sha256":"../../etc/passwd"}]}]})"
        << "message 1, part 1: `sha256` must be 64 hexadecimal digits";
    const auto withChoice = [&](const QString &choice) {
        return head + R"([{"id":1,"role":"user","state":"complete","parts":[{"type":"video","sha256":")" +
               kSha + R"(","choice":)" + choice + "}]}]}";
    };
    QTest::newRow("detail") << withChoice(R"({"detail":"huge"})")
                            << "message 1, part 1, choice: `detail` is unknown: huge";
    QTest::newRow("time") << withChoice(R"({"from_s":"now"})")
                          << "message 1, part 1, choice: `from_s` must be a number";
    QTest::newRow("no frames") << withChoice(R"({"max_frames":0})")
                               << "message 1, part 1, choice: `max_frames` must be above zero";
}

void ExportTest::badJsonNamesThePlace()
{
    QFETCH(QString, json);
    QFETCH(QString, message);

    const auto read = fromJson(json.toStdString());

    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::InvalidInput);
    QCOMPARE(QString::fromStdString(read.error().message), message);
}

void ExportTest::base64_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");

    // RFC 4648, section 10
    QTest::newRow("0") << QByteArray("") << QByteArray("");
    QTest::newRow("1") << QByteArray("f") << QByteArray("Zg==");
    QTest::newRow("2") << QByteArray("fo") << QByteArray("Zm8=");
    QTest::newRow("3") << QByteArray("foo") << QByteArray("Zm9v");
    QTest::newRow("6") << QByteArray("foobar") << QByteArray("Zm9vYmFy");
    QTest::newRow("bytes") << QByteArray("\xff\xfe\xfd\x00", 4) << QByteArray("//79AA==");
}

void ExportTest::base64()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);

    QCOMPARE(QByteArray::fromStdString(toBase64(bytes.toStdString())), text);
    QCOMPARE(QByteArray::fromStdString(*fromBase64(text.toStdString())), bytes);
    QVERIFY(!fromBase64("Zg="));
    QVERIFY(!fromBase64("Z=g="));
    QVERIFY(!fromBase64("Zm9*"));
}

void ExportTest::times()
{
    QCOMPARE(isoTime(0), std::string("1970-01-01T00:00:00.000Z"));
    QCOMPARE(isoTime(1'796'073'916'123), std::string("2026-11-30T21:25:16.123Z"));
    QCOMPARE(timeFromIso("2026-11-30T21:25:16.123Z"), std::int64_t(1'796'073'916'123));
    QCOMPARE(timeFromIso("soon"), std::int64_t(0));
}

QTEST_GUILESS_MAIN(ExportTest)
#include "export_test.moc"
