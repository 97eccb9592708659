// The demo model calls a built-in tool, reads its result and answers; by perilune-cli, from question to
// store.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int kPatience = 300'000; // ms, on a busy machine

QByteArray run(const QStringList &arguments, const QByteArray &input = {}, const QString &folder = {})
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(PERILUNE_CLI, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(kPatience) || process.exitCode() != 0)
        return process.readAllStandardError();
    return process.readAllStandardOutput();
}

QJsonObject object(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

} // namespace

class DemoToolsTest : public QObject {
    Q_OBJECT

private slots:
    void calculatesAndReusesTheCache();
    void keepsCallAndResult();
    void terminalShowsBoth();
    void readsWhatIsNamed();
};

void DemoToolsTest::calculatesAndReusesTheCache()
{
    const QByteArray out = run({"chat", "--tools", "builtin", "--temperature", "0", "--json"},
                               "What is 12 * 34?\nWhat is 5 + 7?\n");
    const QList<QByteArray> lines = out.trimmed().split('\n');
    QVERIFY2(lines.size() == 2, out);
    const struct {
        const char *arguments, *result, *content;
    } turns[] = {
        {R"({"expression": "12 * 34"})", "408", "12 * 34 = **408**"},
        {R"({"expression": "5 + 7"})",   "12",  "5 + 7 = **12**"   },
    };
    for (int i = 0; i < 2; ++i) {
        const QJsonObject answer = object(lines[i]);
        QCOMPARE(answer["content"].toString(), turns[i].content);
        QCOMPARE(answer["finish"].toString(), "stop");
        const QJsonArray steps = answer["tool_results"].toArray();
        QCOMPARE(steps.size(), 1);
        const QJsonObject step = steps[0].toObject();
        QCOMPARE(step["name"].toString(), "calculator");
        QCOMPARE(step["arguments"].toString(), turns[i].arguments);
        QCOMPARE(step["result"].toString(), turns[i].result);

        // Prompt and reply of the call come back byte for byte: all of both is taken from the cache, but for
        // the last token, which is chosen and never evaluated.
        const QJsonObject call = step["usage"].toObject();
        const int known = call["prompt_tokens"].toInt() + call["completion_tokens"].toInt();
        const int cached = answer["usage"]["cached_tokens"].toInt();
        QVERIFY2(cached >= known - 1 && cached <= known,
                 qPrintable(QString("%1 of %2 tokens were reused").arg(cached).arg(known)));
    }
}

void DemoToolsTest::keepsCallAndResult()
{
    const QTemporaryDir folder;
    const QStringList data{"--data", folder.path()};
    const QByteArray out = run(QStringList{"chat", "--tools", "builtin", "--temperature", "0", "--json",
                                           "--store", "What is 12 * 34?"} +
                               data);
    const QString id = object(out)["conversation"].toString();
    QVERIFY2(!id.isEmpty(), out);
    const QByteArray exported = run(QStringList{"conversations", "export", id, "--format", "json"} + data);
    QVERIFY2(exported.contains(R"({\"expression\": \"12 * 34\"})"), exported);
    QVERIFY2(exported.contains("functions.calculator:0"), exported);
    QVERIFY2(exported.contains("\"408\""), exported);
    QVERIFY2(exported.contains("12 * 34 = **408**"), exported);
}

void DemoToolsTest::terminalShowsBoth()
{
    const QByteArray out = run({"chat", "--tools", "builtin", "--temperature", "0", "What is 12 * 34?"});
    QCOMPARE(out, QByteArray(
                      "[calls calculator {\"expression\": \"12 * 34\"}]\n[result 408]\n12 * 34 = **408**\n"));
}

void DemoToolsTest::readsWhatIsNamed()
{
    const QTemporaryDir folder;
    QFile notes(folder.filePath("notes.txt"));
    QVERIFY(notes.open(QIODevice::WriteOnly) && notes.write("stone\n") > 0);
    notes.close();
    const QJsonObject answer = object(run({"chat", "--tools", "builtin,read_file", "--temperature", "0",
                                           "--json", "What is in the file notes.txt?"},
                                          {}, folder.path()));
    const QJsonArray steps = answer["tool_results"].toArray();
    QCOMPARE(steps.size(), 1);
    QCOMPARE(steps[0]["name"].toString(), "read_file");
    QCOMPARE(steps[0]["arguments"].toString(), R"({"path": "notes.txt"})");
    QCOMPARE(steps[0]["result"].toString(), "stone\n");
    QVERIFY(answer["content"].toString().contains("stone"));
    // The same set of tools is no hindrance to the calculator.
    const QByteArray sum =
        run({"chat", "--tools", "builtin,read_file", "--temperature", "0", "What is 12 * 34?"});
    QVERIFY2(sum.startsWith("[calls calculator {\"expression\": \"12 * 34\"}]\n[result 408]\n"), sum);
}

QTEST_GUILESS_MAIN(DemoToolsTest)
#include "demo_tools_test.moc"
