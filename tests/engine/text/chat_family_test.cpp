#include "engine/text/chat_family.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class ChatFamilyTest : public QObject {
    Q_OBJECT

private slots:
    void namesGoBothWays();
    void readsTheFamily_data();
    void readsTheFamily();
    void readsTheTemplateWhereverItStands();
    void saysWhatIsWrong();
};

void ChatFamilyTest::namesGoBothWays()
{
    for (const char *name : {"k25", "k26", "k2", "k2_thinking", "kimi_vl", "moonlight"})
        QCOMPARE(std::string(chatFamilyName(*chatFamilyFromName(name))), std::string(name));
    QVERIFY(!chatFamilyFromName("k3"));
}

void ChatFamilyTest::readsTheFamily_data()
{
    QTest::addColumn<QString>("modelType");
    QTest::addColumn<QString>("chatTemplate");
    QTest::addColumn<QString>("family");
    QTest::newRow("K2.5") << "kimi_k25"
                          << ""
                          << "k25";
    QTest::newRow("K2.6") << "kimi_k25"
                          << "{% if preserve_thinking %}"
                          << "k26";
    QTest::newRow("K2") << "kimi_k2"
                        << "<|tool_calls_section_begin|>"
                        << "k2";
    QTest::newRow("K2 Thinking") << "kimi_k2"
                                 << "{{ message.reasoning_content }}"
                                 << "k2_thinking";
    QTest::newRow("Kimi-VL") << "kimi_vl"
                             << ""
                             << "kimi_vl";
    QTest::newRow("Moonlight") << "deepseek_v3"
                               << "<|im_user|>"
                               << "moonlight";
    QTest::newRow("K2, saved again") << "deepseek_v3"
                                     << "<|tool_calls_section_begin|>"
                                     << "k2";
}

void ChatFamilyTest::readsTheFamily()
{
    QFETCH(QString, modelType);
    QFETCH(QString, chatTemplate);
    QFETCH(QString, family);
    const ModelFolder folder("", modelType.toStdString());
    if (!chatTemplate.isEmpty())
        folder.write("chat_template.jinja", chatTemplate.toStdString());

    const Result<ChatFamily> found = detectChatFamily(folder.path());

    QVERIFY(found);
    QCOMPARE(std::string(chatFamilyName(*found)), family.toStdString());
}

void ChatFamilyTest::readsTheTemplateWhereverItStands()
{
    const ModelFolder folder("", "kimi_k25");
    folder.write("tokenizer_config.json", R"({"chat_template": "{{ messages }}"})");
    QVERIFY(*detectChatFamily(folder.path()) == ChatFamily::K25);
    folder.write("chat_template.json", R"({"chat_template": "{% if preserve_thinking %}"})");
    QVERIFY(*detectChatFamily(folder.path()) == ChatFamily::K26);
    folder.write("chat_template.jinja", "{{ messages }}"); // it comes before the other
    QVERIFY(*detectChatFamily(folder.path()) == ChatFamily::K25);

    const ModelFolder named("", "kimi_k25");
    named.write("tokenizer_config.json", R"({"chat_template": [{"name": "default", "template": "x"},)"
                                         R"({"name": "other", "template": "preserve_thinking"}]})");
    QVERIFY(*detectChatFamily(named.path()) == ChatFamily::K25);

    const ModelFolder tokens("", "deepseek_v3"); // no template, but the tokens of tools
    tokens.write("tokenizer_config.json",
                 R"({"added_tokens_decoder": {"163595": {"content": "<|tool_calls_section_begin|>"}}})");
    QVERIFY(*detectChatFamily(tokens.path()) == ChatFamily::K2);
}

void ChatFamilyTest::saysWhatIsWrong()
{
    const ModelFolder folder("", "llama");
    QCOMPARE(detectChatFamily(folder.path()).error().code, ErrorCode::Unsupported);
    folder.write("config.json", "{\"model_type\": 3}");
    QCOMPARE(detectChatFamily(folder.path()).error().code, ErrorCode::Corrupt);
    folder.write("config.json", "{");
    QCOMPARE(detectChatFamily(folder.path()).error().code, ErrorCode::Corrupt);
    QCOMPARE(detectChatFamily("/no/such/folder").error().code, ErrorCode::NotFound);
}

QTEST_GUILESS_MAIN(ChatFamilyTest)
#include "chat_family_test.moc"
