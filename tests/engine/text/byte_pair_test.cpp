#include "engine/text/byte_pair.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

/// The definition, as slowly as it reads: look at all neighbours, merge the leftmost of the lowest rank.
static std::vector<std::uint32_t> merged(const Vocabulary &vocabulary, std::string_view piece)
{
    if (const std::uint32_t whole = vocabulary.find(piece); whole != Vocabulary::kNone)
        return {whole};
    std::vector<std::string> parts;
    for (const char byte : piece)
        parts.emplace_back(1, byte);
    for (;;) {
        std::uint32_t lowest = Vocabulary::kNone;
        std::size_t place = 0;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            const std::uint32_t rank = vocabulary.find(parts[i] + parts[i + 1]);
            if (rank < lowest) {
                lowest = rank;
                place = i;
            }
        }
        if (lowest == Vocabulary::kNone)
            break;
        parts[place] += parts[place + 1];
        parts.erase(parts.begin() + std::ptrdiff_t(place) + 1);
    }
    std::vector<std::uint32_t> ranks;
    for (const std::string &part : parts)
        ranks.push_back(vocabulary.find(part));
    return ranks;
}

class BytePairTest : public QObject {
    Q_OBJECT

private slots:
    void equalsTheDefinition_data();
    void equalsTheDefinition();
    void equalsTheDefinitionWhereRanksFall();
    void repeatedTextIsNotSlow();
};

void BytePairTest::equalsTheDefinition_data()
{
    QTest::addColumn<QString>("alphabet");
    QTest::newRow("one letter") << "a";
    QTest::newRow("two letters") << "ab";
    QTest::newRow("English") << "etaoinshrdlu";
    QTest::newRow("Chinese") << "的一是不了人我在有他";
    QTest::newRow("emoji") << "🙂";
    QTest::newRow("space") << " \t\n";
}

void BytePairTest::equalsTheDefinition()
{
    QFETCH(QString, alphabet);
    const Vocabulary vocabulary = *Vocabulary::parse(textData("tokenizer/vocab_a.tiktoken"), "vocab_a");
    BytePairMerger merger(vocabulary);
    const std::string letters = alphabet.toStdString();
    Random random(3);

    for (std::size_t length = 1; length < 400; length += 1 + length / 9) {
        for (int i = 0; i < 4; ++i) {
            std::string piece;
            while (piece.size() < length)
                piece += letters[random.below(letters.size())];
            std::vector<std::uint32_t> actual;
            merger.encode(piece, actual);
            QVERIFY2(actual == merged(vocabulary, piece), piece.c_str());
        }
    }
}

/// In trained vocabularies a longer token has the higher rank. Nothing promises that: here ranks are
/// shuffled, so that a merge makes candidates of lower and of equal rank on both sides of it.
void BytePairTest::equalsTheDefinitionWhereRanksFall()
{
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::string> tokens;
        for (int byte = 0; byte < 256; ++byte)
            tokens.emplace_back(1, char(byte));
        for (int i = 0; i < 60; ++i) {
            std::string token;
            for (std::size_t length = 2 + random.below(5); length > 0; --length)
                token += char('a' + random.below(3));
            if (std::find(tokens.begin(), tokens.end(), token) == tokens.end())
                tokens.push_back(token);
        }
        for (std::size_t i = tokens.size(); i > 1; --i)
            std::swap(tokens[i - 1], tokens[random.below(i)]);
        std::string file;
        for (std::size_t rank = 0; rank < tokens.size(); ++rank)
            file += QByteArray::fromStdString(tokens[rank]).toBase64().toStdString() + " " +
                    std::to_string(rank) + "\n";
        const Vocabulary vocabulary = *Vocabulary::parse(file, "shuffled");
        BytePairMerger merger(vocabulary);

        for (int i = 0; i < 60; ++i) {
            std::string piece;
            for (std::size_t length = 1 + random.below(260); length > 0; --length)
                piece += char('a' + random.below(3));
            std::vector<std::uint32_t> actual;
            merger.encode(piece, actual);
            QVERIFY2(actual == merged(vocabulary, piece), piece.c_str());
        }
    }
}

void BytePairTest::repeatedTextIsNotSlow()
{
    const Vocabulary vocabulary = *Vocabulary::parse(textData("tokenizer/vocab_a.tiktoken"), "vocab_a");
    BytePairMerger merger(vocabulary);
    std::vector<std::uint32_t> ranks;
    QElapsedTimer timer;
    timer.start();

    for (const char *unit : {"a", "ab", "\xCC\x81", "\xF0\x9F\x99\x82", " "}) {
        std::string piece;
        while (piece.size() < 100'000)
            piece += unit;
        merger.encode(piece, ranks);
    }

    QVERIFY2(timer.elapsed() < 5000, "half a megabyte took more than five seconds"); // the definition: hours
}

QTEST_GUILESS_MAIN(BytePairTest)
#include "byte_pair_test.moc"
