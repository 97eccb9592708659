// The scorer of the demo model: its judge looks at facts and not at letters, and its hand-written questions
// are many enough of each kind.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

namespace {

const QDir oracles(SOURCE_DIR "/packaging/oracles");

/// The subject of a kind of question: "about" for "about: Hello", "order" for what comes first and what last.
QString subject(const QString &kind)
{
    if (kind == "first" || kind == "last")
        return "order";
    return kind.startsWith("follow-up") || kind.startsWith("tool ") || kind.startsWith("about:")
               ? kind.section(QRegularExpression("[ :]"), 0, 0)
               : kind;
}

} // namespace

class DemoFactsTest : public QObject {
    Q_OBJECT

private slots:
    void judgesByFacts_data();
    void judgesByFacts();
    void everyKindHasAHundredQuestions();
};

void DemoFactsTest::judgesByFacts_data()
{
    QTest::addColumn<QString>("ability");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("got");
    QTest::addColumn<bool>("right");
    const QString two =
        "The image shows **2 shapes** on a white background:\n\n- a small red circle at the top\n"
        "- a large blue star on the left";

    QTest::newRow("other words, other order") << "describe" << two
                                              << "There are two shapes on a white background: a large blue "
                                                 "star on the left and a small red circle at the top."
                                              << true;
    QTest::newRow("colours swapped")
        << "describe" << two << QString(two).replace("red", "x").replace("blue", "red").replace("x", "blue")
        << false;
    QTest::newRow("one shape left out") << "describe" << two << two.section('\n', 0, 2) << false;
    QTest::newRow("less said, but yes")
        << "exist" << "Yes, there is a red circle at the top." << "Yes, I see one." << true;
    QTest::newRow("yes, but elsewhere") << "exist" << "Yes, there is a red circle at the top."
                                        << "Yes, there is a red circle at the bottom." << false;
    QTest::newRow("no in place of yes") << "exist" << "Yes, there is a red circle at the top."
                                        << "No, there is no red circle in the image." << false;
    QTest::newRow("a corner isn't its side")
        << "where" << "The star is at the **top left**." << "The star is at the top." << false;
    QTest::newRow("middle is center")
        << "where" << "The star is in the **center**." << "The star is in the middle." << true;
    QTest::newRow("number as a word")
        << "count" << "There are **3** shapes." << "There are three shapes." << true;
    QTest::newRow("none and one") << "count" << "There are no stars." << "There is **1** star." << false;
    QTest::newRow("objects in any order")
        << "relation" << "There is a red ring and a blue star to the left of the heart."
        << "There is a blue star and a red ring left of the heart." << true;
    QTest::newRow("colours of two objects swapped")
        << "relation" << "There is a red ring and a blue star to the left of the heart."
        << "There is a blue ring and a red star to the left of the heart." << false;
    QTest::newRow("the other side") << "relation" << "No, the star is below the ring."
                                    << "No, the star is above the ring." << false;
    QTest::newRow("direction in other words") << "video: direction" << "The star moves **to the right**."
                                              << "It moves from left to right." << true;
    QTest::newRow("the wrong way") << "video: order" << "First the red star moves from left to right."
                                   << "First the red star moves from right to left." << false;
    QTest::newRow("the other picture")
        << "compare: which" << "**Image 2** shows a star." << "Image 1 shows a star." << false;
    QTest::newRow("result used") << "tool: answer" << "In Paris it is **sunny** with 12 degrees."
                                 << "It is sunny in Paris, 12 degrees." << true;
    QTest::newRow("another city") << "tool: answer" << "In Paris it is **sunny** with 12 degrees."
                                  << "In Rome it is **sunny** with 12 degrees." << false;
    QTest::newRow("a picture isn't a clip")
        << "no image" << "I can't see any image in this chat. Please attach one."
        << "I can't see any video in this chat. Please attach one." << false;
}

void DemoFactsTest::judgesByFacts()
{
    QFETCH(QString, ability);
    QFETCH(QString, expected);
    QFETCH(QString, got);
    QFETCH(bool, right);
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty())
        QSKIP("python3 is not installed");
    QProcess judge;
    judge.start(python, {"-B", oracles.filePath("demo_facts.py")});
    judge.write(QJsonDocument(QJsonArray{ability, expected, got}).toJson(QJsonDocument::Compact));
    judge.closeWriteChannel();

    QVERIFY2(judge.waitForFinished(60'000), qPrintable(judge.errorString()));

    QVERIFY2(judge.exitCode() == 0, judge.readAllStandardError());
    QCOMPARE(QString::fromUtf8(judge.readAllStandardOutput()).trimmed(), QString(right ? "right" : "wrong"));
}

void DemoFactsTest::everyKindHasAHundredQuestions()
{
    QFile file(oracles.filePath("demo_questions.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QMap<QString, QSet<QString>> questions;
    QString kind;

    for (const QString &line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
        if (line.startsWith('['))
            kind = subject(line.mid(1, line.size() - 2));
        else if (!line.startsWith('#'))
            questions[kind] += line;
    }

    QVERIFY(questions.size() >= 20);
    for (auto it = questions.cbegin(); it != questions.cend(); ++it)
        QVERIFY2(it->size() >= 100, qPrintable(QString("%1: %2").arg(it.key()).arg(it->size())));
    QVERIFY(questions["beyond"].size() >= 200);
}

QTEST_GUILESS_MAIN(DemoFactsTest)
#include "demo_facts_test.moc"
