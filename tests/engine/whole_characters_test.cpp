#include "engine/base/whole_characters.h"

#include <QString>
#include <QTest>

#include <string>
#include <vector>

using namespace perilune;

namespace {

/// One, two, three and four bytes, twice.
const std::vector<std::string> kCharacters{"a",          "\u00e9", "\u6708", "\U0001F319",
                                           "\U0001F319", "\u6708", "\u00e9", "b"};

std::string textOf(std::size_t characters)
{
    std::string text;
    for (std::size_t i = 0; i < characters; ++i)
        text += kCharacters[i];
    return text;
}

} // namespace

class WholeCharactersTest : public QObject {
    Q_OBJECT

private slots:
    void cutsAtEveryByte();
    void countsCharacters();
    void staysInside();
};

void WholeCharactersTest::cutsAtEveryByte()
{
    const std::string text = textOf(kCharacters.size());
    for (std::size_t at = 0; at <= text.size() + 3; ++at) {
        // From the characters themselves: the whole ones that fit, and one more where that isn't all.
        std::size_t fits = 0;
        while (fits < kCharacters.size() && textOf(fits + 1).size() <= at)
            ++fits;
        const std::size_t floor = textOf(fits).size();
        QCOMPARE(wholeUpTo(text, at), floor);
        QCOMPARE(wholeFrom(text, at),
                 floor == at || fits == kCharacters.size() ? floor : textOf(fits + 1).size());
    }
}

void WholeCharactersTest::countsCharacters()
{
    const std::string text = textOf(kCharacters.size());
    for (std::size_t count = 0; count <= kCharacters.size() + 2; ++count)
        QCOMPARE(bytesOfCharacters(text, count), textOf(std::min(count, kCharacters.size())).size());
}

void WholeCharactersTest::staysInside()
{
    QCOMPARE(wholeUpTo("", 0), std::size_t(0));
    QCOMPARE(wholeFrom("", 5), std::size_t(0));
    QCOMPARE(bytesOfCharacters("", 1), std::size_t(0));
    const std::string inside(5, '\x80'); // no character begins
    QCOMPARE(wholeUpTo(inside, 3), std::size_t(0));
    QCOMPARE(wholeFrom(inside, 3), std::size_t(5));
    QCOMPARE(bytesOfCharacters(inside, 0), std::size_t(5));
    const std::string broken = "\xF0\x9F"; // ends within a character
    QCOMPARE(wholeUpTo(broken, 1), std::size_t(0));
    QCOMPARE(wholeUpTo(broken, 2), std::size_t(2));
    QCOMPARE(wholeFrom(broken, 1), std::size_t(2));
}

QTEST_GUILESS_MAIN(WholeCharactersTest)
#include "whole_characters_test.moc"
