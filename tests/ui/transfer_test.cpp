// Importing, backing up and restoring in the window: results for each chat, Stop, and what the person is
// told.
#include "tests/support/mixed_chat.h"
#include "tests/ui/program.h"

#include "app/publish/publish.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

QStringList outcomes(const Transfer &transfer)
{
    QStringList found;
    for (const QVariant &result : transfer.results())
        found += result.toMap().value("name").toString() + ": " + result.toMap().value("outcome").toString();
    return found;
}

bool over(const Transfer &transfer)
{
    return QTest::qWaitFor([&transfer] { return !transfer.running(); }, kPatienceMs);
}

ConversationId addChat(const Program &program, const std::string &title, int turns)
{
    return program.asked([title, turns](ConversationStore &store) {
        const std::vector<StoredMessage> tree = mixedChat(turns);
        return *store.import(title, {}, tree, tree.back().id);
    });
}

void exportTo(const Program &program, ConversationId id, const QString &file)
{
    const ChatToPublish chat = program.asked([id](ConversationStore &store) { return *loadChat(store, id); });
    PublishOptions options;
    options.format = ExportFormat::Json;
    options.choices.allBranches = true;
    QVERIFY(publishChat(chat, options, file.toStdString()));
}

} // namespace

class TransferTest : public QObject {
    Q_OBJECT

private slots:
    void filesAreImportedWithAResultForEach();
    void importStops();
    void backupComesBackElsewhere();
    void restoringTwiceAddsNothing();
    void damagedBackupAddsNothing();
    void backupThatStopsLeavesNothing();
};

void TransferTest::filesAreImportedWithAResultForEach()
{
    const QTemporaryDir first, second, out;
    {
        const Program program(first.path());
        exportTo(program, addChat(program, "Whole", 3), out.filePath("1.json"));
    }
    QFile broken(out.filePath("2.json"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"format\":") > 0);
    broken.close();

    const Program program(second.path());
    QSignalSpy finished(program.model->transfer(), &Transfer::finished);
    program.model->transfer()->importFiles({QUrl::fromLocalFile(out.path())});
    QVERIFY(program.model->transfer()->running());
    QVERIFY(over(*program.model->transfer()));

    QCOMPARE(finished.size(), 1);
    QCOMPARE(outcomes(*program.model->transfer()), (QStringList{"Whole: done", "2.json: failed"}));
    const QString why = program.model->transfer()->results()[1].toMap().value("sentence").toString();
    QVERIFY2(why.contains("2.json"), qPrintable(why));
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"Whole"}, kPatienceMs);
    program.chat->open(program.idAt(0));
    QTRY_VERIFY_WITH_TIMEOUT(program.texts().size() > 3, kPatienceMs);
}

void TransferTest::importStops()
{
    const QTemporaryDir first, second, out;
    constexpr int files = 40;
    {
        const Program program(first.path());
        const ConversationId id = addChat(program, "One of many", 40);
        exportTo(program, id, out.filePath("00.json"));
        for (int at = 1; at < files; ++at)
            QVERIFY(QFile::copy(out.filePath("00.json"), out.filePath(QString::number(100 + at) + ".json")));
    }
    const Program program(second.path());
    Transfer &transfer = *program.model->transfer();
    connect(&transfer, &Transfer::changed, &transfer, [&transfer] {
        if (transfer.progress() > 0)
            transfer.stop();
    });

    transfer.importFiles({QUrl::fromLocalFile(out.path())});
    QVERIFY(over(transfer));

    QVERIFY2(!transfer.results().isEmpty() && transfer.results().size() < files,
             qPrintable(QString::number(transfer.results().size())));
    QVERIFY2(transfer.summary().contains("stopped"), qPrintable(transfer.summary()));
    QTRY_COMPARE_WITH_TIMEOUT(program.list->count(), int(transfer.results().size()), kPatienceMs);
}

