// checkSchema against the jsonschema package (tests/data/tools), and the laws that every schema keeps.
#include "app/tools/schema_check.h"
#include "tests/support/qtest_strings.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace perilune;

namespace {

struct Case {
    JsonValue schema, value;
    bool fits = false;
    std::string line;
};

bool fits(const JsonValue &schema, const JsonValue &value)
{
    return checkSchema(schema, value).has_value();
}

/// {"KEY": [schemas…]}
JsonValue listUnder(const char *key, const std::vector<JsonValue> &schemas)
{
    JsonValue list = JsonValue::array();
    list.items = schemas;
    JsonValue schema = JsonValue::object();
    schema.add(key, std::move(list));
    return schema;
}

JsonValue under(const std::string &key, const JsonValue &value)
{
    JsonValue object = JsonValue::object();
    object.add(key, value);
    return object;
}

/// The same value; keys stand the other way round in it.
JsonValue turned(JsonValue value)
{
    for (JsonValue &item : value.items)
        item = turned(std::move(item));
    std::ranges::reverse(value.members);
    for (JsonValue::Member &member : value.members)
        member.second = turned(std::move(member.second));
    return value;
}

} // namespace

class SchemaCheckTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void agreesWithThePackage();
    void followsDefinitions();
    void whatCantBeCheckedIsLetBe();
    void circlesEnd();
    void keepsTheLaws();
    void namesThePlace();

private:
    std::vector<Case> m_cases;
};

static std::vector<Case> casesOf(const char *name)
{
    std::vector<Case> cases;
    QFile file(QString(TEST_DATA_DIR "/tools/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no test data %s", name);
    while (!file.atEnd()) {
        const std::string line = file.readLine().trimmed().toStdString();
        const Result<JsonValue> json = parseJson(line);
        if (!json)
            qFatal("no JSON: %s", line.c_str());
        cases.push_back({*json->find("schema"), *json->find("value"), json->find("fits")->boolean, line});
    }
    return cases;
}

void SchemaCheckTest::initTestCase()
{
    m_cases = casesOf("schema_cases.jsonl");
    QVERIFY(m_cases.size() >= 500);
}

void SchemaCheckTest::followsDefinitions()
{
    const std::vector<Case> cases = casesOf("schema_definitions.jsonl");
    QVERIFY(cases.size() >= 500);
    for (const Case &one : cases)
        QVERIFY2(fits(one.schema, one.value) == one.fits, one.line.c_str());
}

void SchemaCheckTest::whatCantBeCheckedIsLetBe()
{
    const auto both = [](const char *schema, const char *value) {
        return fits(*parseJson(schema), *parseJson(value));
    };
    // A pattern that isn't read may be about any name, but about none that has a rule.
    const char *patterns = R"({"properties": {"a": {"type": "string"}}, "additionalProperties": false,
                              "patternProperties": {"^x-[a-z]+$": {"type": "string"}}})";
    QVERIFY(both(patterns, R"({"x-y": "b"})"));
    QVERIFY(both(patterns, R"({"z": 1})"));
    QVERIFY(!both(patterns, R"({"a": 1})"));
    const char *prefix =
        R"({"additionalProperties": false, "patternProperties": {"^x-": {"type": "string"}}})";
    QVERIFY(both(prefix, R"({"x-y": "b"})") && !both(prefix, R"({"x-y": 1})") &&
            !both(prefix, R"({"z": 1})"));
    // References to elsewhere, or to nothing.
    for (const char *reference : {R"({"$ref": "https://example.org/s"})", R"({"$ref": "#/$defs/none"})",
                                  R"({"$ref": "#anchor"})", R"({"$ref": 7})"})
        QVERIFY2(both(reference, "1"), reference);
    const char *byIndex = R"({"anyOf": [{"type": "string"}, {"$ref": "#/anyOf/0"}]})";
    QVERIFY(!both(byIndex, "1"));
}

void SchemaCheckTest::circlesEnd()
{
    const auto told = [](const char *schema, const char *value) {
        const Status fits = checkSchema(*parseJson(schema), *parseJson(value));
        return fits ? std::string() : fits.error().message;
    };
    const std::string circle = "the tool's JSON schema leads round in circles or takes too long to check";
    const char *const circles[] = {
        R"({"$ref": "#"})", R"({"anyOf": [{"$ref": "#"}, {}]})",
        R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"})"};
    for (const char *schema : circles)
        QCOMPARE(told(schema, "1"), circle);
    // 2^40 ways, were each followed.
    std::string ways = R"({"$defs": {"n0": false)";
    for (int i = 1; i <= 40; ++i) {
        const std::string next = R"({"$ref": "#/$defs/n)" + std::to_string(i - 1) + "\"}";
        ways += ", \"n" + std::to_string(i) + R"(": {"anyOf": [)" + next + ", " + next + "]}";
    }
    ways += R"(}, "$ref": "#/$defs/n40"})";
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(told(ways.c_str(), "1"), circle);
    QVERIFY(timer.elapsed() < 5000);
    // A schema of trees, as deep as JSON goes, is no circle.
    std::string tree = "0";
    for (int i = 0; i < 100; ++i)
        tree = R"({"next": )" + tree + "}";
    const char *trees = R"({"properties": {"next": {"$ref": "#"}}})";
    QCOMPARE(told(trees, tree.c_str()), std::string());
}

