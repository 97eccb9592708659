#include "app/markdown/blocks.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <random>

using namespace perilune;
using Kind = MarkdownBlock::Kind;

namespace {

const char *nameOf(Kind kind)
{
    static const char *names[] = {"paragraph", "heading", "list", "quote", "code", "table", "math", "rule"};
    return names[int(kind)];
}

QString kinds(const std::vector<MarkdownBlock> &blocks)
{
    QStringList names;
    for (const MarkdownBlock &block : blocks)
        names += nameOf(block.kind);
    return names.join(' ');
}

QString withoutLastEnds(QString code)
{
    while (!code.isEmpty() && code.back().isSpace())
        code.chop(1);
    return code;
}

/// Lines of the sort that answers are made of, in an order that they never have.
std::string randomMarkdown(std::mt19937 &random, bool math)
{
    static const std::vector<std::string> lines = {"",
                                                   "",
                                                   "",
                                                   "text",
                                                   "more *text* here",
                                                   "# Heading",
                                                   "#no heading",
                                                   "###### six",
                                                   "####### seven",
                                                   "- item",
                                                   "* star",
                                                   "+ plus",
                                                   "1. one",
                                                   "2. two",
                                                   "2) two",
                                                   "10. ten",
                                                   "  - nested",
                                                   "\n    - deeper",
                                                   "   continued",
                                                   "\n    four",
                                                   "\n      six",
                                                   "\n\ttab",
                                                   "> quote",
                                                   ">",
                                                   "> - item in quote",
                                                   "> > twice",
                                                   "```",
                                                   "```cpp",
                                                   "````",
                                                   "~~~",
                                                   "~~~~ python x",
                                                   "``` `not` a fence",
                                                   "---",
                                                   "***",
                                                   "===",
                                                   "- - -",
                                                   "\n| a | b |\n|---|---|\n| 1 | 2 |\n",
                                                   "\na | b\n:-- | --:\n",
                                                   "<div>",
                                                   "<b>bold</b> text",
                                                   "\\# escaped",
                                                   "  ```",
                                                   "   ```js",
                                                   "- # heading in item",
                                                   "- ```",
                                                   "  ```",
                                                   "- > quote in item",
                                                   "-     code in item",
                                                   "text  ",
                                                   "中文段落",
                                                   "    ",
                                                   "1986. a year",
                                                   "-\ttabbed",
                                                   "  text",
                                                   "_emphasis_",
                                                   "* * *x",
                                                   "__ __ __"};
    static const std::vector<std::string> formulas = {
        "$$", "\\[", "\\]", "x^2 + y^2", "$$a = b$$", "\\[ c \\]", "\\[ d \\].", "$$ e $$ and so on"};
    std::string source;
    std::uniform_int_distribution<int> count(1, 14);
    for (int left = count(random); left > 0; --left) {
        const bool formula = math && random() % 3 == 0;
        const auto &from = formula ? formulas : lines;
        source += from[random() % from.size()];
        if (left > 1 || random() % 2)
            source += '\n';
    }
    return source;
}

} // namespace

class BlocksTest : public QObject {
    Q_OBJECT

private slots:
    void divides_data();
    void divides();
    void dividesRandomTextAsTheReference();
    void piecesMakeNoDifference();
    void closedBlocksNeverChange();
    void everyWordIsInABlock();
    void formulas();
    void formulas_data();
    void languageAndText();
    void costsTheSameForEachToken();
};

void BlocksTest::divides_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *source, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(source) << expected;
    };
    row("loose list", "- a\n\n- b\n\n  more\n\nend", "list paragraph");
    row("two lists", "- a\n\n* b", "list list");
    row("blank line in code", "```\na\n\nb\n```\n\nc", "code paragraph");
    row("nested fences", "````md\n```\nx\n```\n````\ny", "code paragraph");
    row("fence in list", "1. do\n   ```sh\n   ls\n\n   pwd\n   ```\n2. done", "list");
    row("unclosed fence", "a\n```\nb\n\n# c", "paragraph code");
    row("table", "x\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\ny", "paragraph table paragraph");
    row("table after a paragraph", "So:\nand\n| a | b |\n|---|---|\n| 1 | 2 |", "paragraph table");
    row("no table: other number of cells", "a | b\n---|", "paragraph");
    row("table ends at heading", "| a |\n|---|\n# b", "table heading");
    row("lazy quote", "> a\nb\n\nc", "quote paragraph");
    row("quote, then list", "> a\n- b", "quote list");
    row("setext", "Title\n===\ntext\n---", "heading heading");
    row("rule", "a\n\n---\n\n***", "paragraph rule rule");
    row("indented code", "a\n\n    b\n\n    c\n\nd", "paragraph code paragraph");
    row("html is text", "<div>\n\n*a*\n\n</div>", "paragraph paragraph paragraph");
    row("year is no list", "In the year\n1986. What a season", "paragraph");
    row("carriage returns", "a\r\n\r\n- b\r\n- c\r\n", "paragraph list");
}

void BlocksTest::divides()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    const std::string bytes = source.toStdString();

    QCOMPARE(kinds(markdownBlocks(bytes)), expected);
}

