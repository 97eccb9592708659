// Full disks, missing, newer and damaged files: nothing is lost that was there.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace perilune;

namespace {

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

ReplyPiece piece(const std::string &text)
{
    ReplyPiece made;
    made.text = text;
    return made;
}

std::string textOf(const StoredMessage &message)
{
    return message.message.parts.empty() ? "" : std::get<TextPart>(message.message.parts[0]).text;
}

void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class StoreDamageTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void fullDiskLosesNothing();
    void newerDatabaseIsOnlyRead();
    void damagedDatabaseIsNotReplaced();
    void pipeInPlaceOfTheDatabaseIsRefused();
    void folderThatCannotBeMadeSaysWhy();
    void diedWhileMakingTheFirst();
    void missingDatabaseIsNotReplaced();
    void damagedMessageShowsAndTheRestOpens();
    void checkFindsAndRepairs();
    void missingPictureShowsAndTheRestOpens();

private:
    std::unique_ptr<ConversationStore> open()
    {
        auto opened = ConversationStore::open(m_folder->path().toStdString());
        if (!opened)
            qWarning("%s", opened.error().message.c_str());
        return opened ? std::move(*opened) : nullptr;
    }
    MediaPart picture(const QString &name, const QByteArray &bytes)
    {
        writeFile(m_folder->filePath(name), bytes);
        MediaPart part;
        part.path = m_folder->filePath(name).toStdString();
        part.name = name.toStdString();
        return part;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void StoreDamageTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void StoreDamageTest::fullDiskLosesNothing()
{
    const auto store = open();
    const StoredMessage question = *store->appendUserMessage(0, 0, said(Role::User, "q"));
    const MessageId reply = *store->beginReply(question.conversation, question.id);
    QVERIFY(store->checkpointReply(reply, std::vector{piece("kept ")}));
    const std::int64_t pages = *store->database().integer("PRAGMA page_count");
    QVERIFY(store->database().integer("PRAGMA max_page_count = " + std::to_string(pages + 1)));
    const std::string much(100'000, 'x');

    const auto message = store->append(question.conversation, reply, said(Role::User, much));
    const Status checkpoint = store->checkpointReply(reply, std::vector{piece(much)});

    QCOMPARE(message.error().code, ErrorCode::NoSpace);
    QCOMPARE(message.error().message,
             std::string("keeping the message: reading or writing the conversations: the disk is full"));
    QCOMPARE(checkpoint.error().code, ErrorCode::NoSpace);
    QCOMPARE(store->load(question.conversation)->path.size(), std::size_t(2));
    QVERIFY(store->database().integer("PRAGMA max_page_count = 1000000"));
    QVERIFY(store->finishReply(reply, std::vector{piece(much)}, {}));
    QCOMPARE(textOf(*store->message(reply)), "kept " + much);
}

void StoreDamageTest::newerDatabaseIsOnlyRead()
{
    {
        const auto store = open();
        QVERIFY(store->appendUserMessage(0, 0, said(Role::User, "q")));
        QVERIFY(store->database().run("PRAGMA user_version = 9999"));
    }

    const auto store = open();

    QVERIFY(store);
    QVERIFY(QString::fromStdString(store->readOnlyReason()).contains("newer version of Perilune"));
    QCOMPARE(store->list()->size(), std::size_t(1));
    QCOMPARE(store->create("x").error().code, ErrorCode::Unsupported);
    QCOMPARE(store->remove(1).error().message, store->readOnlyReason());
    QCOMPARE(*store->database().integer("PRAGMA user_version"), std::int64_t(9999));
}

void StoreDamageTest::damagedDatabaseIsNotReplaced()
{
    const QString path = m_folder->filePath("conversations.db");
    QVERIFY(open());
    for (const QByteArray &bytes : {QByteArray(8192, 'x'), QByteArray()}) {
        QFile::remove(path + "-wal");
        writeFile(path, bytes);

        const auto opened = ConversationStore::open(m_folder->path().toStdString());

        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::Corrupt);
        QVERIFY(QString::fromStdString(opened.error().message).contains("conversations.db"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), bytes);
    }
}

void StoreDamageTest::pipeInPlaceOfTheDatabaseIsRefused()
{
    const QTemporaryDir folder;
    const QByteArray path = folder.filePath("conversations.db").toUtf8();
    QCOMPARE(::mkfifo(path.constData(), 0600), 0);

    const auto opened = ConversationStore::open(folder.path().toStdString());

    QVERIFY(!opened);
    QVERIFY2(opened.error().message.find("is not a file") != std::string::npos,
             opened.error().message.c_str());
}

void StoreDamageTest::folderThatCannotBeMadeSaysWhy()
{
    const auto opened = ConversationStore::open("/proc/perilune");

    QVERIFY(!opened);
    QVERIFY2(opened.error().message.ends_with("No such file or directory"), opened.error().message.c_str());
}

void StoreDamageTest::diedWhileMakingTheFirst()
{
    writeFile(m_folder->filePath("conversations.db"), {}); // SQLite had made the file and nothing in it

    const auto store = open();

    QVERIFY(store);
    QVERIFY(store->create("first"));
}

void StoreDamageTest::missingDatabaseIsNotReplaced()
{
    QVERIFY(open());
    QVERIFY(QFile::remove(m_folder->filePath("conversations.db")));

    const auto opened = ConversationStore::open(m_folder->path().toStdString());

    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::NotFound);
    QVERIFY(!QFile::exists(m_folder->filePath("conversations.db")));
}

void StoreDamageTest::damagedMessageShowsAndTheRestOpens()
{
    ConversationId id = 0;
    MessageId broken = 0;
    {
        const auto store = open();
        const StoredMessage first = *store->appendUserMessage(0, 0, said(Role::User, "whole"));
        id = first.conversation;
        // Long enough for overflow pages of its own, which the damage below hits.
        broken = store->append(id, first.id, said(Role::Assistant, std::string(40'000, 'y')))->id;
        QVERIFY(store->append(id, broken, said(Role::User, "whole too")));
    } // the last connection moves everything into the database file
    QFile file(m_folder->filePath("conversations.db"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    const auto page = bytes.indexOf(QByteArray(4000, 'y'));
    QVERIFY(page > 0);
    bytes.replace(page / 4096 * 4096, 4096, QByteArray(4096, '\xff'));
    file.seek(0);
    file.write(bytes);
    file.close();

    const auto store = open();
    QVERIFY(store);
    const auto loaded = store->load(id);

    QVERIFY(loaded);
    QCOMPARE(loaded->path.size(), std::size_t(3));
    QCOMPARE(textOf(loaded->path[0]), std::string("whole"));
    QCOMPARE(loaded->path[1].id, broken);
    QCOMPARE(loaded->path[1].note, std::string("this message is damaged in the database"));
    QCOMPARE(textOf(loaded->path[2]), std::string("whole too"));
    QVERIFY(!store->check()->sound());
}

void StoreDamageTest::checkFindsAndRepairs()
{
    const auto store = open();
    const StoredMessage stored = *store->appendUserMessage(0, 0, said(Role::User, "q"));
    QVERIFY(store->check()->findings.empty());
    QVERIFY(store->database().run("UPDATE conversation SET tip_id = NULL"));
    QVERIFY(QDir().mkpath(m_folder->filePath("media/aa")));
    writeFile(m_folder->filePath("media/aa/" + QString(64, 'a')), "left by a crash");
    QCOMPARE(store->load(stored.conversation)->path.size(), std::size_t(1)); // shown even before

    const CheckReport report = *store->check();

    QCOMPARE(report.findings.size(), std::size_t(2));
    QVERIFY(report.sound());
    QVERIFY(store->check()->findings.empty());
    QCOMPARE(*store->database().integer("SELECT tip_id FROM conversation"), stored.id);
}

void StoreDamageTest::missingPictureShowsAndTheRestOpens()
{
    const auto store = open();
    Message message = said(Role::User, "look");
    message.parts.emplace_back(picture("cat.png", "bytes"));
    const StoredMessage stored = *store->appendUserMessage(0, 0, message);
    QVERIFY(store->append(stored.conversation, stored.id, said(Role::Assistant, "a cat")));
    QVERIFY(QFile::remove(QString::fromStdString(std::get<MediaPart>(stored.message.parts[1]).path)));

    const StoredConversation loaded = *store->load(stored.conversation);

    QCOMPARE(loaded.path.size(), std::size_t(2));
    QCOMPARE(loaded.path[0].note, std::string("the file of cat.png is missing"));
    QVERIFY(loaded.row.damaged);
    QVERIFY(loaded.path[1].note.empty());
}

QTEST_GUILESS_MAIN(StoreDamageTest)
#include "store_damage_test.moc"
