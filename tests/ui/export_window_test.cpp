// Exporting in the window: one chat, many, Stop, and what the person is told.
#include "app/turn/attachment.h"
#include "tests/support/mixed_chat.h"
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <memory>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

constexpr int kPatienceMs = 20000;

/// The models of a window in a folder, without what they are drawn with.
struct Program {
    Program() : script(std::make_shared<Script>())
    {
        const std::string path = data.path().toStdString();
        application = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = guiPost(),
                                         .openEngine = scriptedOpener(script),
                                         .prepare = prepareMedia,
                                         .visionConfigPath = {},
                                         .log = {}});
        model = std::make_unique<WindowModel>(*application, Appearance::Scheme::Light);
        exporter = model->exporter();
    }
    /// A chat of so many turns in the store; its number.
    qint64 chat(const std::string &title, int turns, const std::string &folder = {}) const
    {
        std::atomic<qint64> made = 0;
        application->store().run([&](ConversationStore &store) {
            const std::vector<StoredMessage> tree = mixedChat(turns);
            const auto id = store.import(title, {}, tree, tree.back().id);
            if (id && !folder.empty())
                (void)store.moveToFolder(*id, *store.folder(folder));
            made = id ? *id : -1;
        });
        (void)QTest::qWaitFor([&made] { return made != 0; }, kPatienceMs);
        return made;
    }

    QTemporaryDir data, out;
    std::shared_ptr<Script> script;
    std::unique_ptr<Application> application;
    std::unique_ptr<WindowModel> model;
    Exporter *exporter = nullptr;
};

QVariantMap as(const char *format)
{
    return {
        {"format", format}
    };
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ExportWindowTest : public QObject {
    Q_OBJECT

private slots:
    void oneChat();
    void aFolderOfChats();
    void stopLeavesNothing();
    void failuresAreTold();
    void endingStopsIt();
};

void ExportWindowTest::oneChat()
{
    const Program program;
    const qint64 id = program.chat("Weather", 2);
    const QSignalSpy told(program.model.get(), &WindowModel::toast);
    const QString file = program.out.filePath("mine.html");

    program.exporter->exportChat(id, QUrl::fromLocalFile(file), as("html"));

    QVERIFY(program.exporter->running());
    QTRY_VERIFY_WITH_TIMEOUT(!program.exporter->running(), kPatienceMs);
    QVERIFY(bytesOf(file).startsWith("<!DOCTYPE html>"));
    QVERIFY(!bytesOf(file).contains("Let me think")); // as asked
    QCOMPARE(told.size(), 1);
    QCOMPARE(told[0][0].toString(), "The chat is in " + file + ".");
}

void ExportWindowTest::aFolderOfChats()
{
    const Program program;
    program.chat("Oslo", 1, "Travel");
    program.chat("Oslo", 2, "Travel");
    program.chat("Work", 1);

    program.exporter->exportFolder("Travel", QUrl::fromLocalFile(program.out.path()), as("json"));
    QTRY_VERIFY_WITH_TIMEOUT(!program.exporter->running(), kPatienceMs);

    QCOMPARE(QDir(program.out.path()).entryList(QDir::Files, QDir::Name),
             (QStringList{"Oslo (2).json", "Oslo.json"}));
    program.exporter->exportFolder("", QUrl::fromLocalFile(program.out.path()), as("markdown"));
    QTRY_VERIFY_WITH_TIMEOUT(!program.exporter->running(), kPatienceMs);
    QCOMPARE(QDir(program.out.path()).entryList({"*.md"}, QDir::Files).size(), 3);
}

void ExportWindowTest::stopLeavesNothing()
{
    const Program program;
    const qint64 id = program.chat("Long", 150);
    const QSignalSpy told(program.model.get(), &WindowModel::toast);

    program.exporter->exportChat(id, QUrl::fromLocalFile(program.out.filePath("long.pdf")), as("pdf"));
    QTRY_VERIFY_WITH_TIMEOUT(program.exporter->progress() > 0, kPatienceMs);
    QVERIFY(program.exporter->status().contains("message"));
    program.exporter->stop();

    QTRY_VERIFY_WITH_TIMEOUT(!program.exporter->running(), kPatienceMs);
    QVERIFY(QDir(program.out.path()).isEmpty());
    QVERIFY(told[0][0].toString().contains("stopped"));
}

void ExportWindowTest::failuresAreTold()
{
    const Program program;
    const qint64 id = program.chat("Weather", 2);

    program.exporter->exportChat(id, QUrl::fromLocalFile("/dev/full"), as("pdf"));
    QTRY_VERIFY_WITH_TIMEOUT(!program.exporter->running(), kPatienceMs);
    program.exporter->exportChat(id, QUrl::fromLocalFile("/no/such/folder/a.md"), as("markdown"));
    QTRY_VERIFY_WITH_TIMEOUT(!program.exporter->running(), kPatienceMs);

    QVERIFY(program.model->notices().contains("there is no folder /no/such/folder"));
}

void ExportWindowTest::endingStopsIt()
{
    const QTemporaryDir out;
    {
        const Program program;
        const qint64 id = program.chat("Long", 150);
        program.exporter->exportChat(id, QUrl::fromLocalFile(out.filePath("long.pdf")), as("pdf"));
        QTRY_VERIFY_WITH_TIMEOUT(program.exporter->progress() > 0, kPatienceMs);
    }
    QVERIFY(QDir(out.path()).isEmpty());
}

QTEST_MAIN(ExportWindowTest)
#include "export_window_test.moc"
