// A disk that is full, and a store that can't be opened or written: through the whole window.
#include "tests/ui/program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QQuickItem>
#include <QQuickWindow>
#include <QTemporaryDir>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;
using namespace std::chrono_literals;

namespace {

QQuickItem *itemNamed(QQuickItem *item, const QString &name)
{
    if (item->objectName() == name)
        return item;
    for (QQuickItem *child : item->childItems()) {
        if (QQuickItem *found = itemNamed(child, name))
            return found;
    }
    return nullptr;
}

bool bannerShown(const Program &program)
{
    const QQuickItem *bar = itemNamed(program.window->quickWindow()->contentItem(), "diskFullBar");
    return bar && bar->isVisible() && bar->height() > 20;
}

void damage(const QString &path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.write(QByteArray(file.size(), '\x5a')) == file.size());
}

} // namespace

class FullDiskTest : public QObject {
    Q_OBJECT

private slots:
    void messageIsKeptAndSentLater();
    void answerIsSavedOnceThereIsSpace();
    void draftIsSavedOnceThereIsSpace();
    void newerStoreIsReadOnly();
    void damagedStoreSaysSo();
    void damagedMessageAndMissingPictureShow();
    void windowComesBeforeTheStore();
};

void FullDiskTest::messageIsKeptAndSentLater()
{
    const QTemporaryDir folder;
    const Program program(folder.path(), Program::Drawn::Yes);
    QVERIFY(program.converse("one", "two"));
    QVERIFY(!bannerShown(program));
    const QString words = "a long message" + QString("\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx").repeated(800);
    program.limitDisk(1);

    program.model->composer()->setText(words);
    program.chat->send();

    QTRY_VERIFY_WITH_TIMEOUT(bannerShown(program), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.model->composer()->text(), words, kPatienceMs);
    QCOMPARE(program.texts(), (QStringList{"one", "two"}));
    QVERIFY2(program.model->notices().isEmpty(), qPrintable(program.model->notices().join('\n')));
    QTest::qWait(2000); // it doesn't go by itself
    QVERIFY(bannerShown(program));

    program.limitDisk(0);
    QTRY_VERIFY_WITH_TIMEOUT(!bannerShown(program), kPatienceMs);
    QCOMPARE(program.model->composer()->text(), words);
    program.script->say("got it");
    program.chat->send();
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"one", "two", words.trimmed(), "got it"}),
                              kPatienceMs);
}

void FullDiskTest::answerIsSavedOnceThereIsSpace()
{
    const QTemporaryDir folder;
    std::string piece;
    for (int line = 0; line < 100; ++line)
        piece += "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n\n";
    {
        const Program program(folder.path(), Program::Drawn::Yes);
        ScriptedReply reply;
        reply.pause = 120ms;
        for (int at = 0; at < 12; ++at)
            reply.events.emplace_back(TextDelta{piece});
        program.script->say(reply);
        program.model->composer()->setText("write a book");
        program.chat->send();
        QTRY_VERIFY_WITH_TIMEOUT(program.message("yyyy") != 0, kPatienceMs);
        program.limitDisk(1);

        QTRY_VERIFY_WITH_TIMEOUT(bannerShown(program), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
        QVERIFY(bannerShown(program));
        QVERIFY(program.model->notices().isEmpty());

        program.limitDisk(0);
        QTRY_VERIFY_WITH_TIMEOUT(!bannerShown(program), kPatienceMs);
        const auto complete = [&program] {
            return program.asked([](ConversationStore &store) {
                return store.load(1)->path.back().state == MessageState::Complete;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(complete(), kPatienceMs);
    }
    const auto store = std::move(*ConversationStore::open(folder.path().toStdString()));
    const StoredMessage answer = store->load(1)->path.back();
    QCOMPARE(std::get<TextPart>(answer.message.parts[0]).text.size(), piece.size() * 12);
}

void FullDiskTest::draftIsSavedOnceThereIsSpace()
{
    const QTemporaryDir folder;
    const QString words = "not sent" + QString("\nzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz").repeated(800);
    {
        const Program program(folder.path(), Program::Drawn::Yes);
        QVERIFY(program.converse("one", "two"));
        const qint64 here = program.chat->conversation();
        program.limitDisk(1);
        program.model->composer()->setText(words);
        QTRY_VERIFY_WITH_TIMEOUT(bannerShown(program), kPatienceMs);

        program.chat->openNew(); // and it is not forgotten for being out of view
        program.chat->open(here);
        QTRY_COMPARE_WITH_TIMEOUT(program.model->composer()->text(), words, kPatienceMs);
        program.chat->openNew();

        program.limitDisk(0);
        QTRY_VERIFY_WITH_TIMEOUT(!bannerShown(program), kPatienceMs);
        const auto stored = [&program, here] {
            return program.asked([here](ConversationStore &store) { return store.draft(here)->text; });
        };
        QTRY_COMPARE_WITH_TIMEOUT(stored(), words.toStdString(), kPatienceMs);
    }
}

void FullDiskTest::newerStoreIsReadOnly()
{
    const QTemporaryDir folder;
    {
        const Program program(folder.path());
        QVERIFY(program.converse("one", "two"));
    }
    {
        Database database = *Database::open(folder.filePath("conversations.db").toStdString());
        QVERIFY(database.run("PRAGMA user_version = 9999"));
    }

    const Program program(folder.path(), Program::Drawn::Yes);
    QTRY_COMPARE_WITH_TIMEOUT(program.model->notices().size(), 1, kPatienceMs);
    QVERIFY2(program.model->notices()[0].contains("newer"), qPrintable(program.model->notices()[0]));
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"one"}, kPatienceMs);
    program.chat->open(program.idAt(0));
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"one", "two"}), kPatienceMs);

    program.model->composer()->setText("three");
    program.chat->send();
    QTRY_COMPARE_WITH_TIMEOUT(program.model->composer()->text(), QString("three"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->busy(), kPatienceMs);
    QVERIFY(program.script->requests().empty());
}

