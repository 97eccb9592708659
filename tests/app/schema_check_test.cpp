// checkSchema against the jsonschema package (tests/data/tools), and the laws that every schema keeps.
#include "app/tools/schema_check.h"
#include "tests/support/qtest_strings.h"

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
    void keepsTheLaws();
    void namesThePlace();

private:
    std::vector<Case> m_cases;
};

void SchemaCheckTest::initTestCase()
{
    QFile file(TEST_DATA_DIR "/tools/schema_cases.jsonl");
    QVERIFY(file.open(QIODevice::ReadOnly));
    while (!file.atEnd()) {
        const std::string line = file.readLine().trimmed().toStdString();
        const Result<JsonValue> json = parseJson(line);
        QVERIFY2(json, line.c_str());
        m_cases.push_back({*json->find("schema"), *json->find("value"), json->find("fits")->boolean, line});
    }
    QVERIFY(m_cases.size() >= 500);
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
