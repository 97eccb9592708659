// A backup, and the store that comes of it elsewhere.
#include "app/store/conversation_store.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace perilune;

namespace {

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class BackupTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void comesBackElsewhere();
    void theManifestSaysWhatIsThere();
    void theDatabaseDecidesWhatIsRestored();
    void damageIsFound();
    void mediaThatAreGoneAreTold();
    void stopLeavesNoConversations();
    void nothingIsOverwritten();

private:
    std::string at(const char *name) const { return m_folder->filePath(name).toStdString(); }
    /// Two messages with a picture each, of which the store has kept copies.
    std::unique_ptr<ConversationStore> filled();

    std::unique_ptr<QTemporaryDir> m_folder;
};

void BackupTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

std::unique_ptr<ConversationStore> BackupTest::filled()
{
    auto store = std::move(*ConversationStore::open(at("data")));
    MessageId last = 0;
    ConversationId id = 0;
    for (const char *name : {"one.png", "two.png"}) {
        write(m_folder->filePath(name), QByteArray("bytes of ") + name);
        MediaPart picture;
        picture.path = at(name);
        picture.name = name;
        const auto stored =
            store->appendUserMessage(id, last,
                                     {
                                         Role::User, {TextPart{"look 看"}, picture},
                                          {},
                                          {},
                                          {}
        });
        id = stored->conversation;
        last = stored->id;
    }
    return store;
}

void BackupTest::comesBackElsewhere()
{
    const auto store = filled();
    QVERIFY(store->backup(at("backup")));
    QVERIFY(QDir().rename(m_folder->filePath("backup"), m_folder->filePath("moved")));

    const Result<BackupReport> restored = restoreBackup(at("moved"), at("other/place"));

    QVERIFY2(restored, restored ? "" : restored.error().message.c_str());
    QCOMPARE(restored->conversations, 1u);
    QCOMPARE(restored->messages, 2u);
    QCOMPARE(restored->media, 2u);
    QVERIFY(restored->faults.empty());
    const auto other = std::move(*ConversationStore::open(at("other/place")));
    QVERIFY(other->check()->findings.empty());
    const auto was = store->load(store->list()->front().id)->path;
    const auto is = other->load(other->list()->front().id)->path;
    QCOMPARE(is.size(), was.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        QVERIFY(std::get<TextPart>(is[i].message.parts[0]) == std::get<TextPart>(was[i].message.parts[0]));
        const auto &picture = std::get<MediaPart>(is[i].message.parts[1]);
        QVERIFY(picture.path.starts_with(at("other/place")));
        QCOMPARE(bytesOf(QString::fromStdString(picture.path)),
                 bytesOf(QString::fromStdString(std::get<MediaPart>(was[i].message.parts[1]).path)));
    }
}

void BackupTest::theManifestSaysWhatIsThere()
{
    const auto store = filled();
    QVERIFY(store->backup(at("backup")));

    const QJsonObject manifest =
        QJsonDocument::fromJson(bytesOf(m_folder->filePath("backup/manifest.json"))).object();

    QCOMPARE(manifest["format"].toString(), QString("perilune-backup"));
    QCOMPARE(manifest["messages"].toInt(), 2);
    QCOMPARE(manifest["media"].toArray().size(), 2);
    QCOMPARE(manifest["database"]["bytes"].toInteger(),
             QFile(m_folder->filePath("backup/conversations.db")).size());
}

void BackupTest::theDatabaseDecidesWhatIsRestored()
{
    QVERIFY(filled()->backup(at("backup")));
    const QString file = m_folder->filePath("backup/manifest.json");
    QJsonObject manifest = QJsonDocument::fromJson(bytesOf(file)).object();
    manifest["media"] = QJsonArray();
    manifest["messages"] = 999;
    write(file, QJsonDocument(manifest).toJson());

    const Result<BackupReport> restored = restoreBackup(at("backup"), at("other"));

    QVERIFY(restored);
    QCOMPARE(restored->messages, 2u);
    QCOMPARE(restored->media, 2u);
    QVERIFY((*ConversationStore::open(at("other")))->check()->findings.empty());
}

void BackupTest::damageIsFound()
{
    QVERIFY(filled()->backup(at("backup")));
    const QString database = m_folder->filePath("backup/conversations.db");
    QByteArray bytes = bytesOf(database);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write(database, bytes);

    const Result<BackupReport> restored = restoreBackup(at("backup"), at("other"));

    QVERIFY(!restored);
    QCOMPARE(restored.error().code, ErrorCode::Corrupt);
    QVERIFY(!QFile::exists(m_folder->filePath("other/conversations.db")));
    write(m_folder->filePath("backup/manifest.json"), "{}");
    QCOMPARE(restoreBackup(at("backup"), at("other")).error().code, ErrorCode::Corrupt);
    QCOMPARE(restoreBackup(at("data"), at("other")).error().code, ErrorCode::NotFound); // no backup at all
}

void BackupTest::mediaThatAreGoneAreTold()
{
    const auto store = filled();
    const auto path = store->load(store->list()->front().id)->path;
    write(QString::fromStdString(std::get<MediaPart>(path[0].message.parts[1]).path), "others");
    QFile::remove(QString::fromStdString(std::get<MediaPart>(path[1].message.parts[1]).path));

    const Result<BackupReport> made = store->backup(at("backup"));

    QVERIFY(made);
    QCOMPARE(made->faults.size(), std::size_t(2));
    QCOMPARE(made->media, 0u);
    QVERIFY(restoreBackup(at("backup"), at("other")));
    const auto other = std::move(*ConversationStore::open(at("other")));
    QCOMPARE(other->load(other->list()->front().id)->path.size(), std::size_t(2)); // the words are there
}

void BackupTest::stopLeavesNoConversations()
{
    const auto store = filled();
    const auto stop = [](std::uint64_t done, std::uint64_t) -> Status {
        return done < 1 ? Status(Done{}) : Error{ErrorCode::Cancelled, "stopped"};
    };

    QCOMPARE(store->backup(at("backup"), stop).error().code, ErrorCode::Cancelled);
    QCOMPARE(QDir(m_folder->filePath("backup")).entryList(QDir::Files), QStringList());
    QVERIFY(store->backup(at("backup"))); // goes on where it was
    QCOMPARE(restoreBackup(at("backup"), at("other"), stop).error().code, ErrorCode::Cancelled);
    QVERIFY(!QFile::exists(m_folder->filePath("other/conversations.db")));
    QVERIFY(restoreBackup(at("backup"), at("other")));
}

void BackupTest::nothingIsOverwritten()
{
    const auto store = filled();
    QVERIFY(store->backup(at("backup")));
    QCOMPARE(store->backup(at("backup")).error().code, ErrorCode::InvalidInput);
    QCOMPARE(restoreBackup(at("backup"), at("data")).error().code, ErrorCode::InvalidInput);
    QCOMPARE(store->list()->size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(BackupTest)
#include "backup_test.moc"
