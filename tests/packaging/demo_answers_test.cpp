// From a file to an answer: the demo model, run by perilune-cli, says what the torch model of its recipe
// says. tests/data/demo/README.md tells how the expected answers were made.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace {

const QDir cases(TEST_DATA_DIR "/demo");

QJsonObject reference()
{
    QFile file(cases.filePath("reference.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

/// Id and arguments of each call, without what only one of the two sides writes.
QJsonArray calls(const QJsonValue &of)
{
    QJsonArray result;
    for (const QJsonValue call : of.toArray())
        result += QJsonObject{
            {"id",        call["id"]       },
            {"arguments", call["arguments"]}
        };
    return result;
}

} // namespace

class DemoAnswersTest : public QObject {
    Q_OBJECT

private slots:
    void equalTheReference_data();
    void equalTheReference();
};

void DemoAnswersTest::equalTheReference_data()
{
    QTest::addColumn<QJsonObject>("expected");
    const QJsonArray all = reference()["cases"].toArray();
    QVERIFY(all.size() >= 16);
    for (const QJsonValue one : all) {
        const QString name = one["case"].toString() + ' ' + one["ability"].toString();
        QTest::newRow(qPrintable(name)) << one.toObject();
    }
}

void DemoAnswersTest::equalTheReference()
{
    QFETCH(QJsonObject, expected);
    QProcess chat;
    chat.start(PERILUNE_CLI,
               {"chat", "--conversation", cases.filePath(expected["case"].toString() + ".json"), "--json",
                "--temperature", "0", "--model", SOURCE_DIR "/packaging/demo-model/model", "--thinking",
                expected["thinking_on"].toBool() ? "on" : "off", "--max-tokens",
                QString::number(reference()["max_tokens"].toInt())});

    QVERIFY2(chat.waitForFinished(120'000), qPrintable(chat.errorString()));

    QVERIFY2(chat.exitCode() == 0, chat.readAllStandardError());
    const QJsonObject reply = QJsonDocument::fromJson(chat.readAllStandardOutput()).object();
    QCOMPARE(reply["content"].toString(), expected["content"].toString());
    QCOMPARE(reply["thinking"].toString(), expected["thinking"].toString());
    QCOMPARE(calls(reply["tool_calls"]), calls(expected["tool_calls"]));
    QCOMPARE(reply["usage"]["prompt_tokens"].toInt(), expected["prompt_tokens"].toInt());
}

QTEST_GUILESS_MAIN(DemoAnswersTest)
#include "demo_answers_test.moc"
