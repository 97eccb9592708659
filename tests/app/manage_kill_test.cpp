// kill -9 at random moments of editing, deleting, restoring, importing and backing up: nothing that was there
// is lost, and what is half done isn't there. PERILUNE_KILLS=500 makes it more.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <random>

using namespace perilune;

namespace {

constexpr int kAtOnce = 8; // victims beside each other, each in a folder of its own

struct Victim {
    QTemporaryDir folder;
    std::unique_ptr<QProcess> process;
};

} // namespace

class ManageKillTest : public QObject {
    Q_OBJECT

private slots:
    void nothingKeptIsLost();

private:
    void examine(Victim &victim, int &lines);
    static QString missing(ConversationStore &store, const QString &line);
};

void ManageKillTest::nothingKeptIsLost()
{
    const int kills =
        qEnvironmentVariableIsSet("PERILUNE_KILLS") ? qEnvironmentVariableIntValue("PERILUNE_KILLS") : 32;
    std::mt19937 random(11);
    std::vector<Victim> victims(kAtOnce);
    int lines = 0, seed = 0;
    for (int round = 0; round < kills / kAtOnce; ++round) {
        for (Victim &victim : victims) {
            victim.process = std::make_unique<QProcess>();
            // The seed is part of each message's words: no two victims have the same.
            victim.process->start(MANAGE_VICTIM, {victim.folder.path(), QString::number(++seed)});
        }
        for (Victim &victim : victims) {
            QVERIFY(victim.process->waitForStarted());
            QTest::qSleep(static_cast<int>(random() % 200));
            victim.process->kill(); // SIGKILL
        }
        for (Victim &victim : victims) {
            QVERIFY(victim.process->waitForFinished());
            QCOMPARE(victim.process->exitStatus(), QProcess::CrashExit);
            examine(victim, lines);
            if (QTest::currentTestFailed())
                return;
        }
    }
    qInfo("%d kills, %d things were said to be on disk and are", kills, lines);
    QVERIFY(lines > 0);
}

QString ManageKillTest::missing(ConversationStore &store, const QString &line)
{
    const QString what = line.section(' ', 0, 0);
    if (what == "kept") {
        Statement query(store.database(), "SELECT count(*) FROM part WHERE text = ?");
        query.bind(line.section(' ', 1).toStdString());
        return query.row() && query.integer(0) == 1 ? QString() : "this message is lost";
    }
    if (what == "imported") {
        const auto tree = store.loadTree(line.section(' ', 1, 1).toLongLong());
        return tree && static_cast<int>(tree->size()) == line.section(' ', 2).toInt()
                   ? QString()
                   : "not all of it is there";
    }
    if (what != "backed")
        return "the victim failed";
    const auto backup = ConversationStore::open(line.section(' ', 1).toStdString());
    if (!backup)
        return QString::fromStdString(backup.error().message);
    const auto report = (*backup)->check();
    if (!report)
        return QString::fromStdString(report.error().message);
    return report->findings.empty() ? QString() : QString::fromStdString(report->findings[0].what);
}

void ManageKillTest::examine(Victim &victim, int &lines)
{
    const QString folder = victim.folder.path();
    if (!QFile::exists(folder + "/conversations.db"))
        return; // it was killed before there was anything
    const auto store = ConversationStore::open(folder.toStdString());
    QVERIFY2(store, store ? "" : store.error().message.c_str());
    for (const QString &line :
         QString::fromUtf8(victim.process->readAllStandardOutput()).split('\n', Qt::SkipEmptyParts)) {
        const QString fault = missing(**store, line);
        QVERIFY2(fault.isEmpty(), qPrintable(line + ": " + fault));
        ++lines;
    }
    const auto report = (*store)->check();
    QVERIFY2(report && report->findings.empty(),
             report && !report->findings.empty() ? report->findings[0].what.c_str() : "");
    // A backup that was cut off has no conversations, and one that has them is whole.
    for (const QString &backup : QDir(folder).entryList({"backup-*"}, QDir::Dirs)) {
        const QString path = folder + "/" + backup;
        if (QFile::exists(path + "/conversations.db"))
            QVERIFY(QFile::exists(path + "/manifest.json"));
        QDir(path).removeRecursively();
    }
}

QTEST_GUILESS_MAIN(ManageKillTest)
#include "manage_kill_test.moc"