void FullDiskTest::damagedStoreSaysSo()
{
    const QTemporaryDir folder;
    {
        const Program program(folder.path());
        QVERIFY(program.converse("one", "two"));
    }
    const QString path = folder.filePath("conversations.db");
    damage(path);

    const Program program(folder.path(), Program::Drawn::Yes);
    QTRY_COMPARE_WITH_TIMEOUT(program.model->notices().size(), 1, kPatienceMs);
    QVERIFY2(program.model->notices()[0].contains("damaged"), qPrintable(program.model->notices()[0]));
    program.model->composer()->setText("three");
    program.chat->send();
    QTRY_COMPARE_WITH_TIMEOUT(program.model->composer()->text(), QString("three"), kPatienceMs);

    QFile file(path); // nothing took its place
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\x5a'), file.size());
}

void FullDiskTest::damagedMessageAndMissingPictureShow()
{
    const QTemporaryDir folder;
    qint64 id = 0;
    {
        const Program program(folder.path());
        QVERIFY(program.converse("one", "two"));
        program.model->composer()->addFiles(
            {QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png")});
        QTRY_VERIFY_WITH_TIMEOUT(program.model->composer()->ready(), kPatienceMs);
        QVERIFY(program.converse("three", "four"));
        id = program.chat->conversation();
        const bool changed = program.asked([](ConversationStore &store) {
            return store.database()
                .run("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;"
                     "UPDATE part SET media_sha256 = 'gone', kind = 'image' WHERE message_id = 2")
                .has_value();
        });
        QVERIFY(changed);
    }
    QVERIFY(QDir(folder.filePath("media")).removeRecursively());

    const Program program(folder.path(), Program::Drawn::Yes);
    QTRY_COMPARE_WITH_TIMEOUT(program.titles().size(), 1, kPatienceMs);
    program.chat->open(id);
    QTRY_VERIFY_WITH_TIMEOUT(program.texts().contains("four"), kPatienceMs);
    QVERIFY(program.texts().contains("one") && program.texts().contains("three"));
    QVERIFY(!program.texts().contains("two"));
    QVERIFY(program.last(RowKind::Media));
    bool said = false; // a sentence stands where the damaged answer was
    for (int row = 0; row < program.chat->transcript()->count(); ++row) {
        const TranscriptRow &shown = program.chat->transcript()->row(row);
        said = said || (shown.kind != RowKind::Actions && shown.message == 2 && !shown.text.isEmpty());
    }
    QVERIFY(said);
}

/// The window is there, and can be written in, while an upgrade or another program keeps the store.
void FullDiskTest::windowComesBeforeTheStore()
{
    const QTemporaryDir folder;
    {
        const Program program(folder.path());
        QVERIFY(program.converse("one", "two"));
    }
    std::optional<Database> other = *Database::open(folder.filePath("conversations.db").toStdString());
    QVERIFY(other->run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
                       "UPDATE conversation SET updated_ms = updated_ms"));

    QElapsedTimer timer;
    timer.start();
    const Program program(folder.path(), Program::Drawn::Yes);
    program.model->composer()->setText("typed meanwhile");
    const QImage shown = program.window->quickWindow()->grabWindow();
    const qint64 taken = timer.elapsed();
    QVERIFY(!shown.isNull());
    QVERIFY2(taken < 5000, qPrintable(QString::number(taken))); // the store waits for ten seconds
    QTest::qWait(300);
    QVERIFY(program.titles().isEmpty());
    QVERIFY(!program.list->loaded());

    (void)other->run("COMMIT");
    other.reset();
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"one"}, kPatienceMs);
    QVERIFY2(program.model->notices().isEmpty(), qPrintable(program.model->notices().join('\n')));
    QCOMPARE(program.model->composer()->text(), QString("typed meanwhile"));
}

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    const QGuiApplication gui(count, arguments);
    FullDiskTest test;
    return QTest::qExec(&test, count, arguments);
}

#include "full_disk_window_test.moc"
