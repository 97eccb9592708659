// Commands in the real window: by shortcut, from the palette, and with a shortcut that was changed; and how
// the window looks, kept for the next run.
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QFile>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QQuickWindow>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

constexpr int kPatienceMs = 20000;

struct Program {
    explicit Program(const QTemporaryDir &folder)
    {
        const std::string path = folder.path().toStdString();
        application = Application::open({.dataFolder = path,
                                         .settingsPath = path + "/settings.json",
                                         .post = guiPost(),
                                         .openEngine = scriptedOpener(script),
                                         .prepare = {},
                                         .visionConfigPath = {},
                                         .log = {}});
        window = std::make_unique<Window>(*application, WindowOptions{.theme = Settings::Theme::Light});
        view = window->quickWindow();
        chat = window->model().chat();
        commands = window->model().commands();
    }
    void ask(const QString &text) const
    {
        window->model().composer()->setText(text);
        chat->send();
    }
    bool idle() const { return !chat->busy() && chat->transcript()->count() > 0; }
    void type(const QString &text) const
    {
        for (const QChar letter : text)
            QTest::keyClick(view, letter.toLatin1());
    }
    bool isOpen(const char *dialog) const
    {
        const QObject *popup = view->findChild<QObject *>(QString::fromLatin1(dialog));
        return popup && popup->property("opened").toBool();
    }

    std::shared_ptr<Script> script = std::make_shared<Script>();
    std::unique_ptr<Application> application;
    std::unique_ptr<Window> window;
    QQuickWindow *view = nullptr;
    Chat *chat = nullptr;
    Commands *commands = nullptr;
};