void TransferTest::backupComesBackElsewhere()
{
    const QTemporaryDir first, second, out;
    QStringList texts;
    {
        const Program program(first.path());
        program.model->composer()->addFiles(
            {QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png")});
        QTRY_VERIFY_WITH_TIMEOUT(program.model->composer()->ready(), kPatienceMs);
        QVERIFY(program.converse("What is it?", "Two shapes."));
        texts = program.texts();
        const qint64 id = program.chat->conversation();
        (void)program.asked([id](ConversationStore &store) {
            (void)store.rename(id, "Shapes");
            (void)store.addTag(id, "geometry");
            (void)store.moveToFolder(id, *store.folder("School"));
            (void)store.database().run("UPDATE conversation SET created_ms = 1000000, updated_ms = 2000000");
            return true;
        });
        program.model->transfer()->backUp(QUrl::fromLocalFile(out.path()));
        QVERIFY(over(*program.model->transfer()));
        QVERIFY2(
            program.model->transfer()->summary().contains("chats: 1, messages: 2, pictures and clips: 1."),
            qPrintable(program.model->transfer()->summary()));
    }
    const QStringList made = QDir(out.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(made.size(), 1);

    const Program program(second.path());
    QVERIFY(program.converse("already here", "yes"));
    program.model->transfer()->restore(QUrl::fromLocalFile(out.filePath(made[0])));
    QVERIFY(over(*program.model->transfer()));
    QCOMPARE(outcomes(*program.model->transfer()), QStringList{"Shapes: done"});
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"already here", "Shapes"}), kPatienceMs);
    program.chat->open(program.idAt(1));
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), texts, kPatienceMs);
    const QModelIndex row = program.list->index(1);
    QCOMPARE(row.data(ConversationListModel::TagsRole).toString(), QString("geometry"));
    QCOMPARE(row.data(ConversationListModel::FolderRole).toString(), QString("School"));
    const bool sound = program.asked([](ConversationStore &store) {
        const auto picture = std::get<MediaPart>(store.load(2)->path[0].message.parts[0]);
        return store.check()->sound() && store.list()->back().createdMs == 1'000'000 &&
               picture.path.starts_with(store.folder().string());
    });
    QVERIFY(sound);
    QVERIFY(!QDir(second.filePath("restoring")).exists());
}

void TransferTest::restoringTwiceAddsNothing()
{
    const QTemporaryDir data, out;
    const Program program(data.path());
    QVERIFY(program.converse("one", "two"));
    program.model->transfer()->backUp(QUrl::fromLocalFile(out.path()));
    QVERIFY(over(*program.model->transfer()));
    const QString made = out.filePath(QDir(out.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot)[0]);

    program.model->transfer()->restore(QUrl::fromLocalFile(made));
    QVERIFY(over(*program.model->transfer()));
    QCOMPARE(outcomes(*program.model->transfer()), QStringList{"one: same"});

    program.list->remove(program.chat->conversation()); // what is in the bin is not here
    QTRY_VERIFY_WITH_TIMEOUT(program.titles().isEmpty(), kPatienceMs);
    program.model->transfer()->restore(QUrl::fromLocalFile(made));
    QVERIFY(over(*program.model->transfer()));
    QCOMPARE(outcomes(*program.model->transfer()), QStringList{"one: done"});
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"one"}, kPatienceMs);
}

void TransferTest::damagedBackupAddsNothing()
{
    const QTemporaryDir data, out;
    const Program program(data.path());
    QVERIFY(program.converse("one", "two"));
    program.model->transfer()->backUp(QUrl::fromLocalFile(out.path()));
    QVERIFY(over(*program.model->transfer()));
    const QString made = out.filePath(QDir(out.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot)[0]);
    QFile file(made + "/conversations.db");
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(5000) && file.write("damage") == 6);
    file.close();

    program.model->transfer()->restore(QUrl::fromLocalFile(made));
    QVERIFY(over(*program.model->transfer()));

    QVERIFY(program.model->transfer()->results().isEmpty());
    QVERIFY2(program.model->transfer()->summary().contains("damaged"),
             qPrintable(program.model->transfer()->summary()));
    QCOMPARE(program.titles(), QStringList{"one"});
    QVERIFY(!QDir(data.filePath("restoring")).exists());
}

void TransferTest::backupThatStopsLeavesNothing()
{
    const QTemporaryDir data, out;
    const Program program(data.path());
    program.model->composer()->addFiles(
        {QUrl::fromLocalFile(SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png")});
    QTRY_VERIFY_WITH_TIMEOUT(program.model->composer()->ready(), kPatienceMs);
    QVERIFY(program.converse("one", "two"));

    program.model->transfer()->backUp(QUrl::fromLocalFile(out.path()));
    program.model->transfer()->stop();
    QVERIFY(over(*program.model->transfer()));

    QVERIFY2(program.model->transfer()->summary().contains("stopped"),
             qPrintable(program.model->transfer()->summary()));
    QVERIFY(QDir(out.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
}

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QLocale::setDefault(QLocale::c());
    const QGuiApplication gui(count, arguments);
    TransferTest test;
    return QTest::qExec(&test, count, arguments);
}

#include "transfer_test.moc"
