#include "engine/text/openai_json.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class OpenAiJsonTest : public QObject {
    Q_OBJECT

private slots:
    void readsEveryPart();
    void argumentsKeepTheirDigitsAndOrder();
    void thinkingKeysFollowTheFamily();
    void picturesFollowTheFamily();
    void fileUrlsBecomePaths();
    void writesWhatItReads();
    void refusesWhatIsNoConversation_data();
    void refusesWhatIsNoConversation();
};

static std::vector<Message> messages(const std::string &list, ChatFamily family = ChatFamily::K25)
{
    return conversationFromJson(R"({"messages": )" + list + "}", family)->messages;
}

void OpenAiJsonTest::readsEveryPart()
{
    const auto read = messages(R"([
        {"role": "system", "content": "s"},
        {"role": "user", "name": "Ada", "content": [{"type": "text", "text": "t"}, {"type": "image_url", "image_url": {"url": "dir/p.png"}},
                                                    {"type": "video", "video": "v.mp4"}]},
        {"role": "assistant", "content": null, "reasoning_content": "r", "tool_calls": [{"id": "i", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "i", "content": ""},
        {"role": "developer", "content": "d"}])");

    Message result = message(Role::Tool, {});
    result.toolCallId = "i";
    Message developer = message(Role::Other, {TextPart{"d"}});
    developer.roleName = "developer";
    const std::vector<Message> expected = {
        message(Role::System, {TextPart{"s"}}
         ),
        message(Role::User,
                {TextPart{"t"}, medium(MediaPart::Kind::Image, "dir/p.png"),
                               medium(MediaPart::Kind::Video, "v.mp4")},
                "Ada"),
        message(Role::Assistant, {ThinkingPart{"r"}, ToolCallPart{"i", "f", "{}"}}
         ), result, developer
    };
    QVERIFY(read == expected);
}

void OpenAiJsonTest::argumentsKeepTheirDigitsAndOrder()
{
    const auto read = messages(R"([{"role": "assistant", "tool_calls": [{"id": "i", "function": {"name": "f",
        "arguments": {"z": 12345678901234567890, "a": [1.0, 1e-9, "é", null]}}}]}])");
    QCOMPARE(std::get<ToolCallPart>(read[0].parts[0]).argumentsJson,
             std::string(R"({"z": 12345678901234567890, "a": [1.0, 1e-09, "é", null]})"));
}

void OpenAiJsonTest::thinkingKeysFollowTheFamily()
{
    const std::string both =
        R"([{"role": "assistant", "content": "", "reasoning": "a", "reasoning_content": "b"}])";
    QCOMPARE(std::get<ThinkingPart>(messages(both, ChatFamily::K26)[0].parts[0]).text, std::string("a"));
    QCOMPARE(std::get<ThinkingPart>(messages(both, ChatFamily::K25)[0].parts[0]).text, std::string("b"));
}

void OpenAiJsonTest::picturesFollowTheFamily()
{
    const std::string keyOnly = R"([{"role": "user", "content": [{"image": "p.png"}]}])";
    QVERIFY(std::holds_alternative<MediaPart>(messages(keyOnly, ChatFamily::KimiVl)[0].parts[0]));
    QVERIFY(std::holds_alternative<TextPart>(messages(keyOnly, ChatFamily::K25)[0].parts[0]));
}

void OpenAiJsonTest::fileUrlsBecomePaths()
{
    const auto path = [](const std::string &url) {
        return std::get<MediaPart>(
                   messages(R"([{"role":"user","content":[{"type":"image","image":")" + url + R"("}]}])")[0]
                       .parts[0])
            .path;
    };
    QCOMPARE(path("file:///a%20b/%C3%A9%2.png"), std::string("/a b/é%2.png"));
    QCOMPARE(path("relative/p.png"), std::string("relative/p.png"));
}

void OpenAiJsonTest::writesWhatItReads()
{
    Message result = message(Role::Tool, {TextPart{"c"}}, "f");
    result.toolCallId = "functions.f:0";
    Message critic = message(Role::Other, {});
    critic.roleName = "critic";
    const std::vector<Message> all = {
        message(Role::User, {TextPart{"a"}, medium(MediaPart::Kind::Image, "/p.png"), TextPart{"\n\"é"}},
                "Ada"),
        message(Role::Assistant,
                {ThinkingPart{"hm"}, TextPart{"b"}, ToolCallPart{"functions.f:0", "f", R"({"a": 1})"}}
         ),
        result, critic
    };
    const std::string tools = R"([{"type": "function", "function": {"name": "f"}}])";

    const Result<Conversation> read = conversationFromJson(conversationToJson(all, tools), ChatFamily::K25);

    QVERIFY(read && read->messages == all);
    QCOMPARE(read->toolsJson, tools);
}

void OpenAiJsonTest::refusesWhatIsNoConversation_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("message");
    QTest::newRow("no json") << "{"
                             << "line 1, column 2: expected a key in quotes";
    QTest::newRow("a list") << "[]"
                            << "a conversation is an object with the key messages";
    QTest::newRow("no messages") << "{}"
                                 << "the conversation has no list under the key messages";
    QTest::newRow("a number") << R"({"messages": [3]})"
                              << "message 1: it is not an object";
    QTest::newRow("no role") << R"({"messages": [{"role": "user"}, {"content": "x"}]})"
                             << "message 2: it has no role";
    QTest::newRow("content") << R"({"messages": [{"role": "user", "content": 3}]})"
                             << "message 1: content is neither a text nor a list of parts";
    QTest::newRow("part") << R"({"messages": [{"role": "user", "content": ["x"]}]})"
                          << "message 1: a part of content is not an object";
    QTest::newRow("calls") << R"({"messages": [{"role": "assistant", "tool_calls": {"a": 1}}]})"
                           << "message 1: tool_calls is not a list";
    QTest::newRow("call") << R"({"messages": [{"role": "assistant", "tool_calls": [{}]}]})"
                          << "message 1: a tool call has no function";
    QTest::newRow("tools") << R"({"messages": [], "tools": {"a": 1}})"
                           << "tools is not a list";
}

void OpenAiJsonTest::refusesWhatIsNoConversation()
{
    QFETCH(QString, json);
    QFETCH(QString, message);
    const Result<Conversation> read = conversationFromJson(json.toStdString());
    QVERIFY(!read);
    QCOMPARE(QString::fromStdString(read.error().message), message);
}

QTEST_GUILESS_MAIN(OpenAiJsonTest)
#include "openai_json_test.moc"
