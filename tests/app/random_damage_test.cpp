// A hundred random damages to the database file, single bytes and whole pages of zeros: nothing crashes,
// nothing is replaced, and what is missing is said. PERILUNE_DAMAGES=1000 makes it more.
#include "app/store/conversation_store.h"
#include "tests/support/mixed_chat.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>

using namespace perilune;

namespace {

constexpr int kChats = 12;
constexpr qint64 kPage = 4096;

/// All words of a message.
std::string wordsOf(const StoredMessage &message)
{
    std::string words;
    for (const Part &part : message.message.parts) {
        if (const auto *text = std::get_if<TextPart>(&part))
            words += text->text;
        else if (const auto *thinking = std::get_if<ThinkingPart>(&part))
            words += thinking->text;
        else if (const auto *call = std::get_if<ToolCallPart>(&part))
            words += call->name + call->argumentsJson;
    }
    return words;
}

/// What came of the damages of one kind.
struct Tally {
    int refused = 0, opened = 0, found = 0, unharmed = 0;
    std::size_t same = 0, told = 0, changed = 0;
};

} // namespace

class RandomDamageTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void whatIsMissingIsSaid_data();
    void whatIsMissingIsSaid();

private:
    void look(const QString &folder, Tally &tally);
    /// The messages that `store` gives as undamaged; `said` is whether it says that something is wrong.
    std::map<MessageId, std::string> readable(ConversationStore &store, bool &said) const;

    QTemporaryDir m_folder;
    std::map<MessageId, std::string> m_words; ///< of the undamaged store
};

void RandomDamageTest::initTestCase()
{
    auto store = std::move(*ConversationStore::open(m_folder.filePath("whole").toStdString()));
    for (int i = 0; i < kChats; ++i) {
        const std::vector<StoredMessage> tree = test::mixedChat(4);
        QVERIFY(store->import("Chat " + std::to_string(i), {}, tree, tree.back().id));
    }
    while (*store->indexMessages(1000))
        ;
    const auto rows = store->list();
    for (const ConversationRow &row : *rows) {
        const auto tree = store->loadTree(row.id);
        for (const StoredMessage &message : *tree)
            m_words[message.id] = wordsOf(message);
    }
    // All of it in the one file.
    QVERIFY(store->database().run("PRAGMA wal_checkpoint(TRUNCATE)"));
}

void RandomDamageTest::whatIsMissingIsSaid_data()
{
    QTest::addColumn<bool>("page");
    QTest::newRow("a byte") << false;
    QTest::newRow("a page of zeros") << true;
}

void RandomDamageTest::whatIsMissingIsSaid()
{
    QFETCH(bool, page);
    const int wanted = qEnvironmentVariableIsSet("PERILUNE_DAMAGES")
                           ? qEnvironmentVariableIntValue("PERILUNE_DAMAGES")
                           : 100;
    QFile whole(m_folder.filePath("whole/conversations.db"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    std::mt19937 random(page ? 1 : 2);
    Tally tally;
    for (int i = 0; i < wanted / 2; ++i) {
        QByteArray damaged = bytes;
        const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()));
        if (page)
            damaged.replace(at / kPage * kPage, kPage, QByteArray(kPage, 0));
        else
            damaged[at] = static_cast<char>(damaged[at] ^ (1 + static_cast<int>(random() % 255)));
        const QString folder = m_folder.filePath(QString("%1%2").arg(QTest::currentDataTag()).arg(i));
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + "/conversations.db");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(damaged) == damaged.size());
        file.close();

        look(folder, tally);

        QVERIFY2(file.size() >= bytes.size() / 2, "the damaged file was replaced");
        if (QTest::currentTestFailed()) {
            qInfo("damage %d, at byte %lld", i, qlonglong(at));
            return;
        }
        QDir(folder).removeRecursively();
    }
    qInfo("%s: %d refused with a sentence, %d opened (%d unharmed, %d found by check); of the messages of "
          "these %zu are the "
          "same, %zu are told to be damaged or missing, %zu have other words",
          QTest::currentDataTag(), tally.refused, tally.opened, tally.unharmed, tally.found, tally.same,
          tally.told, tally.changed);
}

std::map<MessageId, std::string> RandomDamageTest::readable(ConversationStore &store, bool &said) const
{
    std::map<MessageId, std::string> words;
    const auto rows = store.list();
    said = !rows;
    for (const ConversationRow &row : rows ? *rows : std::vector<ConversationRow>()) {
        const auto tree = store.loadTree(row.id);
        said = said || row.damaged || !tree;
        for (const StoredMessage &message : tree ? *tree : std::vector<StoredMessage>()) {
            said = said || !message.note.empty();
            if (m_words.contains(message.id) && message.note.empty())
                words[message.id] = wordsOf(message);
        }
    }
    return words;
}

void RandomDamageTest::look(const QString &folder, Tally &tally)
{
    const auto store = ConversationStore::open(folder.toStdString());
    if (!store) {
        ++tally.refused;
        QVERIFY(!store.error().message.empty());
        return;
    }
    ++tally.opened;
    bool said = false;
    std::size_t changed = 0;
    const std::map<MessageId, std::string> words = readable(**store, said);
    const auto report = (*store)->check();
    const bool found = !report || !report->findings.empty();
    for (const auto &[id, was] : m_words) {
        const auto is = words.find(id);
        tally.same += is != words.end() && is->second == was ? 1 : 0;
        tally.told += is == words.end() ? 1 : 0;
        changed += is != words.end() && is->second != was ? 1 : 0;
    }
    tally.changed += changed;
    tally.found += found ? 1 : 0;
    if (words.size() == m_words.size() && changed == 0 && !found)
        ++tally.unharmed;
    // No message is missing without a word; a byte of a text alone can't be told from another text.
    QVERIFY2(words.size() == m_words.size() || said || found, "messages are missing, and nobody says so");
    QVERIFY2(changed <= 1 || said || found, "many messages have other words, and nobody says so");
}

QTEST_GUILESS_MAIN(RandomDamageTest)
#include "random_damage_test.moc"
