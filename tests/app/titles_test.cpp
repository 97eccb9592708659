// What becomes a title of what a model says, and what is asked for it.
#include "app/turn/titles.h"

#include <QTest>

using namespace perilune;

class TitlesTest : public QObject {
    Q_OBJECT

private slots:
    void titleOfWhatWasSaid_data();
    void titleOfWhatWasSaid();
    void requestFollowsTheConversation();
};

void TitlesTest::titleOfWhatWasSaid_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("title");
    QTest::newRow("plain") << "Distance to the Moon" << "Distance to the Moon";
    QTest::newRow("blanks") << "  Distance to the Moon \n" << "Distance to the Moon";
    QTest::newRow("quoted") << "\"Distance to the Moon\"" << "Distance to the Moon";
    QTest::newRow("curly") << "“Distance to the Moon”" << "Distance to the Moon";
    QTest::newRow("bold") << "**Distance to the Moon**" << "Distance to the Moon";
    QTest::newRow("heading") << "# Distance to the Moon" << "Distance to the Moon";
    QTest::newRow("announced") << "Title: Distance to the Moon" << "Distance to the Moon";
    QTest::newRow("question") << "How Far Is the Moon?" << "How Far Is the Moon?";
    QTest::newRow("Chinese") << "「月球的距离」" << "月球的距离";
    QTest::newRow("Arabic") << "المسافة إلى القمر" << "المسافة إلى القمر";
    QTest::newRow("apostrophe") << "The Moon's distance" << "The Moon's distance";
    QTest::newRow("sentence") << "I can describe pictures." << "";
    QTest::newRow("Chinese sentence") << "我可以描述图片。" << "";
    QTest::newRow("lines") << "Moon\nMars" << "";
    QTest::newRow("long") << "one two three four five six seven eight nine ten eleven" << "";
    QTest::newRow("endless") << QString(200, 'x') << "";
    QTest::newRow("nothing") << " \n " << "";
    QTest::newRow("quotes only") << "\"\"" << "\"\"";
    QTest::newRow("control") << QString("Moon") + QChar(27) + "[31m" << "";
}

void TitlesTest::titleOfWhatWasSaid()
{
    QFETCH(QString, said);
    QFETCH(QString, title);
    QCOMPARE(QString::fromStdString(titleFrom(said.toStdString())), title);
}

void TitlesTest::requestFollowsTheConversation()
{
    Message question, answer;
    question.parts = {TextPart{"Why?"}};
    answer.role = Role::Assistant;
    answer.parts = {TextPart{"Because."}};

    const ChatRequest request = titleRequest({question, answer}, "[]");

    QCOMPARE(request.messages.size(), std::size_t(3));
    QVERIFY(request.messages[0] == question && request.messages[1] == answer);
    QCOMPARE(request.messages[2].role, Role::User);
    QCOMPARE(request.toolsJson, std::string("[]"));
    QVERIFY(!request.thinking && request.maxNewTokens <= 64);
}

QTEST_APPLESS_MAIN(TitlesTest)
#include "titles_test.moc"