void SchemaCheckTest::agreesWithThePackage()
{
    for (const Case &one : m_cases)
        QVERIFY2(fits(one.schema, one.value) == one.fits, one.line.c_str());
}

void SchemaCheckTest::keepsTheLaws()
{
    const JsonValue yes = *parseJson("true"), no = *parseJson("false");
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        const JsonValue &schema = m_cases[i].schema;
        for (const std::size_t step : {0, 1, 7, 100}) { // values that were made for other schemas too
            const JsonValue &value = m_cases[(i + step) % m_cases.size()].value;
            const bool fitting = fits(schema, value);
            const auto same = [&](const JsonValue &other, const JsonValue &with) {
                return fits(other, with) == fitting;
            };
            const std::string which = toJson(schema) + " and " + toJson(value);
            for (const char *key : {"allOf", "anyOf", "oneOf"})
                QVERIFY2(same(listUnder(key, {schema}), value), which.c_str());
            QVERIFY2(same(listUnder("allOf", {yes, schema}), value), which.c_str());
            QVERIFY2(same(listUnder("anyOf", {no, schema}), value), which.c_str());
            QVERIFY2(same(listUnder("oneOf", {schema, no}), value), which.c_str());
            QVERIFY2(!fits(listUnder("oneOf", {schema, schema}), value), which.c_str());
            QVERIFY2(fits(listUnder("anyOf", {schema, yes}), value), which.c_str());
            QVERIFY2(!fits(listUnder("allOf", {schema, no}), value), which.c_str());
            QVERIFY2(fits(under("const", value), value), which.c_str());
            QVERIFY2(fits(listUnder("enum", {yes, value}), value), which.c_str());
            JsonValue array = JsonValue::array();
            array.items = {value};
            QVERIFY2(same(under("items", schema), array), which.c_str());
            QVERIFY2(same(under("properties", under("k", schema)), under("k", value)), which.c_str());
            QVERIFY2(same(under("additionalProperties", schema), under("k", value)), which.c_str());
            QVERIFY2(same(schema, turned(value)), which.c_str());
            QVERIFY2(same(schema, *parseJson(toJson(value))), which.c_str());
        }
    }
}

void SchemaCheckTest::namesThePlace()
{
    for (const Case &one : m_cases) {
        const Status plain = checkSchema(one.schema, one.value);
        if (plain)
            continue;
        const Status inside = checkSchema(under("properties", under("k", one.schema)), under("k", one.value));
        QVERIFY2(!inside && inside.error().message.starts_with("k"), one.line.c_str());
        JsonValue array = JsonValue::array();
        array.items = {one.value};
        const Status item = checkSchema(under("items", one.schema), array);
        QVERIFY2(!item && item.error().message.starts_with("[0]"), one.line.c_str());
        QVERIFY(plain.error().code == ErrorCode::InvalidInput);
    }
}

QTEST_GUILESS_MAIN(SchemaCheckTest)
#include "schema_check_test.moc"
