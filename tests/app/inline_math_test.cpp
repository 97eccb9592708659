#include "app/markdown/inline_math.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>

using namespace perilune;

/// Cases that users of chat programs reported as broken, and their neighbours.
class InlineMathTest : public QObject {
    Q_OBJECT

private slots:
    void formulas_data();
    void formulas();
    void setsAside();
    void anyTextIsKept();
    void costsAreLinear_data();
    void costsAreLinear();
};

void InlineMathTest::formulas_data()
{
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<QString>("expected"); // formulas, one a line; "D " before large ones

    QTest::newRow("single") << "an $x$ here" << "x";
    QTest::newRow("several") << "$a$, $b$ and $c$." << "a\nb\nc";
    QTest::newRow("parentheses") << "so \\(a+b\\) is" << "a+b";
    QTest::newRow("brackets") << "so \\[a+b\\] is" << "D a+b";
    QTest::newRow("double") << "so $$a+b$$ is" << "D a+b";
    QTest::newRow("double over lines") << "so\n$$\na\n+b\n$$\nis" << "D a\n+b";
    QTest::newRow("spaces inside parentheses") << "\\( x \\)" << "x";
    QTest::newRow("amounts") << "between $120 and $85" << "";
    QTest::newRow("amounts with a formula") << "pay $5 for $x$ of $10" << "x";
    QTest::newRow("amount with a number behind") << "US$100 and HK$200" << "";
    QTest::newRow("amount in front") << "it costs $5, or 10$ there" << "";
    QTest::newRow("range") << "$10/$20 a month" << "";
    QTest::newRow("number alone") << "it is $5$ here" << "5";
    QTest::newRow("sum of numbers") << "$1 + 1$" << "1 + 1";
    QTest::newRow("escaped dollars") << "\\$5 and \\$6" << "";
    QTest::newRow("escaped dollar inside") << "$a \\$ b$" << "a \\$ b";
    QTest::newRow("escaped backslash before the end") << "$a \\\\$ b" << "a \\\\";
    QTest::newRow("escaped backslash before the start") << "\\\\(a\\)" << "";
    QTest::newRow("code") << "`$a$` and ``\\(b\\)`` and $c$" << "c";
    QTest::newRow("code that doesn't end") << "`$a$" << "a";
    QTest::newRow("fence") << "- x\n  ```sh\n  echo $HOME $PATH\n  ```\n  $y$" << "y";
    QTest::newRow("shell variables") << "set $HOME and $PATH" << "";
    QTest::newRow("stars inside") << "$a*b*c$" << "a*b*c";
    QTest::newRow("underscores inside") << "$a_1 b_2$" << "a_1 b_2";
    QTest::newRow("bar in a table") << "| $|x|$ | b |\n|---|---|\n| $y$ | c |" << "|x|\ny";
    QTest::newRow("blank line between") << "$a\n\nb$" << "";
    QTest::newRow("line between") << "$a\nb$" << "a\nb";
    QTest::newRow("quote") << "> so\n> $$\n> a > b\n> $$" << "D a > b";
    QTest::newRow("Chinese around") << QString::fromUtf8("其中$x$是\\(y\\)。") << "x\ny";
    QTest::newRow("plural") << "the $x$s" << "x";
    QTest::newRow("nothing between") << "$$ $$ and \\(\\)" << "";
    QTest::newRow("three dollars") << "$$$a$$$" << "";
    QTest::newRow("unclosed") << "so $a and \\(b and $$c" << "";
    QTest::newRow("text in a formula") << "$x \\text{ if } y$" << "x \\text{ if } y";
}

void InlineMathTest::formulas()
{
    QFETCH(QString, markdown);
    QFETCH(QString, expected);
    QStringList found;
    for (const InlineFormula &formula : inlineFormulas(markdown.toStdString()))
        found += (formula.display ? "D " : "") + QString::fromStdString(formula.latex);
    QCOMPARE(found.join('\n'), expected);
}

void InlineMathTest::setsAside()
{
    const SetAside aside = setFormulasAside("a $x*y$ **b** $z$");
    QCOMPARE(aside.formulas.size(), 2u);
    QCOMPARE(aside.markdown,
             "a " + aside.mark + "0" + aside.mark + " **b** " + aside.mark + "1" + aside.mark);
    // The mark is one that the text hasn't.
    const SetAside other = setFormulasAside("a $x$ " + aside.mark);
    QVERIFY(!other.mark.empty());
    QVERIFY(other.mark != aside.mark);
    QVERIFY(setFormulasAside("no formula").mark.empty());
}

void InlineMathTest::anyTextIsKept()
{
    std::mt19937 random(5);
    const std::string letters = "$$$\\\\()[]` \nab1>|";
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (unsigned i = random() % 40; i > 0; --i)
            text += letters[random() % letters.size()];
        // The pieces between and the formulas themselves are the text.
        std::size_t done = 0;
        for (const InlineFormula &formula : inlineFormulas(text)) {
            QVERIFY(formula.begin >= done && formula.end > formula.begin + 2 && formula.end <= text.size());
            QVERIFY(!formula.latex.empty());
            done = formula.end;
        }
    }
}

void InlineMathTest::costsAreLinear_data()
{
    QTest::addColumn<QString>("piece");
    QTest::newRow("openers") << "$a ";
    QTest::newRow("parentheses") << "\\(";
    QTest::newRow("brackets") << "\\[a ";
    QTest::newRow("doubles") << "$$a $b ";
    QTest::newRow("backticks") << "` `` ";
    QTest::newRow("backslashes") << "\\\\";
    QTest::newRow("lines") << "$a\n";
    QTest::newRow("money") << "$1 a ";
    QTest::newRow("formulas") << "$a$ ";
    QTest::newRow("quoted formulas") << "> $a$\n";
}

void InlineMathTest::costsAreLinear()
{
    QFETCH(QString, piece);
    const std::string text = piece.repeated(1000000 / static_cast<int>(piece.size())).toStdString() + "x$";
    QElapsedTimer timer;
    timer.start();
    inlineFormulas(text);
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed()))); // quadratic takes minutes
}

QTEST_GUILESS_MAIN(InlineMathTest)
#include "inline_math_test.moc"
