// kill -9 at random moments of editing, deleting, restoring, importing and backing up: nothing that was there
// is lost, and what is half done isn't there. PERILUNE_KILLS=500 makes it more.
#include "app/store/conversation_store.h"
#include "app/store/schema.h"
#include "app/store/statement.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <memory>
#include <random>

using namespace perilune;

namespace {

constexpr int kAtOnce = 8; // victims beside each other, each in a folder of its own

int killsWanted(int usual)
{
    return qEnvironmentVariableIsSet("PERILUNE_KILLS") ? qEnvironmentVariableIntValue("PERILUNE_KILLS")
                                                       : usual;
}

struct Victim {
    QTemporaryDir folder;
    std::unique_ptr<QProcess> process;
};

} // namespace

class ManageKillTest : public QObject {
    Q_OBJECT

private slots:
    void nothingKeptIsLost();
    void upgradesAreWholeOrNotBegun();

private:
    void examine(Victim &victim, int &lines);
    static QString missing(ConversationStore &store, const QString &line);

    std::map<QString, int> m_hit; ///< what was going on at how many kills
};

void ManageKillTest::nothingKeptIsLost()
{
    const int kills = killsWanted(32);
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
    for (const auto &[what, count] : m_hit)
        qInfo("  killed while %s: %d", qPrintable(what), count);
    QVERIFY(lines > 0);
}

QString ManageKillTest::missing(ConversationStore &store, const QString &line)
{
    const QString what = line.section(' ', 0, 0);
    if (what == "doing")
        return {};
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
    const QStringList said =
        QString::fromUtf8(victim.process->readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    if (!said.isEmpty() && said.last().startsWith("doing "))
        ++m_hit[said.last().section(' ', 1)];
    for (const QString &line : said) {
        const QString fault = missing(**store, line);
        QVERIFY2(fault.isEmpty(), qPrintable(line + ": " + fault));
        lines += line.startsWith("doing ") ? 0 : 1;
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

void ManageKillTest::upgradesAreWholeOrNotBegun()
{
    constexpr int messages = 4000;
    const int kills = killsWanted(24);
    const QTemporaryDir templates;
    const int newest = currentSchemaVersion();
    for (int version = 1; version < newest; ++version) {
        const QString place = templates.filePath(QString::number(version));
        Database old = *Database::open(place.toStdString());
        QVERIFY(migrate(old, migrations().first(std::size_t(version)), {}));
        QVERIFY(old.run("BEGIN; INSERT INTO conversation (title, system_prompt, created_ms, updated_ms)"
                        " VALUES ('old', '', 1, 1)"));
        for (int i = 1; i <= messages; ++i) {
            const std::string id = std::to_string(i);
            QVERIFY(old.run(
                "INSERT INTO message (id, conversation_id, parent_id, role, state, created_ms, finished_ms)"
                " VALUES (" +
                id + ", 1, nullif(" + std::to_string(i - 1) +
                ", 0), 'user', 'complete', 1, 1);"
                "INSERT INTO part (message_id, position, kind, text, call_id, call_name, media_name)"
                " VALUES (" +
                id + ", 0, 'text', 'message number " + id + "', '', '', '')"));
        }
        QVERIFY(old.run("UPDATE conversation SET tip_id = " + std::to_string(messages) + "; COMMIT"));
        QVERIFY(old.run("PRAGMA wal_checkpoint(TRUNCATE)"));
    }
    std::mt19937 random(3);
    int before = 0, within = 0, after = 0;
    for (int kill = 0; kill < kills; ++kill) {
        const int version = 1 + kill % (newest - 1);
        const QTemporaryDir folder;
        const QString file = folder.filePath("conversations.db");
        QVERIFY(QFile::copy(templates.filePath(QString::number(version)), file));
        QProcess victim;
        victim.start(MANAGE_VICTIM, {folder.path(), "open"});
        QVERIFY(victim.waitForStarted());
        // Until its end some tens of milliseconds pass; the moments lie all over them.
        QTest::qSleep(1 + static_cast<int>(random() % 60));
        victim.kill();
        QVERIFY(victim.waitForFinished());
        const bool copied = QFile::exists(folder.filePath(QString("conversations.v%1.db").arg(version)));
        const bool begun = copied || !QDir(folder.path()).entryList({"*.unfinished*"}, QDir::Files).isEmpty();
        if (victim.readAllStandardOutput().contains("opened"))
            ++after;
        else
            ++(begun ? within : before);

        const auto store = ConversationStore::open(folder.path().toStdString());
        QVERIFY2(store, store ? "" : store.error().message.c_str());
        QCOMPARE((*store)->load(1)->path.size(), std::size_t(messages));
        QCOMPARE(*(*store)->database().integer(
                     "SELECT count(*) FROM part WHERE text = 'message number ' || message_id"),
                 std::int64_t(messages));
        const auto report = (*store)->check();
        QVERIFY(report);
        QVERIFY2(report->findings.empty(), report->findings.empty() ? "" : report->findings[0].what.c_str());
        // The old file is there as it was, beside the new one.
        Database old =
            *Database::open(folder.filePath(QString("conversations.v%1.db").arg(version)).toStdString(),
                            Database::Mode::ReadOnly);
        QCOMPARE(*old.integer("PRAGMA user_version"), std::int64_t(version));
        QCOMPARE(*old.integer("SELECT count(*) FROM message"), std::int64_t(messages));
    }
    qInfo("%d kills: %d before the upgrade, %d within it, %d after it", kills, before, within, after);
}

QTEST_GUILESS_MAIN(ManageKillTest)
#include "manage_kill_test.moc"
