#include "engine/text/chat_template.h"

#include "engine/text/openai_json.h"
#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class ChatTemplateTest : public QObject {
    Q_OBJECT

private slots:
    void rendersAsTheReferenceDoes_data();
    void rendersAsTheReferenceDoes();
    void absentThinkingIsEmpty();
    void absentContentIsEmpty();
    void mediaKeepTheirPlaceInTheConversation();
    void mediaAreRefusedByName();
    void wrongToolsAreRefused();
    void aBegunAnswerIsLeftOpen();
};

static Result<std::vector<PromptSegment>> render(const JsonValue &one, ChatFamily family)
{
    const Conversation conversation = *conversationFromJson(toJson(one), family);
    PromptOptions options;
    options.addGenerationPrompt = isTrue(one, "add_generation_prompt", true);
    const JsonValue &arguments = member(one, "kwargs");
    if (const JsonValue *thinking = arguments.find("thinking"))
        options.thinking = thinking->boolean;
    options.preserveThinking = isTrue(arguments, "preserve_thinking", false);
    return renderPrompt(family, conversation.messages, conversation.toolsJson, options);
}

void ChatTemplateTest::rendersAsTheReferenceDoes_data()
{
    QTest::addColumn<QString>("family");
    for (const char *family : {"k25", "k26", "k2", "k2_thinking", "kimi_vl", "moonlight"})
        QTest::newRow(family) << family;
}

void ChatTemplateTest::rendersAsTheReferenceDoes()
{
    QFETCH(QString, family);
    const std::string name = family.toStdString();
    int compared = 0;
    for (const JsonValue &one : textCases("chat/" + name + ".jsonl")) {
        if (!one.find("prompt") || one.find("quirk"))
            continue;
        const auto segments = render(one, *chatFamilyFromName(name));
        QVERIFY2(segments, member(one, "id").text.c_str());
        COMPARE_TEXT(promptText(*segments), member(one, "prompt").text, member(one, "id").text);
        ++compared;
    }
    QVERIFY(compared >= 24);
}

/// The reference prints the word None where reasoning_content is null; here it counts as absent.
void ChatTemplateTest::absentThinkingIsEmpty()
{
    int compared = 0;
    for (const char *name : {"k25", "k26", "k2_thinking"}) {
        for (const JsonValue &one : textCases(std::string("chat/") + name + ".jsonl")) {
            if (!one.find("quirk"))
                continue;
            std::string expected = member(one, "prompt").text;
            const std::size_t word = expected.find("<think>None</think>");
            QVERIFY(word != std::string::npos);
            expected.erase(word + 7, 4);
            COMPARE_TEXT(promptText(*render(one, *chatFamilyFromName(name))), expected,
                         member(one, "id").text);
            ++compared;
        }
    }
    QCOMPARE(compared, 5);
}

/// The reference fails where content is null in Kimi-VL and Moonlight; here it counts as empty.
void ChatTemplateTest::absentContentIsEmpty()
{
    const std::string json = R"({"messages": [{"role": "user", "content": null}]})";
    for (const ChatFamily family : {ChatFamily::KimiVl, ChatFamily::Moonlight}) {
        const auto segments = renderPrompt(family, conversationFromJson(json, family)->messages, "", {});
        QCOMPARE(promptText(*segments),
                 std::string("<|im_system|>system<|im_middle|>You are a helpful assistant<|im_end|>"
                             "<|im_user|>user<|im_middle|><|im_end|><|im_assistant|>assistant<|im_middle|>"));
    }
}

static std::vector<Message> mixedMedia()
{
    return {message(Role::User, {TextPart{"a"}, medium(MediaPart::Kind::Video, "v.mp4"), TextPart{"b"}}),
            message(Role::Assistant, {TextPart{"c"}}),
            message(Role::User, {medium(MediaPart::Kind::Image, "i.png")})};
}

