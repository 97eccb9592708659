// What can be done from the keyboard: finding a command, and shortcuts that can be changed but never doubled;
// and the parameters of answers.
#include "ui/viewmodel/answer_parameters.h"
#include "ui/viewmodel/commands.h"

#include <QLocale>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

using namespace perilune;
using namespace perilune::ui;

namespace {

constexpr int kControl = Qt::ControlModifier;

bool always(Commands::Command)
{
    return true;
}

QVariantMap shortcut(const Commands &commands, Commands::Command command)
{
    return commands.shortcuts().at(command).toMap();
}

QStringList titles(const Commands &commands)
{
    QStringList all;
    for (int row = 0; row < commands.count(); ++row)
        all += commands.index(row).data(Commands::TitleRole).toString();
    return all;
}

} // namespace

class CommandListTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::German)); }
    void everyCommandSaysItself();
    void wordsFindCommands();
    void onlyWhatIsPossibleIsOffered();
    void keysAreTaken();
    void keysThatCanNotBeTaken_data();
    void keysThatCanNotBeTaken();
    void keysComeAndGo();
    void whatWasKeptComesBack();
    void damagedChangesAreLeftOut();
    void parametersFollowTheModel();
    void numbersAreReadAsWritten_data();
    void numbersAreReadAsWritten();
};

void CommandListTest::everyCommandSaysItself()
{
    Commands commands({}, always);
    commands.refresh();
    QCOMPARE(commands.count(), Commands::Quit + 1);
    QSet<QString> keys;
    for (const QVariant &value : commands.shortcuts()) {
        const QVariantMap one = value.toMap();
        QVERIFY(!one["title"].toString().isEmpty() && !one["sequence"].toString().isEmpty());
        QVERIFY2(!keys.contains(one["sequence"].toString()), qPrintable(one["title"].toString()));
        keys += one["sequence"].toString();
        QVERIFY(!one["changed"].toBool());
    }
    // Each runs its own signal, in the order of the list.
    int ran = -1;
    connect(&commands, &Commands::newChat, this, [&ran] { ran = Commands::NewChat; });
    connect(&commands, &Commands::goToEnd, this, [&ran] { ran = Commands::GoToEnd; });
    connect(&commands, &Commands::quit, this, [&ran] { ran = Commands::Quit; });
    for (const int command : {Commands::NewChat, Commands::GoToEnd, Commands::Quit}) {
        commands.runRow(command);
        QCOMPARE(ran, command);
    }
    ran = -1;
    commands.runRow(-1);
    commands.runRow(commands.count());
    commands.run(Commands::Quit + 1);
    QCOMPARE(ran, -1);
}

void CommandListTest::wordsFindCommands()
{
    Commands commands({}, always);
    commands.setFilter("text lar");
    QCOMPARE(titles(commands), QStringList{"Larger text"});
    commands.setFilter("  CHAT   new ");
    QCOMPARE(titles(commands), QStringList{"New chat"});
    commands.setFilter("(.*");
    QCOMPARE(commands.count(), 0);
    commands.setFilter({});
    QCOMPARE(commands.count(), Commands::Quit + 1);
}

void CommandListTest::onlyWhatIsPossibleIsOffered()
{
    bool busy = false;
    Commands commands({}, [&busy](Commands::Command command) { return command != Commands::Stop || busy; });
    const QSignalSpy stopped(&commands, &Commands::stop);
    commands.setFilter("stop");
    QCOMPARE(commands.count(), 0);
    commands.run(Commands::Stop);
    QCOMPARE(stopped.count(), 0);
    busy = true;
    commands.refresh();
    QCOMPARE(titles(commands), QStringList{"Stop the answer"});
    commands.runRow(0);
    QCOMPARE(stopped.count(), 1);
}

void CommandListTest::keysAreTaken()
{
    Commands commands({}, always);
    const QSignalSpy changed(&commands, &Commands::shortcutsChanged);
    QVERIFY(!commands.record(Commands::NewChat, Qt::Key_Control, kControl)); // not yet
    QVERIFY(commands.fault().isEmpty());
    QVERIFY(commands.record(Commands::NewChat, Qt::Key_J, kControl | Qt::ShiftModifier));
    QCOMPARE(shortcut(commands, Commands::NewChat)["sequence"], "Ctrl+Shift+J");
    QVERIFY(shortcut(commands, Commands::NewChat)["changed"].toBool());
    QVERIFY(commands.record(Commands::Write, Qt::Key_F6, Qt::NoModifier));
    QCOMPARE(changed.count(), 2);
    QVERIFY(commands.record(Commands::Write, Qt::Key_F6, Qt::NoModifier)); // as it is
    QCOMPARE(changed.count(), 2);
    QVERIFY(commands.changes() == (Commands::Changes{
                                      {"new-chat", "Ctrl+Shift+J"},
                                      {"write",    "F6"          }
    }));
}

void CommandListTest::keysThatCanNotBeTaken_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QString>("says");
    QTest::newRow("a letter") << int(Qt::Key_J) << int(Qt::NoModifier) << "A shortcut needs Ctrl";
    QTest::newRow("a capital") << int(Qt::Key_J) << int(Qt::ShiftModifier) << "A shortcut needs Ctrl";
    QTest::newRow("return") << int(Qt::Key_Return) << int(Qt::NoModifier) << "A shortcut needs Ctrl";
    QTest::newRow("copy") << int(Qt::Key_C) << kControl << "Ctrl+C is needed for writing.";
    QTest::newRow("taken") << int(Qt::Key_F) << kControl << "Ctrl+F is taken by “Search the chats”.";
}