QJsonObject settingsIn(const QTemporaryDir &folder)
{
    QFile file(folder.filePath("settings.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

} // namespace

class CommandWindowTest : public QObject {
    Q_OBJECT

private slots:
    void shortcutsDoWhatTheySay();
    void thePaletteFindsAndRuns();
    void aChangedShortcutHoldsAndIsKept();
    void looksAreKept();
    void aThemeOfTheCommandLineIsNotKept();
};

void CommandWindowTest::shortcutsDoWhatTheySay()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    program.ask("one");
    QVERIFY(QTest::qWaitFor([&] { return program.idle(); }, kPatienceMs));
    const qint64 first = program.chat->conversation();
    QTest::keyClick(program.view, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(program.chat->empty());
    program.ask("two");
    QVERIFY(QTest::qWaitFor([&] { return program.idle(); }, kPatienceMs));
    QVERIFY(
        QTest::qWaitFor([&] { return program.window->model().conversations()->count() == 2; }, kPatienceMs));
    const qint64 second = program.chat->conversation();

    QTest::keyClick(program.view, Qt::Key_PageDown, Qt::ControlModifier); // the older one is below
    QCOMPARE(program.chat->conversation(), first);
    QTest::keyClick(program.view, Qt::Key_PageDown, Qt::ControlModifier); // the end of the list
    QCOMPARE(program.chat->conversation(), first);
    QTest::keyClick(program.view, Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(program.chat->conversation(), second);

    QVERIFY(QTest::qWaitFor([&] { return program.chat->lastMessage(true) != 0; }, kPatienceMs));
    const qint64 answer = program.chat->lastMessage(true);
    QTest::keyClick(program.view, Qt::Key_R, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor(
        [&] {
            const qint64 now = program.chat->lastMessage(true);
            return program.idle() && now != 0 && now != answer;
        },
        kPatienceMs));

    const bool thinking = program.window->model().thinking();
    QTest::keyClick(program.view, Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(program.window->model().thinking(), !thinking);

    QTest::keyClick(program.view, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor([&] { return program.isOpen("exportDialog"); }, kPatienceMs));
    QTest::keyClick(program.view, Qt::Key_N, Qt::ControlModifier); // not behind a dialog
    QVERIFY(!program.chat->empty());
}

void CommandWindowTest::thePaletteFindsAndRuns()
{
    const QTemporaryDir folder;
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    QTest::keyClick(program.view, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor([&] { return program.isOpen("commandPalette"); }, kPatienceMs));
    const int all = program.commands->count();
    QVERIFY(all > 5 && all < Commands::Quit + 1); // there is nothing to stop or to copy
    program.type("text");
    QCOMPARE(program.commands->count(), 3);
    QTest::keyClick(program.view, Qt::Key_Down); // the second is "Smaller text"
    QTest::keyClick(program.view, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return !program.isOpen("commandPalette"); }, kPatienceMs));
    QCOMPARE(program.window->model().appearance()->textScale(), 0.9);
    QVERIFY(program.window->model().composer()->text().isEmpty());

    QTest::keyClick(program.view, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor([&] { return program.isOpen("commandPalette"); }, kPatienceMs));
    QCOMPARE(program.commands->count(), all); // begun anew
    QTest::keyClick(program.view, Qt::Key_Escape);
    QVERIFY(QTest::qWaitFor([&] { return !program.isOpen("commandPalette"); }, kPatienceMs));
}

void CommandWindowTest::aChangedShortcutHoldsAndIsKept()
{
    const QTemporaryDir folder;
    {
        const Program program(folder);
        QVERIFY(QTest::qWaitForWindowExposed(program.view));
        QTest::keyClick(program.view, Qt::Key_F1);
        QVERIFY(QTest::qWaitFor([&] { return program.isOpen("shortcutsDialog"); }, kPatienceMs));
        QTest::keyClick(program.view, Qt::Key_Return); // the first: a new chat
        QTest::keyClick(program.view, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(program.commands->fault().contains("taken"));
        QTest::keyClick(program.view, Qt::Key_J, Qt::ControlModifier);
        QVERIFY(program.commands->fault().isEmpty());
        QCOMPARE(program.commands->changes().at("new-chat"), std::string("Ctrl+J"));
        QTest::keyClick(program.view, Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return !program.isOpen("shortcutsDialog"); }, kPatienceMs));
    }
    const Program program(folder);
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    program.ask("one");
    QVERIFY(QTest::qWaitFor([&] { return program.idle(); }, kPatienceMs));
    QTest::keyClick(program.view, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!program.chat->empty());
    QTest::keyClick(program.view, Qt::Key_J, Qt::ControlModifier);
    QVERIFY(program.chat->empty());
}

void CommandWindowTest::looksAreKept()
{
    const QTemporaryDir folder;
    {
        const Program program(folder);
        Appearance *appearance = program.window->model().appearance();
        appearance->setTextScale(5);
        QCOMPARE(appearance->textScale(), 2.0);
        appearance->setScheme(Appearance::Scheme::Dark);
        appearance->setHighContrast(true);
        appearance->setReducedMotion(true);
        QVERIFY(appearance->dark());
        QVERIFY(program.window->model().parameters()->set(0, "0.25"));
    }
    QCOMPARE(settingsIn(folder)["theme"].toString(), "dark");
    const Program program(folder);
    const Appearance *appearance = program.window->model().appearance();
    QVERIFY(appearance->textScale() == 2 && appearance->highContrast() && appearance->reducedMotion());
    QVERIFY(QTest::qWaitForWindowExposed(program.view));
    program.ask("one");
    QVERIFY(QTest::qWaitFor([&] { return program.idle(); }, kPatienceMs));
    QCOMPARE(program.script->requests().at(0).sampling.temperature, 0.25f);
}

void CommandWindowTest::aThemeOfTheCommandLineIsNotKept()
{
    const QTemporaryDir folder;
    {
        const Program program(folder); // is told to be light
        program.window->model().appearance()->setTextScale(1.5);
    }
    QCOMPARE(settingsIn(folder)["theme"].toString(), "system");
    QCOMPARE(settingsIn(folder)["textScale"].toDouble(), 1.5);
}

QTEST_MAIN(CommandWindowTest)
#include "command_window_test.moc"