void ChatTemplateTest::mediaKeepTheirPlaceInTheConversation()
{
    const auto segments = *renderPrompt(ChatFamily::K25, mixedMedia(), "", {});
    std::vector<PromptSegment> media;
    for (const PromptSegment &segment : segments) {
        if (segment.kind == PromptSegment::Kind::Media)
            media.push_back(segment);
    }
    QCOMPARE(media.size(), std::size_t(2));
    QVERIFY(media[0].isVideo && media[0].media == 0 && !media[1].isVideo && media[1].media == 1);

    const std::vector<std::vector<std::string>> times = {
        {"00:00:00.000", "00:00:02.000"},
        {}
    };
    const std::string expanded = promptText(*expandMedia(segments, times));
    const std::string chunk = "<|media_begin|>video<|media_content|><|media_pad|><|media_end|>";
    QVERIFY(expanded.find("a00:00:00.000" + chunk + "00:00:02.000" + chunk + "\nb<|im_end|>") !=
            std::string::npos);
    for (const std::size_t wrong : {0, 1, 3})
        QVERIFY(!expandMedia(segments, std::vector<std::vector<std::string>>(wrong)));

    // Kimi-VL prints nothing for a clip, but the picture behind it is still the conversation's second medium.
    const auto ofKimiVl = *renderPrompt(ChatFamily::KimiVl, mixedMedia(), "", {});
    for (const PromptSegment &segment : ofKimiVl) {
        if (segment.kind == PromptSegment::Kind::Media)
            QCOMPARE(segment.media, std::size_t(1));
    }
}

void ChatTemplateTest::mediaAreRefusedByName()
{
    QVERIFY(checkMediaSupport(ChatFamily::K25, mixedMedia()));
    const Status vision = checkMediaSupport(ChatFamily::KimiVl, mixedMedia());
    QVERIFY(!vision);
    QCOMPARE(vision.error().message, std::string("Kimi-VL can't take video: v.mp4"));
    const Status text = checkMediaSupport(ChatFamily::K2, std::vector<Message>{mixedMedia()[2]});
    QVERIFY(!text);
    QCOMPARE(text.error().message, std::string("Kimi K2 can't take pictures: i.png"));
}

void ChatTemplateTest::wrongToolsAreRefused()
{
    for (const char *tools : {"{", "{}", "3", "[1"})
        QVERIFY2(!renderPrompt(ChatFamily::K25, {}, tools, {}), tools);
    QVERIFY(renderPrompt(ChatFamily::Moonlight, {}, "{", {})); // which has no place for tools
    PromptOptions plain;
    plain.addGenerationPrompt = false;
    QCOMPARE(promptText(*renderPrompt(ChatFamily::K25, {}, "[]", plain)), std::string());
}

void ChatTemplateTest::aBegunAnswerIsLeftOpen()
{
    Message question, answer;
    question.role = Role::User;
    question.parts = {TextPart{"Why?"}};
    answer.role = Role::Assistant;
    answer.parts = {ThinkingPart{"Hm <|im_end|>"}, TextPart{"Because"}};
    const std::vector<Message> both{question, answer};
    const auto rendered = [&both](ChatFamily family, bool thinking) {
        PromptOptions options;
        options.continueLast = true;
        options.thinking = thinking;
        return *renderPrompt(family, both, {}, options);
    };

    const std::string asked =
        "<|im_user|>user<|im_middle|>Why?<|im_end|><|im_assistant|>assistant<|im_middle|>";
    QCOMPARE(promptText(rendered(ChatFamily::K25, true)), asked + "<think>Hm <|im_end|></think>Because");
    QCOMPARE(promptText(rendered(ChatFamily::K25, false)), asked + "<think></think>Because");
    const std::string thought = promptText(rendered(ChatFamily::K2Thinking, true));
    QVERIFY(thought.ends_with("assistant<|im_middle|><think>Hm <|im_end|></think>Because"));
    QVERIFY(promptText(rendered(ChatFamily::Moonlight, true)).ends_with("assistant<|im_middle|>Because"));
    // What the model wrote never gives control tokens.
    for (const PromptSegment &segment : rendered(ChatFamily::K25, true)) {
        if (segment.text.find("Hm") != std::string::npos)
            QCOMPARE(segment.kind, PromptSegment::Kind::Text);
    }
}

QTEST_GUILESS_MAIN(ChatTemplateTest)
#include "chat_template_test.moc"