void CommandListTest::keysThatCanNotBeTaken()
{
    QFETCH(const int, key);
    QFETCH(const int, modifiers);
    QFETCH(const QString, says);
    Commands commands({}, always);
    QVERIFY(!commands.record(Commands::NewChat, key, modifiers));
    QVERIFY2(commands.fault().startsWith(says), qPrintable(commands.fault()));
    QVERIFY(commands.usual());
    commands.clearFault();
    QVERIFY(commands.fault().isEmpty());
}

void CommandListTest::keysComeAndGo()
{
    Commands commands({}, always);
    QVERIFY(commands.record(Commands::FindChats, Qt::Key_Delete, Qt::NoModifier));
    QCOMPARE(shortcut(commands, Commands::FindChats)["sequence"], "");
    QVERIFY(commands.record(Commands::NewChat, Qt::Key_F, kControl)); // free now
    commands.reset(Commands::FindChats);
    QVERIFY(commands.fault().startsWith("Ctrl+F is taken by “New chat”"));
    commands.reset(Commands::NewChat);
    commands.reset(Commands::FindChats);
    QVERIFY(commands.usual() && commands.fault().isEmpty());
    QVERIFY(commands.record(Commands::Quit, Qt::Key_F12, Qt::NoModifier));
    commands.resetAll();
    QVERIFY(commands.usual());
}

void CommandListTest::whatWasKeptComesBack()
{
    Commands first({}, always);
    QVERIFY(first.record(Commands::NewChat, Qt::Key_Delete, Qt::NoModifier));
    QVERIFY(first.record(Commands::Quit, Qt::Key_N, kControl)); // that of another, which has none any more
    const Commands second(first.changes(), always);
    QVERIFY(second.shortcuts() == first.shortcuts());
    QVERIFY(second.changes() == first.changes());
}

void CommandListTest::damagedChangesAreLeftOut()
{
    const Commands commands(
        {
            {"quit",    "Ctrl+J"      },
            {"write",   "Ctrl+J"      },
            {"attach",  "\x1B no keys"},
            {"nothing", "Ctrl+M"      }
    },
        always);
    int with = 0;
    for (const QVariant &value : commands.shortcuts())
        with += value.toMap()["sequence"] == "Ctrl+J" ? 1 : 0;
    QCOMPARE(with, 1);
    QCOMPARE(shortcut(commands, Commands::Write)["sequence"], "Ctrl+J"); // the first in the list
    QCOMPARE(shortcut(commands, Commands::Quit)["sequence"], "Ctrl+Q");
    QCOMPARE(shortcut(commands, Commands::Attach)["sequence"], "Ctrl+O");
}

void CommandListTest::parametersFollowTheModel()
{
    SamplingOptions suggested{.temperature = 0.6f, .topP = 0.95f, .minP = 0, .topK = 0, .seed = {}};
    SamplingWishes kept;
    std::uint32_t tokens = 0;
    AnswerParameters parameters(
        {}, [&suggested] { return suggested; },
        [&](const SamplingWishes &wishes, std::uint32_t most) {
            kept = wishes;
            tokens = most;
        });
    const auto value = [&parameters](int row) {
        return parameters.index(row, 0).data(AnswerParameters::ValueRole).toString();
    };
    const auto isSet = [&parameters](int row) {
        return parameters.index(row, 0).data(AnswerParameters::IsSetRole).toBool();
    };
    QCOMPARE(value(0), "0,6");
    QCOMPARE(value(1), "0,95");
    QCOMPARE(value(4), "4.096");
    suggested.temperature = 1;
    QCOMPARE(value(0), "1");
    QVERIFY(!isSet(0));
    QVERIFY(parameters.set(0, "0,3"));
    QVERIFY(isSet(0) && !isSet(1));
    QCOMPARE(value(0), "0,3");
    QVERIFY(kept.temperature == 0.3f && !kept.topP);
    QCOMPARE(tokens, 4096u);
    QVERIFY(parameters.set(4, "12"));
    QVERIFY(isSet(4));
    QCOMPARE(tokens, 12u);
    QVERIFY(parameters.set(0, " "));
    QVERIFY(!isSet(0) && !kept.temperature);
    parameters.reset(4);
    QCOMPARE(tokens, 4096u);
}

void CommandListTest::numbersAreReadAsWritten_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("value"); // empty: refused
    QTest::newRow("own") << 0 << "1,25" << "1,25";
    QTest::newRow("point") << 0 << "0.5" << "0,5";
    QTest::newRow("high") << 0 << "2,01" << "";
    QTest::newRow("low") << 0 << "-0,1" << "";
    QTest::newRow("words") << 0 << "warm" << "";
    QTest::newRow("nan") << 0 << "nan" << "";
    QTest::newRow("inf") << 1 << "inf" << "";
    QTest::newRow("part of a word") << 3 << "1,5" << "";
    QTest::newRow("words whole") << 3 << "40" << "40";
    QTest::newRow("no token") << 4 << "0" << "";
}

void CommandListTest::numbersAreReadAsWritten()
{
    QFETCH(const int, row);
    QFETCH(const QString, text);
    QFETCH(const QString, value);
    int keeps = 0;
    AnswerParameters parameters(
        {}, [] { return SamplingOptions(); }, [&keeps](const SamplingWishes &, std::uint32_t) { ++keeps; });
    const QVariant before = parameters.index(row, 0).data(AnswerParameters::ValueRole);
    QCOMPARE(parameters.set(row, text), !value.isEmpty());
    QCOMPARE(keeps, value.isEmpty() ? 0 : 1);
    QCOMPARE(parameters.index(row, 0).data(AnswerParameters::ValueRole), value.isEmpty() ? before : value);
    QVERIFY(!parameters.set(-1, "1") && !parameters.set(99, "1"));
}

QTEST_MAIN(CommandListTest)
#include "command_list_test.moc"
