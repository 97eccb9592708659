#include "engine/text/folder_template.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class FolderTemplateTest : public QObject {
    Q_OBJECT

private slots:
    void ourTemplatesAreKnown_data();
    void ourTemplatesAreKnown();
    void unknownTemplatesAreNamed();
    void templatesOfOtherFamiliesAreNamed();
    void foldersWithoutTemplateAreFine();
    void findsTheTemplateWherePublishersPutIt();
    void damageIsNamed();
};

static std::string sourceFile(const std::string &name)
{
    QFile file(QString::fromStdString(SOURCE_DIR "/" + name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no file %s", name.c_str());
    return file.readAll().toStdString();
}

static std::string templateOf(std::string_view family)
{
    return sourceFile("packaging/oracles/templates/" + std::string(family) + ".jinja");
}

void FolderTemplateTest::ourTemplatesAreKnown_data()
{
    QTest::addColumn<QString>("family");
    for (const char *family : {"k25", "k26", "k2", "k2_thinking", "kimi_vl", "moonlight"})
        QTest::newRow(family) << family;
}

void FolderTemplateTest::ourTemplatesAreKnown()
{
    QFETCH(QString, family);
    const ModelFolder folder;
    folder.write("chat_template.jinja", templateOf(family.toStdString()));

    COMPARE_TEXT(remarkOnTemplate(folder.path(), *chatFamilyFromName(family.toStdString())), "", "remark");
    COMPARE_TEXT(remarkOnTemplate(SOURCE_DIR "/packaging/demo-model/model", ChatFamily::K25), "", "demo");
}

void FolderTemplateTest::unknownTemplatesAreNamed()
{
    const ModelFolder folder;
    folder.write("chat_template.jinja", "{{ messages }}");

    // From sha256sum.
    COMPARE_TEXT(
        remarkOnTemplate(folder.path(), ChatFamily::K25),
        folder.path() +
            "/chat_template.jinja is a template that is not known (its SHA-256 begins with f24189f08c85); "
            "prompts are made in the form of Kimi K2.5, which may differ from it",
        "remark");

    folder.write("chat_template.jinja", templateOf("k25") + " ");
    QVERIFY(!remarkOnTemplate(folder.path(), ChatFamily::K25).empty());
}

void FolderTemplateTest::templatesOfOtherFamiliesAreNamed()
{
    const ModelFolder folder;
    folder.write("chat_template.jinja", templateOf("k2"));
    COMPARE_TEXT(remarkOnTemplate(folder.path(), ChatFamily::K25),
                 folder.path() +
                     "/chat_template.jinja is the template of Kimi K2, but prompts are made in the "
                     "form of Kimi K2.5",
                 "remark");
}

void FolderTemplateTest::foldersWithoutTemplateAreFine()
{
    const ModelFolder folder;
    COMPARE_TEXT(remarkOnTemplate(folder.path(), ChatFamily::K25), "", "nothing there");
    folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {}, "chat_template": null})");
    COMPARE_TEXT(remarkOnTemplate(folder.path(), ChatFamily::K25), "", "null");
}

void FolderTemplateTest::findsTheTemplateWherePublishersPutIt()
{
    const auto found = [](const ModelFolder &folder) {
        const Result<FolderTemplate> read = readFolderTemplate(folder.path());
        return read ? read->text : "nothing";
    };
    const ModelFolder folder;
    folder.write("tokenizer_config.json", R"({"chat_template": "ü {{ x }}"})");
    COMPARE_TEXT(found(folder), "ü {{ x }}", "tokenizer_config.json");
    folder.write("tokenizer_config.json", R"({"chat_template": [{"name": "tool_use", "template": "no"},
        {"name": "default", "template": "listed"}]})");
    COMPARE_TEXT(found(folder), "listed", "a list of named ones");
    folder.write("chat_template.json", R"({"chat_template": "apart"})");
    COMPARE_TEXT(found(folder), "apart", "chat_template.json");
    folder.write("chat_template.jinja", "jinja\r\n");
    COMPARE_TEXT(found(folder), "jinja\r\n", "chat_template.jinja");
}

void FolderTemplateTest::damageIsNamed()
{
    const ModelFolder folder;
    for (const char *text : {"{", R"({"chat_template": 3})", R"({"chat_template": [{"name": "default"}]})",
                             R"({"chat_template": [1, null]})"}) {
        folder.write("tokenizer_config.json", text);
        const std::string remark = remarkOnTemplate(folder.path(), ChatFamily::Moonlight);
        QVERIFY2(remark.starts_with(folder.path() + "/tokenizer_config.json: ") &&
                     remark.ends_with("; prompts are made in the form of Moonlight"),
                 remark.c_str());
    }
}

QTEST_GUILESS_MAIN(FolderTemplateTest)
#include "folder_template_test.moc"
