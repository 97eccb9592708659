#include "engine/base/sha256.h"

#include <QTest>

using namespace perilune;

class Sha256Test : public QObject {
    Q_OBJECT

private slots:
    void knowsThePublishedDigests();
    void cutsMakeNoDifference();
};

static std::string digest(std::string_view text)
{
    Sha256 hash;
    hash.add(text);
    return hash.finishHex();
}

// The examples of FIPS 180-4: nothing, one block, and padding that takes a block of its own.
void Sha256Test::knowsThePublishedDigests()
{
    QCOMPARE(digest(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(digest("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    QCOMPARE(digest(std::string(1000000, 'a')),
             std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

void Sha256Test::cutsMakeNoDifference()
{
    const std::string text(300, 'x');

    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        Sha256 hash;
        hash.add(std::string_view(text).substr(0, cut));
        hash.add(std::string_view(text).substr(cut));
        QCOMPARE(hash.finishHex(), digest(text));
    }
}

QTEST_GUILESS_MAIN(Sha256Test)
#include "sha256_test.moc"
