#include "engine/text/utf8.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class Utf8Test : public QObject {
    Q_OBJECT

private slots:
    void repairsAsTheReferenceDoes();
    void knowsEveryCodePoint();
    void tailIsWhatCouldBeCompleted();
    void findsWhiteSpaceAtTheEnds();
};

void Utf8Test::repairsAsTheReferenceDoes()
{
    for (const JsonValue &one : textCases("tokenizer/invalid_utf8.jsonl")) {
        const std::string bytes = fromHex(member(one, "bytes_hex").text);
        COMPARE_TEXT(repairedUtf8(bytes), member(one, "text").text, member(one, "bytes_hex").text);
        QVERIFY(isValidUtf8(repairedUtf8(bytes)));
    }
}

void Utf8Test::knowsEveryCodePoint()
{
    for (std::uint32_t point = 0; point < 0x110000; ++point) {
        if (point >= 0xD800 && point <= 0xDFFF)
            continue;
        std::string text;
        appendUtf8(text, point);
        const Utf8Step step = utf8Step(text);
        QVERIFY(step.kind == Utf8Step::Kind::Valid && step.point == point && step.length == text.size());
        const Utf8Point fast = utf8PointAt(text.data());
        QVERIFY(fast.point == point && fast.length == text.size());
    }
    QVERIFY(!isValidUtf8("\xED\xA0\x80") && !isValidUtf8("\xF4\x90\x80\x80") && !isValidUtf8("\xC0\x80"));
}

void Utf8Test::tailIsWhatCouldBeCompleted()
{
    QCOMPARE(incompleteUtf8Tail(""), std::size_t(0));
    QCOMPARE(incompleteUtf8Tail("ab\xF0\x9F\x99"), std::size_t(3));
    QCOMPARE(incompleteUtf8Tail("ab\xE4"), std::size_t(1));
    QCOMPARE(incompleteUtf8Tail("ab\xE4\xB8"), std::size_t(2));
    QCOMPARE(incompleteUtf8Tail("ab\xE4\xB8\xAD"), std::size_t(0));
    QCOMPARE(incompleteUtf8Tail("ab\xE0\x80"), std::size_t(0));
    QCOMPARE(incompleteUtf8Tail("\x80\x80\x80"), std::size_t(0));
}

void Utf8Test::findsWhiteSpaceAtTheEnds()
{
    QCOMPARE(trimmed(" \u00A0\u3000a b\x1c\u2028\n"), std::string_view("a b"));
    QCOMPARE(trimmed(" \u3000"), std::string_view(""));
    QCOMPARE(trimmed("\u200B"), std::string_view("\u200B")); // zero width, but no white-space
    QCOMPARE(trailingSpace("a \xE3\x80"), std::size_t(0));
    QCOMPARE(leadingSpace("\xE3\x80"), std::size_t(0));
}

QTEST_GUILESS_MAIN(Utf8Test)
#include "utf8_test.moc"
