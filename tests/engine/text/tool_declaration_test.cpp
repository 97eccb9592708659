#include "engine/text/tool_declaration.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class ToolDeclarationTest : public QObject {
    Q_OBJECT

private slots:
    void declaresAsTheReferenceDoes();
    void whatTypeScriptCannotSayFallsBack_data();
    void whatTypeScriptCannotSayFallsBack();
    void refusesWhatIsNoList();
    void oddValuesArePrintedAsPythonDoes();
};

void ToolDeclarationTest::declaresAsTheReferenceDoes()
{
    for (const JsonValue &one : textCases("tools/cases.jsonl")) {
        const bool fallback = one.find("error") != nullptr;
        const Result<ToolDeclaration> declaration = declareTools(toJson(member(one, "tools")));
        QVERIFY2(declaration, member(one, "id").text.c_str());
        COMPARE_TEXT(declaration->text, member(one, fallback ? "json_fallback" : "typescript").text,
                     member(one, "id").text);
        QCOMPARE(declaration->jsonFallback, fallback);
    }
}

static std::string withProperty(const QByteArray &schema)
{
    return R"([{"type":"function","function":{"name":"f","parameters":{"properties":{"x":)" +
           schema.toStdString() + "}}}}]";
}

void ToolDeclarationTest::whatTypeScriptCannotSayFallsBack_data()
{
    QTest::addColumn<QByteArray>("schema");
    for (const char *schema :
         {"3", "null", "\"string\"", "[]", R"({"$ref":3})", R"({"$ref":"#/other"})", R"({"anyOf":3})",
          R"({"anyOf":[3]})", R"({"enum":3})", R"({"type":["string",3]})", R"({"type":"array","items":3})",
          R"({"description":["a"],"type":"string"})", R"({"type":"object","properties":[]})",
          R"({"type":"object","properties":{"a":{"type":"string"}},"required":3})",
          R"({"type":"object","properties":{},"required":[{}]})",
          R"({"type":"object","additionalProperties":"yes"})", R"({"type":"object","$defs":[1]})",
          R"({"type":"object","$defs":{"A":true}})"})
        QTest::newRow(schema) << QByteArray(schema);
}

void ToolDeclarationTest::whatTypeScriptCannotSayFallsBack()
{
    QFETCH(QByteArray, schema);
    const Result<ToolDeclaration> declaration = declareTools(withProperty(schema));
    QVERIFY(declaration);
    QVERIFY(declaration->jsonFallback);
    QVERIFY(declaration->text.starts_with("[{\"function\":{\"name\":\"f\""));
    QVERIFY(parseJson(declaration->text));
}

void ToolDeclarationTest::refusesWhatIsNoList()
{
    for (const char *tools : {"", "{}", "3", "[", "\"a\""})
        QVERIFY2(!declareTools(tools), tools);
    QCOMPARE(declareTools("null")->text, std::string());
    QCOMPARE(*compactTools("[]"), std::string());
    QVERIFY(declareTools("[3]")->jsonFallback);
}

void ToolDeclarationTest::oddValuesArePrintedAsPythonDoes()
{
    const auto field = [](const char *schema) {
        const std::string text = declareTools(withProperty(schema))->text;
        const std::size_t begin = text.find("{\n") + 2;         // of the namespace
        const std::size_t fields = text.find("{\n", begin) + 2; // of the parameters
        return text.substr(fields, text.find("\n}) =>") - fields);
    };
    QCOMPARE(field(R"({"type":"integer","maximum":123456789012345678901234567890})"),
             std::string("  // maximum: 123456789012345678901234567890\n  x?: number"));
    QCOMPARE(field(R"({"type":"number","minimum":null,"default":1e400})"),
             std::string("  // minimum: None\n  // Default: inf\n  x?: number"));
    QCOMPARE(field(R"({"enum":[[1,"a"],{"k":null}]})"), std::string("  x?: [1, 'a'] | {'k': None}"));
}

QTEST_GUILESS_MAIN(ToolDeclarationTest)
#include "tool_declaration_test.moc"
