#include "engine/text/vocabulary.h"

#include "tests/engine/text/text_golden.h"

using namespace perilune;
using namespace perilune::test;

class VocabularyTest : public QObject {
    Q_OBJECT

private slots:
    void findsEveryToken();
    void readsWhatEditorsLeave();
    void refusesDamage_data();
    void refusesDamage();
};

/// Lines for all single bytes, at their own rank.
static std::string singleBytes()
{
    std::string file;
    for (int byte = 0; byte < 256; ++byte)
        file += QByteArray(1, char(byte)).toBase64().toStdString() + " " + std::to_string(byte) + "\n";
    return file;
}

void VocabularyTest::findsEveryToken()
{
    const Vocabulary vocabulary = *Vocabulary::parse(textData("tokenizer/vocab_a.tiktoken"), "vocab_a");

    QCOMPARE(vocabulary.size(), 4096u);
    for (std::uint32_t rank = 0; rank < vocabulary.size(); ++rank) {
        QCOMPARE(vocabulary.find(vocabulary.bytes(rank)), rank);
        if (vocabulary.bytes(rank).size() == 1)
            QCOMPARE(vocabulary.ofByte(vocabulary.bytes(rank)[0]), rank);
    }
    QCOMPARE(vocabulary.find("no token of this vocabulary"), Vocabulary::kNone);
    QCOMPARE(vocabulary.find(""), Vocabulary::kNone);
}

void VocabularyTest::readsWhatEditorsLeave()
{
    std::string file = singleBytes() + "\n\nYWI= 256\r\n\r\nYWJj 257";

    const Result<Vocabulary> vocabulary = Vocabulary::parse(file, "v");

    QVERIFY(vocabulary);
    QCOMPARE(vocabulary->find("ab"), 256u);
    QCOMPARE(vocabulary->find("abc"), 257u);
    QCOMPARE(vocabulary->longest(), std::size_t(3));
}

void VocabularyTest::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("no rank") << QByteArray("YWI=") << "v: line 257 is not base64, a space and a rank";
    QTest::newRow("not base64") << QByteArray("Y*I= 256") << "v: line 257 does not begin with base64";
    QTest::newRow("cut base64") << QByteArray("YWI 256") << "v: line 257 does not begin with base64";
    QTest::newRow("padding within") << QByteArray("Y=I= 256") << "v: line 257 does not begin with base64";
    QTest::newRow("no base64") << QByteArray(" 256") << "v: line 257 does not begin with base64";
    QTest::newRow("a word") << QByteArray("YWI= x") << "v: line 257 does not end with a rank";
    QTest::newRow("more words") << QByteArray("YWI= 256 1") << "v: line 257 does not end with a rank";
    QTest::newRow("negative") << QByteArray("YWI= -1") << "v: line 257 does not end with a rank";
    QTest::newRow("NUL") << QByteArray("YWI= 256\0", 9) << "v: line 257 does not end with a rank";
    QTest::newRow("huge") << QByteArray("YWI= 99999999") << "v: line 257 has a rank beyond 4,194,303";
    QTest::newRow("overflow") << QByteArray("YWI= 99999999999999") << "v: line 257 does not end with a rank";
    QTest::newRow("gap") << QByteArray("YWI= 258") << "v: rank 256 is missing";
    QTest::newRow("rank twice") << QByteArray("YWI= 7") << "v: rank 7 comes twice";
    QTest::newRow("bytes twice") << QByteArray("YQ== 256") << "v: ranks 97 and 256 have the same bytes";
}

void VocabularyTest::refusesDamage()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, message);

    const Result<Vocabulary> vocabulary = Vocabulary::parse(singleBytes() + line.toStdString() + "\n", "v");

    QVERIFY(!vocabulary);
    QCOMPARE(vocabulary.error().code, ErrorCode::Corrupt);
    QCOMPARE(QString::fromStdString(vocabulary.error().message), message);
    QVERIFY(!Vocabulary::parse("", "empty"));
    QVERIFY(!Vocabulary::parse("IQ== 0\n", "one byte only"));
}

QTEST_GUILESS_MAIN(VocabularyTest)
#include "vocabulary_test.moc"
