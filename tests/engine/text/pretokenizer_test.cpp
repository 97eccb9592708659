#include "engine/text/pretokenizer.h"

#include "engine/text/unicode_tables.h"
#include "engine/text/utf8.h"
#include "tests/engine/text/text_golden.h"

#include <set>

using namespace perilune;
using namespace perilune::test;

class PretokenizerTest : public QObject {
    Q_OBJECT

private slots:
    void tablesAreThoseOfTheReference();
    void cutsWordsAtCase_data();
    void cutsWordsAtCase();
    void timeIsLinear_data();
    void timeIsLinear();

private:
    Pretokenizer m_pretokenizer;
};

/// The code points of a class in unicode_classes.json.
static std::set<std::uint32_t> pointsOf(const JsonValue &classes, std::string_view name)
{
    std::set<std::uint32_t> points;
    for (const JsonValue &range : member(member(classes, name), "ranges").items) {
        for (auto point = std::stoul(range.items[0].text); point <= std::stoul(range.items[1].text); ++point)
            points.insert(static_cast<std::uint32_t>(point));
    }
    return points;
}

void PretokenizerTest::tablesAreThoseOfTheReference()
{
    const JsonValue file = *parseJson(textData("tokenizer/unicode_classes.json"));
    const JsonValue &classes = member(file, "classes");
    std::vector<unsigned> expected(0x110000);
    const auto add = [&](std::string_view name, unsigned bits) {
        for (const std::uint32_t point : pointsOf(classes, name))
            expected[point] |= bits;
    };
    for (const char *name : {"Lu", "Lt", "Lm", "Lo", "M"})
        add(name, kUpper);
    for (const char *name : {"Ll", "Lm", "Lo", "M"})
        add(name, kLower);
    for (const std::uint32_t point : pointsOf(classes, "Han"))
        expected[point] = (expected[point] & ~unsigned(kUpper | kLower)) | kHan;
    add("L", kLetter);
    add("N", kNumber);
    add("space", kSpace);
    add("py_isspace", kPythonSpace);
    expected['\n'] |= kLineBreak;
    expected['\r'] |= kLineBreak;

    std::vector<unsigned> actual(0x110000);
    for (const CharClassRange &range : kCharClassRanges) {
        for (std::uint32_t point = range.first; point <= range.last; ++point)
            actual[point] = range.classes;
    }

    for (std::uint32_t point = 0; point < 0x110000; ++point) {
        QVERIFY2(actual[point] == expected[point], qPrintable(QString("U+%1").arg(point, 4, 16)));
        QCOMPARE(isPythonSpace(point), (expected[point] & kPythonSpace) != 0);
    }
}

void PretokenizerTest::cutsWordsAtCase_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("pieces");
    QTest::newRow("camel") << "camelCase" << QStringList{"camel", "Case"};
    QTest::newRow("upper run") << "XMLHttp" << QStringList{"XMLHttp"};
    QTest::newRow("upper end") << "fooBAR" << QStringList{"foo", "BAR"};
    QTest::newRow("contraction") << "we'LL it'ſ" << QStringList{"we'LL", " it'ſ"};
    QTest::newRow("digits") << "12345" << QStringList{"123", "45"};
    QTest::newRow("lone mark") << "\u0301A" << QStringList{"\u0301", "A"};
    QTest::newRow("mark before lower") << "\u0301a" << QStringList{"\u0301a"};
    QTest::newRow("lone mark with contraction") << "\u0301'sA" << QStringList{"\u0301's", "A"};
    QTest::newRow("symbols take line breaks") << " ?!\r\n\n x" << QStringList{" ?!\r\n\n", " x"};
    QTest::newRow("spaces give one to the word") << "a   b" << QStringList{"a", "  ", " b"};
    QTest::newRow("spaces at the end") << "a   " << QStringList{"a", "   "};
    QTest::newRow("space up to the last break") << "a \n \n  b" << QStringList{"a", " \n \n", " ", " b"};
    QTest::newRow("Han") << "中文abc" << QStringList{"中文", "abc"};
}

void PretokenizerTest::cutsWordsAtCase()
{
    QFETCH(QString, text);
    QFETCH(QStringList, pieces);
    const std::string bytes = text.toStdString();
    std::string_view rest = bytes;

    QStringList actual;
    while (!rest.empty()) {
        const std::size_t length = m_pretokenizer.pieceLength(rest);
        actual += QString::fromUtf8(rest.data(), qsizetype(length));
        rest.remove_prefix(length);
    }

    QCOMPARE(actual, pieces);
}

void PretokenizerTest::timeIsLinear_data()
{
    QTest::addColumn<QString>("unit");
    for (const char *unit : {"a", "A", "aB", "ªA", "\u0301", "\u0301A", " ", "\n", "\n ", " \u0301", "!", "'",
                             "'s", "1", "中", "🙂", "\u3000a"})
        QTest::newRow(unit) << unit;
}

/// Twenty times the text may take no more than sixty times as long; a quadratic matcher takes 400 times.
void PretokenizerTest::timeIsLinear()
{
    QFETCH(QString, unit);
    const auto seconds = [&](qsizetype bytes) {
        std::string text;
        while (qsizetype(text.size()) < bytes)
            text += unit.toStdString();
        qint64 best = std::numeric_limits<qint64>::max();
        for (int attempt = 0; attempt < 3; ++attempt) {
            QElapsedTimer timer;
            timer.start();
            std::string_view rest = text;
            while (!rest.empty())
                rest.remove_prefix(m_pretokenizer.pieceLength(rest));
            best = std::min(best, timer.nsecsElapsed());
        }
        return best;
    };

    QVERIFY(seconds(400'000) < 60 * std::max<qint64>(seconds(20'000), 100'000));
}

QTEST_GUILESS_MAIN(PretokenizerTest)
#include "pretokenizer_test.moc"
