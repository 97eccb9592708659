#include "app/highlight/code_lexer.h"

#include <QTest>

#include <random>
#include <string>

using namespace perilune;

namespace {

/// The kinds of `code`, a letter a unit: '.' for plain, else the kind's own.
QString kinds(const char *language, const QString &code)
{
    static const char letters[] = {'k', 't', 'l', 'n', 's', 'c', 'm', 'N', '+', '-'};
    const Language *known = findLanguage(language);
    if (!known)
        return "unknown";
    QString all;
    int state = 0;
    for (const QString &line : code.split('\n')) {
        std::vector<CodeSpan> spans;
        const std::u16string text = line.toStdU16String();
        state = lexLine(*known, text, state, spans);
        QString row(line.size(), '.');
        for (const CodeSpan &span : spans)
            row.replace(static_cast<int>(span.begin), static_cast<int>(span.length),
                        QString(static_cast<int>(span.length), letters[static_cast<int>(span.kind)]));
        all += (all.isEmpty() ? "" : "\n") + row;
    }
    return all;
}

} // namespace

class HighlightTest : public QObject {
    Q_OBJECT

private slots:
    void colours_data();
    void colours();
    void namesOfFences();
    void anyTextGivesSpansInOrder();
};

void HighlightTest::colours_data()
{
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("expected");

    QTest::newRow("C++") << QByteArray("c++") << "#include <map>\nint a = 0x1F; // no \"text\""
                         << "mmmmmmmm.sssss\nttt.....nnnn..cccccccccccc";
    QTest::newRow("comment over lines") << QByteArray("c") << "a /* if\nif */ if" << "..ccccc\nccccc.kk";
    QTest::newRow("unclosed text ends with its line") << QByteArray("c") << "\"ab\nif" << "sss\nkk";
    QTest::newRow("escaped quote") << QByteArray("c") << R"("a\"b" if)" << "ssssss.kk";
    QTest::newRow("Python text over lines")
        << QByteArray("py") << "x = '''if\nif''' if" << "....sssss\nsssss.kk";
    QTest::newRow("Python") << QByteArray("Python") << "@cache\ndef f(x): return None # why"
                            << "mmmmmm\nkkk.N.....kkkkkk.llll.ccccc";
    QTest::newRow("a word within a word") << QByteArray("python") << "iffy = format" << ".............";
    QTest::newRow("numbers") << QByteArray("js") << "1e-5+2.5 a1 3.x" << "nnnn.nnn....n..";
    QTest::newRow("Rust lifetime") << QByteArray("rust") << "fn f<'a>() -> u8" << "kk............tt";
    QTest::newRow("shell") << QByteArray("bash") << "echo \"$HOME\" $# ${x#y} # end"
                           << "tttt.sssssss...........ccccc";
    QTest::newRow("SQL in capitals") << QByteArray("sql") << "SELECT 'it''s' FROM t -- x"
                                     << "kkkkkk.sssssss.kkkk...cccc";
    QTest::newRow("HTML") << QByteArray("html") << "<p class=\"a\">if &amp; x</p>"
                          << "kk.NNNNN.sss....lllll..kkk.";
    QTest::newRow("YAML") << QByteArray("yaml") << "- name: true # x\n  a-b: 'c'"
                          << "..NNNN..llll.ccc\n..NNN..sss";
    QTest::newRow("TOML section") << QByteArray("toml") << "[a.b]\nx = 1" << "mmmmm\nN...n";
    QTest::newRow("JSON") << QByteArray("json") << R"({"a": [1, null]})" << ".sss...n..llll..";
    QTest::newRow("diff") << QByteArray("diff") << "@@ -1 +1 @@\n-a\n+b\n c" << "mmmmmmmmmmm\n--\n++\n..";
    QTest::newRow("CSS") << QByteArray("css") << "a { color: #fff; }\n  color: red"
                         << "..................\n..NNNNN.....";
    QTest::newRow("letters of other scripts")
        << QByteArray("python") << QString::fromUtf8("если if") << ".....kk";
    QTest::newRow("console") << QByteArray("console") << "user@host:~$ ls" << "mmmmmmmmmmmm...";
}

void HighlightTest::colours()
{
    QFETCH(QByteArray, language);
    QFETCH(QString, code);
    QFETCH(QString, expected);

    QCOMPARE(kinds(language, code), expected);
}

void HighlightTest::namesOfFences()
{
    for (const char *name :
         {"c",        "cpp",        "C++",        "c#",     "java",  "kotlin", "swift",   "go",
          "rust",     "javascript", "TypeScript", "python", "ruby",  "php",    "perl",    "lua",
          "r",        "julia",      "haskell",    "scala",  "dart",  "sql",    "bash",    "powershell",
          "json",     "yaml",       "toml",       "ini",    "html",  "xml",    "css",     "cmake",
          "makefile", "dockerfile", "glsl",       "matlab", "latex", "diff",   "markdown"})
        QVERIFY2(findLanguage(name), name);
    QVERIFY(!findLanguage(""));
    QVERIFY(!findLanguage("cpp hpp"));
    QVERIFY(!findLanguage("klingon"));
}

void HighlightTest::anyTextGivesSpansInOrder()
{
    std::mt19937 random(7);
    const QString pieces = QString::fromUtf8("\"'`/*#-<>={}[]()$@\\ \t;:%&!=.0x1e-ifreturn\n字é");
    for (const char *name :
         {"c", "python", "html", "yaml", "css", "diff", "lua", "bash", "latex", "console", "haskell"}) {
        const Language &language = *findLanguage(name);
        int state = 0;
        for (int n = 0; n < 2000; ++n) {
            std::u16string line;
            for (std::size_t i = random() % 24; i > 0; --i)
                line += pieces[static_cast<int>(random() % static_cast<unsigned>(pieces.size()))].unicode();
            std::vector<CodeSpan> spans;
            state = lexLine(language, line, n % 5 == 0 ? static_cast<int>(random() % 9) : state, spans);
            QVERIFY(state >= 0);
            std::size_t end = 0;
            for (const CodeSpan &span : spans) {
                QVERIFY(span.begin >= end && span.length > 0);
                end = span.begin + span.length;
            }
            QVERIFY(end <= line.size());
        }
    }
}

QTEST_GUILESS_MAIN(HighlightTest)
#include "highlight_test.moc"
