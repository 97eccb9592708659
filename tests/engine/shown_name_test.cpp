#include "engine/base/shortened.h"
#include "engine/base/shown_name.h"

#include <QTest>

using namespace perilune;

class ShownNameTest : public QObject {
    Q_OBJECT

private slots:
    void namesAreOneHonestLine_data();
    void namesAreOneHonestLine();
    void whatIsQuotedIsOneHonestLine();
};

void ShownNameTest::namesAreOneHonestLine_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("shown");

    const auto same = [](const char *what, const char *name) {
        QTest::newRow(what) << QByteArray(name) << QByteArray(name);
    };
    same("plain", "a cat.png");
    same("empty", "");
    same("Chinese", "月球 照片.jpg");
    same("Arabic, with a mark of its own direction", "\u0635\u0648\u0631\u0629\u200f.png");
    same("beyond 16 bits", "🌒.webp");
    QTest::newRow("turned around") << QByteArray("cat\u202Egpj.exe") << QByteArray("cat?gpj.exe");
    QTest::newRow("isolates") << QByteArray("a\u2066b\u2069c") << QByteArray("a?b?c");
    QTest::newRow("line ends") << QByteArray("a\nb\rc\u2028d\u2029e") << QByteArray("a?b?c?d?e");
    QTest::newRow("escapes") << QByteArray("a\x1b[2Jb\x7f\u0085c\t") << QByteArray("a?[2Jb??c?");
    QTest::newRow("a zero byte") << QByteArray("a\0b", 3) << QByteArray("a?b");
    QTest::newRow("no UTF-8") << QByteArray("a\xffz\xc0\xafy\x80") << QByteArray("a?z??y?");
    QTest::newRow("cut off") << QByteArray("a\xe6\x9c") << QByteArray("a??");
    QTest::newRow("a surrogate") << QByteArray("a\xed\xa0\x80z") << QByteArray("a???z");
    QTest::newRow("longer than it need be")
        << QByteArray("\xe0\x80\xae\xf5\x80\x80\x80") << QByteArray("???????");
}

void ShownNameTest::namesAreOneHonestLine()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, shown);
    const std::string_view bytes(name.constData(), std::size_t(name.size()));

    QCOMPARE(QByteArray::fromStdString(shownName(bytes, "?")), shown);
    QCOMPARE(QString::fromStdString(shownName(bytes)).count(QChar(QChar::ReplacementCharacter)),
             shown.count('?'));
}

void ShownNameTest::whatIsQuotedIsOneHonestLine()
{
    QCOMPARE(shortened("a\nb\u202Ec"), std::string("a\ufffdb\ufffdc"));
    QCOMPARE(shortened("models", 3), std::string("mod…"));
    QCOMPARE(shortened("a\u6708b", 2), std::string("a…")); // within a character
    QCOMPARE(shortened("a\x1bzz", 2), std::string("a\ufffd…"));
}

QTEST_GUILESS_MAIN(ShownNameTest)
#include "shown_name_test.moc"