void BlocksTest::dividesRandomTextAsTheReference()
{
    QFile file(TEST_DATA_DIR "/markdown/blocks.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).array();
    QVERIFY(cases.size() >= 1000);
    for (const QJsonValue &item : cases) {
        const std::string source = item[0].toString().toStdString();
        const QJsonArray expected = item[1].toArray();
        QStringList expectedKinds;
        for (const QJsonValue &block : expected)
            expectedKinds += block[0].toString();

        const auto blocks = markdownBlocks(source);

        const QString shown = QString::fromStdString(source).replace('\n', "⏎\n").replace('\t', "→");
        QVERIFY2(kinds(blocks) == expectedKinds.join(' '),
                 qPrintable(QString("%1\n ours:     %2\n expected: %3")
                                .arg(shown, kinds(blocks), expectedKinds.join(' '))));
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            if (blocks[b].kind != Kind::Code)
                continue;
            const QString code = QString::fromStdString(
                codeText(source.substr(blocks[b].begin, blocks[b].end - blocks[b].begin)));
            const QString wanted = expected[int(b)][1].toString();
            // The reference gives the last line of code that nothing closes as it found it, with or without
            // its end.
            QVERIFY2(withoutLastEnds(code) == withoutLastEnds(wanted),
                     qPrintable(QString("%1\n ours:\n%2\n expected:\n%3").arg(shown, code, wanted)));
        }
    }
}

void BlocksTest::piecesMakeNoDifference()
{
    std::mt19937 random(2);
    for (int i = 0; i < 2000; ++i) {
        const std::string source = randomMarkdown(random, true);
        MarkdownBlocks pieces;
        for (std::size_t at = 0; at < source.size();) {
            const std::size_t size = 1 + random() % 7;
            pieces.feed(std::string_view(source).substr(at, size));
            at = std::min(source.size(), at + size);

            MarkdownBlocks whole;
            whole.feed(std::string_view(source).substr(0, at));
            QCOMPARE(pieces.closed().size(), whole.closed().size());
            QVERIFY(pieces.closed() == whole.closed());
            QVERIFY(pieces.open() == whole.open());
        }
        QCOMPARE(pieces.text(), source);
    }
}

void BlocksTest::closedBlocksNeverChange()
{
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
        const std::string source = randomMarkdown(random, true);
        const auto final = markdownBlocks(source);
        MarkdownBlocks blocks;
        for (const char c : source) {
            blocks.feed({&c, 1});
            QVERIFY(blocks.closed().size() <= final.size());
            QVERIFY(std::equal(blocks.closed().begin(), blocks.closed().end(), final.begin()));
        }
    }
}

void BlocksTest::everyWordIsInABlock()
{
    std::mt19937 random(4);
    for (int i = 0; i < 2000; ++i) {
        const std::string source = randomMarkdown(random, true);
        std::size_t after = 0;
        for (const MarkdownBlock &block : markdownBlocks(source)) {
            QVERIFY(block.begin >= after && block.begin < block.end && block.end <= source.size());
            const std::string between = source.substr(after, block.begin - after);
            QVERIFY2(between.find_first_not_of(" \t\r\n") == std::string::npos, between.c_str());
            after = block.end;
        }
        QVERIFY(source.find_first_not_of(" \t\r\n", after) == std::string::npos);
    }
}

void BlocksTest::formulas_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("latex"); // of the first formula

    QTest::newRow("dollars") << "a\n$$\nx^2\n$$\nb"
                             << "paragraph math paragraph"
                             << "x^2";
    QTest::newRow("brackets") << "\\[\n  \\frac{a}{b}\n\\]"
                              << "math"
                              << "\\frac{a}{b}";
    QTest::newRow("one line") << "so\n\n\\[ a = b \\].\n\nc"
                              << "paragraph math paragraph"
                              << "a = b";
    QTest::newRow("within words") << "$$a$$ is a"
                                  << "paragraph"
                                  << "";
    QTest::newRow("no end before the blank line") << "$$5 and more\n\ntext"
                                                  << "paragraph paragraph"
                                                  << "";
    QTest::newRow("in code") << "```\n$$\nx\n$$\n```"
                             << "code"
                             << "";
    QTest::newRow("in a list") << "- a\n  $$\n  x\n  $$\n- b"
                               << "list"
                               << "";
    QTest::newRow("growing") << "$$\nx +"
                             << "math"
                             << "x +";
}

void BlocksTest::formulas()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    QFETCH(QString, latex);
    const std::string bytes = source.toStdString();

    const auto blocks = markdownBlocks(bytes);

    QCOMPARE(kinds(blocks), expected);
    for (const MarkdownBlock &block : blocks) {
        if (block.kind == Kind::Math)
            QCOMPARE(QString::fromStdString(mathText(bytes.substr(block.begin, block.end - block.begin))),
                     latex);
    }
}

void BlocksTest::languageAndText()
{
    const std::string source = "  ```python title=x\n  a = 1\n    b\n\n  ```\n### Third\n";

    const auto blocks = markdownBlocks(source);

    QCOMPARE(kinds(blocks), QString("code heading"));
    QCOMPARE(blocks[0].language, std::string("python"));
    QCOMPARE(codeText(source.substr(blocks[0].begin, blocks[0].end - blocks[0].begin)),
             std::string("a = 1\n  b\n\n"));
    QCOMPARE(blocks[1].level, 3u);
}

void BlocksTest::costsTheSameForEachToken()
{
    // One line of a megabyte and ten thousand paragraphs, looked at after each token: quadratic work would
    // take minutes.
    MarkdownBlocks line;
    for (int i = 0; i < 200'000; ++i) {
        line.feed("word ");
        QVERIFY(line.open().size() == 1);
    }
    MarkdownBlocks paragraphs;
    for (int i = 0; i < 10'000; ++i) {
        for (const char *token : {"some ", "words", "\n", "\n"}) {
            paragraphs.feed(token);
            QVERIFY(paragraphs.open().size() <= 2);
        }
    }
    QCOMPARE(paragraphs.closed().size(), std::size_t(10'000));
}

QTEST_GUILESS_MAIN(BlocksTest)
#include "blocks_test.moc"
