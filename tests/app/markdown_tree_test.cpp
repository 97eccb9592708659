#include "app/markdown/entities.h"
#include "app/markdown/tree.h"
#include "tests/support/random_chat.h"

#include <QTest>

using namespace perilune;
using Kind = MarkdownNode::Kind;

class MarkdownTreeTest : public QObject {
    Q_OBJECT

private slots:
    void spansHaveTheirLook();
    void listsNest();
    void tablesHaveCells();
    void codeKeepsItsLines();
    void formulasKeepTheirMarks_data();
    void formulasKeepTheirMarks();
    void onlySafeLinksLead();
    void entities_data();
    void entities();
    void deepNestingEnds();
    void anyTextIsFine();
};

void MarkdownTreeTest::spansHaveTheirLook()
{
    const auto tree = markdownTree("a **b *c*** `d` ~~e~~ [f](https://g.h)\nnext");

    QCOMPARE(tree.size(), std::size_t(1));
    QCOMPARE(tree[0].kind, Kind::Paragraph);
    const auto &spans = tree[0].spans;
    QCOMPARE(plainText(spans), std::string("a b c d e f\nnext"));
    QVERIFY(spans[1].bold && !spans[1].italic && spans[1].text == "b ");
    QVERIFY(spans[2].bold && spans[2].italic && spans[2].text == "c");
    QVERIFY(spans[4].code && spans[4].text == "d");
    QVERIFY(spans[6].struck && spans[6].text == "e");
    QCOMPARE(spans[8].link, std::string("https://g.h"));
}

void MarkdownTreeTest::listsNest()
{
    const auto tree = markdownTree("3. one\n   - [x] done\n   - open\n\n   more\n4. two");

    QCOMPARE(tree.size(), std::size_t(1));
    QVERIFY(tree[0].kind == Kind::List && tree[0].ordered && tree[0].number == 3);
    QCOMPARE(tree[0].children.size(), std::size_t(2));
    const MarkdownNode &first = tree[0].children[0];
    QCOMPARE(first.children.size(), std::size_t(3)); // paragraph, list, paragraph
    QCOMPARE(first.children[1].kind, Kind::List);
    QCOMPARE(first.children[1].children[0].done, std::optional<bool>(true));
    QCOMPARE(plainText(first.children[1].children[0].children[0].spans), std::string("done"));
    QCOMPARE(first.children[1].children[1].done, std::optional<bool>());
}

void MarkdownTreeTest::tablesHaveCells()
{
    const auto tree = markdownTree("| a | b |\n|:-:|--:|\n| `x` | 2 |");

    QCOMPARE(tree[0].kind, Kind::Table);
    QCOMPARE(tree[0].children.size(), std::size_t(2));
    QVERIFY(tree[0].children[0].children[0].header);
    QCOMPARE(tree[0].children[0].children[0].align, MarkdownNode::Align::Center);
    QCOMPARE(tree[0].children[1].children[1].align, MarkdownNode::Align::End);
    QVERIFY(tree[0].children[1].children[0].spans[0].code);
}

void MarkdownTreeTest::codeKeepsItsLines()
{
    const auto tree = markdownTree("```cpp title\nint a;\n\n  b <&\n```\n\n    x\n     y");

    QCOMPARE(tree.size(), std::size_t(2));
    QCOMPARE(tree[0].language, std::string("cpp"));
    QCOMPARE(plainText(tree[0].spans), std::string("int a;\n\n  b <&"));
    QCOMPARE(plainText(tree[1].spans), std::string("x\n y"));
}

void MarkdownTreeTest::formulasKeepTheirMarks_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("formulas");
    QTest::newRow("brackets") << "so \\(a_1 * b * c_2\\) is" << QStringList{"\\(a_1 * b * c_2\\)"};
    QTest::newRow("dollars") << "so $a*b*c$ is, $$x_1$$ too" << QStringList{"$a*b*c$", "$$x_1$$"};
    QTest::newRow("prices") << "from $5 to $10, or $3" << QStringList{};
    QTest::newRow("open") << "so \\(a and $b" << QStringList{};
    QTest::newRow("escaped") << "\\$a\\$ \\\\(b)" << QStringList{};
}

void MarkdownTreeTest::formulasKeepTheirMarks()
{
    QFETCH(QString, text);
    QFETCH(QStringList, formulas);
    QStringList found;
    const auto tree = markdownTree(text.toStdString());
    for (const MarkdownSpan &span : tree[0].spans) {
        if (span.formula)
            found += QString::fromStdString(span.text);
    }
    QCOMPARE(found, formulas);
}

void MarkdownTreeTest::onlySafeLinksLead()
{
    for (const char *safe : {"https://a.b", "HTTP://a.b", "mailto:a@b.c"})
        QVERIFY2(isSafeLink(safe), safe);
    for (const char *unsafe : {"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https",
                               "http:", "//a.b", "ht\ntp://a", " https://a"})
        QVERIFY2(!isSafeLink(unsafe), unsafe);
    const auto tree = markdownTree("[a](javascript:x) ![b](file:///c) <javascript:d>");
    for (const MarkdownSpan &span : tree[0].spans)
        QVERIFY(span.link.empty());
}

void MarkdownTreeTest::entities_data()
{
    QTest::addColumn<QString>("entity");
    QTest::addColumn<QString>("text");
    QTest::newRow("name") << "&amp;" << "&";
    QTest::newRow("decimal") << "&#8212;" << "—";
    QTest::newRow("hex") << "&#x1F600;" << "😀";
    QTest::newRow("zero") << "&#0;" << "\uFFFD";
    QTest::newRow("surrogate") << "&#xD800;" << "\uFFFD";
    QTest::newRow("beyond") << "&#99999999999;" << "\uFFFD";
    QTest::newRow("unknown") << "&foo;" << "&foo;";
}

void MarkdownTreeTest::entities()
{
    QFETCH(QString, entity);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(entityText(entity.toStdString())), text);
}

void MarkdownTreeTest::deepNestingEnds()
{
    const auto tree = markdownTree(std::string(5000, '>') + " deep");

    std::size_t depth = 0;
    const MarkdownNode *at = tree.data();
    while (!at->children.empty()) {
        at = at->children.data();
        ++depth;
    }
    QVERIFY(depth < 50);
    QCOMPARE(plainText(at->spans), std::string("deep"));
}

void MarkdownTreeTest::anyTextIsFine()
{
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string text = test::randomMarkdown(random);
        if (!text.empty() && i % 3 == 0)
            text[random() % text.size()] = static_cast<char>(random());
        (void)markdownTree(text);
    }
}

QTEST_GUILESS_MAIN(MarkdownTreeTest)
#include "markdown_tree_test.moc"
