// A disk of 40 MB that is full while chats go on, and then has space again. Where no such disk may be mounted
// store_damage_test's injected one has to do.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <unistd.h>
#include <vector>

using namespace perilune;

namespace {

constexpr auto kWords = "words that were said, and stay said ";
constexpr qint64 kPiece = 4096;

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

std::vector<ReplyPiece> piece(const std::string &text)
{
    return {
        ReplyPiece{ReplyPiece::Kind::Text, text, {}, {}}
    };
}

struct Ran {
    int status = -1;
    QByteArray out, error;
};

Ran run(const QStringList &arguments)
{
    QProcess process;
    process.start(PERILUNE_CLI, arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class FullDiskTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();
    void chatsGoOnWhenThereIsSpaceAgain();
    void aFullDiskIsOpenedForReading();
    void commandsSayIt();

private:
    std::string store() const { return (m_disk + "/data").toStdString(); }
    /// Leaves `left` bytes of the disk, about.
    void fill(qint64 left);
    void makeSpace() const { QFile::remove(m_disk + "/filler"); }
    /// Turns of a chat until the disk is full; gives what was said to be kept.
    static std::vector<std::string> chat(ConversationStore &store, ConversationId &id, MessageId &last,
                                         Status &why);

    QTemporaryDir m_folder;
    QString m_disk;
};

void FullDiskTest::initTestCase()
{
    // A mount of our own, which nobody else sees and which ends with us.
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        QSKIP("no disk may be mounted here");
    m_disk = m_folder.filePath("disk");
    QVERIFY(QDir().mkdir(m_disk));
    (void)mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    if (mount("none", m_disk.toUtf8().constData(), "tmpfs", 0, "size=40m") != 0)
        QSKIP("no disk may be mounted here");
}

void FullDiskTest::cleanupTestCase()
{
    if (!m_disk.isEmpty())
        (void)umount2(m_disk.toUtf8().constData(), MNT_DETACH);
}

void FullDiskTest::cleanup()
{
    makeSpace();
    QDir(m_disk + "/data").removeRecursively();
}

void FullDiskTest::fill(qint64 left)
{
    QFile filler(m_disk + "/filler");
    QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    const QByteArray bytes(kPiece, 'x');
    while (filler.write(bytes) == kPiece) {
    }
    QVERIFY(filler.resize(std::max<qint64>(filler.size() - left, 0)));
}

std::vector<std::string> FullDiskTest::chat(ConversationStore &store, ConversationId &id, MessageId &last,
                                            Status &why)
{
    std::vector<std::string> kept;
    for (int turn = 0; turn < 10'000; ++turn) {
        const std::string words = kWords + std::to_string(turn);
        const auto question = store.appendUserMessage(id, last, said(Role::User, words));
        if (!question) {
            why = question.error();
            return kept;
        }
        kept.push_back(words);
        id = question->conversation;
        last = question->id;
        const auto reply = store.beginReply(id, question->id);
        if (!reply) {
            why = reply.error();
            return kept;
        }
        last = *reply;
        for (int i = 0; i < 4; ++i) {
            if (const Status written = store.checkpointReply(*reply, piece(words)); !written) {
                why = written;
                return kept;
            }
            kept.push_back(words);
        }
        if (const auto finished = store.finishReply(*reply, {}, {}); !finished) {
            why = finished.error();
            return kept;
        }
    }
    return kept;
}

void FullDiskTest::chatsGoOnWhenThereIsSpaceAgain()
{
    auto store = std::move(*ConversationStore::open(this->store()));
    fill(3'000'000);
    ConversationId id = 0;
    MessageId last = 0;
    Status why = Done{};

    const std::vector<std::string> kept = chat(*store, id, last, why);

    QVERIFY(!why);
    QCOMPARE(why.error().code, ErrorCode::NoSpace);
    QVERIFY2(why.error().message.ends_with("the disk is full"), why.error().message.c_str());
    QVERIFY(kept.size() > 20);
    const auto whole = [&kept](ConversationStore &of, ConversationId chat) {
        std::string all;
        const auto tree = of.loadTree(chat); // held, or the loop would run over what is gone
        if (!tree)
            return false;
        for (const StoredMessage &message : *tree) {
            for (const Part &part : message.message.parts)
                all += std::get<TextPart>(part).text;
        }
        std::string said;
        for (const std::string &words : kept)
            said += words;
        return all.starts_with(said);
    };
    QVERIFY(whole(*store, id)); // reading works, and everything is there
    QVERIFY(store->search("stay said", 5)->size() == 5);

    makeSpace();

    const StoredMessage more = *store->append(id, last, said(Role::User, "space again"));
    QVERIFY(store->check()->findings.empty());
    store.reset();
    store = std::move(*ConversationStore::open(this->store()));
    QCOMPARE(store->readOnlyReason(), std::string());
    QVERIFY(whole(*store, id));
    QVERIFY(store->message(more.id));
    qInfo("%zu pieces were kept until the disk was full", kept.size());
}

void FullDiskTest::aFullDiskIsOpenedForReading()
{
    ConversationId id = 0;
    {
        auto store = std::move(*ConversationStore::open(this->store()));
        id = store->append(0, 0, said(Role::User, "kept"))->conversation;
    }
    fill(0);

    auto store = ConversationStore::open(this->store());

    QVERIFY2(store, store ? "" : store.error().message.c_str());
    QCOMPARE((*store)->readOnlyReason(),
             std::string("the disk is full, so the conversations can only be read"));
    QCOMPARE((*store)->load(id)->path.size(), std::size_t(1));
    const auto refused = (*store)->append(id, 0, said(Role::User, "no"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::NoSpace);

    store = Error{};
    makeSpace();
    store = ConversationStore::open(this->store());
    QVERIFY(store && (*store)->readOnlyReason().empty());
    QVERIFY((*store)->append(id, 0, said(Role::User, "yes")));
}

void FullDiskTest::commandsSayIt()
{
    const QString data = QString::fromStdString(store());
    {
        auto store = std::move(*ConversationStore::open(this->store()));
        QVERIFY(store->append(0, 0, said(Role::User, "kept")));
    }
    const QString document = m_folder.filePath("chat.json");
    QCOMPARE(
        run({"conversations", "export", "1", "--format", "json", "--out", document, "--data", data}).status,
        0);
    fill(0);
    const auto chats = [&data](QStringList words) {
        return run(QStringList{"conversations"} + words + QStringList{"--data", data});
    };

    for (const QStringList &reading : {
             QStringList{"list"},
             QStringList{"show", "1"},
             QStringList{"search", "kept"},
             QStringList{"export", "1", "--out", m_folder.filePath("chat.md")}
    }) {
        const Ran ran = chats(reading);
        QVERIFY2(ran.status == 0, (reading.join(' ').toUtf8() + ": " + ran.error).constData());
    }
    QVERIFY(chats({"show", "1"}).out.contains("kept"));
    for (const QStringList &writing : {
             QStringList{"import", document},
             QStringList{"delete", "1"},
             QStringList{"tag", "1", "t"},
             QStringList{"backup", m_disk + "/backup"},
             QStringList{"export", "1", "--format", "pdf", "--out", m_disk + "/chat.pdf"}
    }) {
        const Ran ran = chats(writing);
        QVERIFY2(ran.status == 4, (writing.join(' ').toUtf8() + ": " + ran.error).constData());
        QVERIFY2(ran.error.contains("the disk is full") && ran.error.count('\n') <= 2, ran.error.constData());
    }
    const Ran elsewhere = chats({"backup", m_folder.filePath("backup")});
    QVERIFY2(elsewhere.status == 0, elsewhere.error.constData());
    const QString config = TEST_DATA_DIR "/../../packaging/demo-model/model/preprocessor_config.json";
    const QString picture = TEST_DATA_DIR "/demo/001_0.png";
    const Ran dumped =
        run({"media", "--as", "image", "--config", config, "--dump", m_disk + "/dump.safetensors", picture});
    QVERIFY2(dumped.status == 4, dumped.error.constData());
    QVERIFY(!QFile::exists(m_disk + "/chat.pdf") && !QFile::exists(m_disk + "/dump.safetensors"));
}

QTEST_GUILESS_MAIN(FullDiskTest)
#include "full_disk_test.moc"
