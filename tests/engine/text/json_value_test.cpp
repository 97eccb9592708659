#include "engine/text/json_value.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class JsonValueTest : public QObject {
    Q_OBJECT

private slots:
    void writesWhatPythonWrites_data();
    void writesWhatPythonWrites();
    void refusesWhatIsNoJson_data();
    void refusesWhatIsNoJson();
    void saysWhereTheFaultIs();
    void depthIsLimited();
    void floatsTakePythonsForm_data();
    void floatsTakePythonsForm();
    void printsAsPythonDoes_data();
    void printsAsPythonDoes();
    void anyCutOfADocumentIsAnError();
};

void JsonValueTest::writesWhatPythonWrites_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QByteArray>("out"); // json.dumps(json.loads(in), ensure_ascii=False)
    const auto row = [](const char *in, const char *out) {
        QTest::newRow(in) << QByteArray(in) << QByteArray(out);
    };
    row(" [1 , 2.0,\t-0, -0.0]\r\n", "[1, 2.0, 0, -0.0]");
    row("[12345678901234567890123456789]", "[12345678901234567890123456789]");
    row("[1e400, -1e400, 1e-400, 0e999, NaN, Infinity, -Infinity]",
        "[Infinity, -Infinity, 0.0, 0.0, NaN, Infinity, -Infinity]");
    row("[100000000000000000000000000000e300, 0.000000000000000000000000001e-300, 1e99999999999999999999]",
        "[Infinity, 0.0, Infinity]");
    row("[1E5, 1.5e+3, 1e16, 1e-5, 123456789012345678.0]",
        "[100000.0, 1500.0, 1e+16, 1e-05, 1.2345678901234568e+17]");
    row(R"({"b":1,"a":{"d":[],"c":{}},"b":2})", R"({"b": 2, "a": {"d": [], "c": {}}})");
    row(R"("\"\\\/\b\f\n\r\t\u0001\u007f\u00e9\ud83d\ude42")", "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7fé🙂\"");
    row(R"("\ud83d \ude42 \ud83d\u0041")", "\"\uFFFD \uFFFD \uFFFDA\"");
    row("\"\xff\xe4\xb8\"", "\"\uFFFD\uFFFD\"");
    row("[true,false,null]", "[true, false, null]");
}

void JsonValueTest::writesWhatPythonWrites()
{
    QFETCH(QByteArray, in);
    QFETCH(QByteArray, out);

    const Result<JsonValue> value = parseJson(in.toStdString());

    QVERIFY(value);
    QCOMPARE(QByteArray::fromStdString(toJson(*value)), out);
    QCOMPARE(toJson(*parseJson(toJson(*value))), toJson(*value));
}

void JsonValueTest::refusesWhatIsNoJson_data()
{
    QTest::addColumn<QByteArray>("in");
    for (const char *in : {"",
                           " ",
                           "{",
                           "[",
                           "\"",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "[1 2]",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "- 1",
                           "nul",
                           "True",
                           "'a'",
                           "\"\n\"",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\u12",
                           "[1]]",
                           "{\"a\" 1}",
                           "{1:2}",
                           "\xEF\xBB\xBF{}"})
        QTest::newRow(in) << QByteArray(in);
    QTest::newRow("NUL") << QByteArray("[1]\0", 4);
}

void JsonValueTest::refusesWhatIsNoJson()
{
    QFETCH(QByteArray, in);
    const Result<JsonValue> value = parseJson(in.toStdString());
    QVERIFY(!value);
    QCOMPARE(value.error().code, ErrorCode::InvalidInput);
}

void JsonValueTest::saysWhereTheFaultIs()
{
    const Result<JsonValue> value = parseJson("{\"a\": 1,\n \"b\": x}");
    QVERIFY(!value);
    QCOMPARE(value.error().message, std::string("line 2, column 7: expected a value"));
}

void JsonValueTest::depthIsLimited()
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    QVERIFY(parseJson(nested(kJsonDepth)));
    QVERIFY(!parseJson(nested(kJsonDepth + 1)));
    QVERIFY(!parseJson(std::string(10'000'000, '[')));
    std::string objects;
    for (int i = 0; i < 1'000'000; ++i)
        objects += "{\"a\":";
    QVERIFY(!parseJson(objects));
}

void JsonValueTest::floatsTakePythonsForm_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text"); // repr(value)
    const std::pair<double, const char *> rows[] = {
        {0.0,                    "0.0"                    },
        {-0.0,                   "-0.0"                   },
        {1.0,                    "1.0"                    },
        {0.1,                    "0.1"                    },
        {1e-9,                   "1e-09"                  },
        {1e16,                   "1e+16"                  },
        {1e15,                   "1000000000000000.0"     },
        {0.0001,                 "0.0001"                 },
        {0.00001,                "1e-05"                  },
        {1.5e-7,                 "1.5e-07"                },
        {1e22,                   "1e+22"                  },
        {1e100,                  "1e+100"                 },
        {5e-324,                 "5e-324"                 },
        {2.5,                    "2.5"                    },
        {123456.789,             "123456.789"             },
        {9007199254740993.0,     "9007199254740992.0"     },
        {1.7976931348623157e308, "1.7976931348623157e+308"}
    };
    for (const auto &[value, text] : rows)
        QTest::newRow(text) << value << text;
}

void JsonValueTest::floatsTakePythonsForm()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(pythonFloat(value)), text);
}

void JsonValueTest::printsAsPythonDoes_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("text"); // repr(json.loads(json))
    const auto row = [](const char *json, const char *text) {
        QTest::newRow(json) << QByteArray(json) << QByteArray(text);
    };
    row(R"([true, null, 1.0, "a"])", "[True, None, 1.0, 'a']");
    row(R"({"k": [1e-9, "it's"]})", R"({'k': [1e-09, "it's"]})");
    row(R"(["\"'", "\n\t\\", "\u00a0\u200b\ue000", "é中"])",
        R"(['"\'', '\n\t\\', '\xa0\u200b\ue000', 'é中'])");
    row("[]", "[]");
    row("{}", "{}");
}

void JsonValueTest::printsAsPythonDoes()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(pythonRepr(*parseJson(json.toStdString()))), text);
}

void JsonValueTest::anyCutOfADocumentIsAnError()
{
    const std::string document = R"({"a": [1.5e3, "x\u00e9\ud83d\ude42", {"b": null}], "c": true})";
    for (std::size_t length = 0; length < document.size(); ++length)
        QVERIFY2(!parseJson(document.substr(0, length)), qPrintable(QString::number(length)));
    QVERIFY(parseJson(document));
}

QTEST_GUILESS_MAIN(JsonValueTest)
#include "json_value_test.moc"
