#include "ui/viewmodel/rich_text.h"

#include <QTest>

using namespace perilune::ui;
using Kind = DrawnBlock::Kind;

class RichTextTest : public QObject {
    Q_OBJECT

private slots:
    void htmlIsShownAsText_data();
    void htmlIsShownAsText();
    void picturesBecomeLinks();
    void onlySomeLinksAreLinks_data();
    void onlySomeLinksAreLinks();
    void kindsAreTold();
    void codeIsTakenAsItIs();
    void directionIsThatOfTheFirstStrongCharacter_data();
    void directionIsThatOfTheFirstStrongCharacter();
    void tasksAndListsKeepTheirMarks();
    void formulasAreSetAside();
    void codeAndLinksKeepTheirDollars();
};

void RichTextTest::htmlIsShownAsText_data()
{
    QTest::addColumn<QByteArray>("markdown");
    QTest::newRow("block") << QByteArray("<div onclick=\"x()\">a</div>");
    QTest::newRow("picture") << QByteArray("<img src=\"https://example.org/a.png\">");
    QTest::newRow("inline") << QByteArray("a <b>bold</b> word");
    QTest::newRow("style") << QByteArray("<style>p { color: red }</style>");
    QTest::newRow("comment") << QByteArray("<!-- hidden -->");
    QTest::newRow("in code") << QByteArray("`<img src=x>`");
    QTest::newRow("in a heading") << QByteArray("# <script>alert(1)</script>");
    QTest::newRow("in a table") << QByteArray("| a |\n|---|\n| <img src=x> |");
    QTest::newRow("in a link's text") << QByteArray("[<img src=x>](https://example.org)");
    QTest::newRow("in a link's target") << QByteArray("[a](<https://example.org/\"><img src=x>>)");
}

void RichTextTest::htmlIsShownAsText()
{
    QFETCH(QByteArray, markdown);

    const std::vector<DrawnBlock> blocks = drawMarkdown(markdown.toStdString());

    QVERIFY(!blocks.empty());
    for (const DrawnBlock &block : blocks) {
        for (const char *tag : {"<img", "<div o", "<style", "<script", "<b>bold", "<!--"})
            QVERIFY2(!block.text.contains(QLatin1String(tag)), qPrintable(block.text));
    }
}

void RichTextTest::picturesBecomeLinks()
{
    const std::vector<DrawnBlock> blocks = drawMarkdown("![a cat](https://example.org/cat.png)");

    QCOMPARE(blocks.size(), std::size_t(1));
    QCOMPARE(blocks[0].text, QString("<p><a href=\"https://example.org/cat.png\">a cat</a></p>"));
}

void RichTextTest::onlySomeLinksAreLinks_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("link");
    QTest::newRow("https") << "https://example.org" << true;
    QTest::newRow("http") << "HTTP://example.org" << true;
    QTest::newRow("mail") << "mailto:ada@example.org" << true;
    QTest::newRow("script") << "javascript:alert(1)" << false;
    QTest::newRow("file") << "file:///etc/passwd" << false;
    QTest::newRow("data") << "data:text/html,x" << false;
    QTest::newRow("provider") << "image://media/x" << false;
    QTest::newRow("relative") << "/etc/passwd" << false;
}

void RichTextTest::onlySomeLinksAreLinks()
{
    QFETCH(QString, target);
    QFETCH(bool, link);

    QCOMPARE(isSafeLink(target), link);
    QCOMPARE(drawMarkdown(("[here](" + target + ")").toStdString()).at(0).text.contains("<a "), link);
}

void RichTextTest::kindsAreTold()
{
    const std::vector<DrawnBlock> blocks = drawMarkdown(
        "# T\n\np\n\n- l\n\n```cpp\nc\n```\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n\n> q\n\n---\n");

    QCOMPARE(blocks.size(), std::size_t(7));
    const Kind kinds[] = {Kind::Text,  Kind::Text,  Kind::Text, Kind::Code,
                          Kind::Table, Kind::Quote, Kind::Rule};
    for (std::size_t at = 0; at < blocks.size(); ++at)
        QCOMPARE(blocks[at].kind, kinds[at]);
    QCOMPARE(blocks[3].language, QString("cpp"));
    QCOMPARE(blocks[4].columns, 3);
}

void RichTextTest::codeIsTakenAsItIs()
{
    const std::vector<DrawnBlock> blocks = drawMarkdown("```\na < b && c\n\n  *x*\n```");

    QCOMPARE(blocks.at(0).text, QString("a < b && c\n\n  *x*"));
}

void RichTextTest::directionIsThatOfTheFirstStrongCharacter_data()
{
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<bool>("rightToLeft");
    QTest::newRow("english") << "one" << false;
    QTest::newRow("arabic") << "**القمر** is the Moon" << true;
    QTest::newRow("hebrew after digits") << "1, 2: שלום" << true;
    QTest::newRow("english before arabic") << "The Moon, القمر" << false;
    QTest::newRow("arabic list") << "- القمر\n- Mond" << true;
    QTest::newRow("code is not looked at") << "`code` القمر" << true;
    QTest::newRow("fenced code never") << "```\nالقمر\n```" << false;
    QTest::newRow("chinese") << "月球" << false;
}

void RichTextTest::directionIsThatOfTheFirstStrongCharacter()
{
    QFETCH(QString, markdown);
    QFETCH(bool, rightToLeft);

    QCOMPARE(drawMarkdown(markdown.toStdString()).at(0).rightToLeft, rightToLeft);
}

void RichTextTest::tasksAndListsKeepTheirMarks()
{
    const QString tasks = drawMarkdown("- [x] a\n- [ ] b").at(0).text;
    const QString numbers = drawMarkdown("7. a\n8. b").at(0).text;

    QCOMPARE(tasks, QString("<ul><li class=\"checked\">a</li><li class=\"unchecked\">b</li></ul>"));
    QCOMPARE(numbers, QString("<ol start=\"7\"><li>a</li><li>b</li></ol>"));
}

void RichTextTest::formulasAreSetAside()
{
    const auto blocks = drawMarkdown("a *b* $x_1*y_2*z < \\text{\"q\"}$ and \\(c\\)");
    QCOMPARE(blocks.size(), 1u);
    QVERIFY2(
        blocks[0].text.contains("<formula display=\"0\" latex=\"x_1*y_2*z &lt; \\text{&quot;q&quot;}\"/>"),
        qPrintable(blocks[0].text));
    QVERIFY(blocks[0].text.contains("<i>b</i>"));
    QCOMPARE(drawMarkdown("| a |\n|---|\n| $|x|$ |").front().kind, Kind::Table);
}

void RichTextTest::codeAndLinksKeepTheirDollars()
{
    QVERIFY(drawMarkdown("- a\n\n      $x$ and $y$").front().text.contains("$x$ and $y$"));
    const QString link = drawMarkdown("[a](https://a.example/$b$)").front().text;
    QVERIFY2(link.contains("href=\"https://a.example/$b$\""), qPrintable(link));
    const QString title = drawMarkdown("~~~\n$x$\n~~~").front().text;
    QCOMPARE(title, QString("$x$"));
}

QTEST_GUILESS_MAIN(RichTextTest)
#include "rich_text_test.moc"
