// kill -9 at random moments of a chat: nothing that was sent is lost, at most the last second of an answer
// is. PERILUNE_KILLS=500 makes it more.
#include "app/store/conversation_store.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <random>

using namespace perilune;

namespace {

constexpr int kAtOnce = 10;          // victims that run beside each other, each in a folder of its own
constexpr qint64 kMostLostMs = 1500; // the second between two writes, and what a busy machine adds to it

qint64 steadyMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

struct Victim {
    QTemporaryDir folder;
    std::unique_ptr<QProcess> process;
    qint64 killAfterMs = 0;
    qint64 killedMs = 0;
};

std::string textOf(const Message &message)
{
    return message.parts.empty() ? std::string() : std::get<TextPart>(message.parts[0]).text;
}

/// The last number of "1 2 3 "; 0 for nothing.
int lastNumber(const std::string &text)
{
    return QString::fromStdString(text).simplified().section(' ', -1).toInt();
}

} // namespace

class KillTest : public QObject {
    Q_OBJECT

private slots:
    void nothingSentIsLost();

private:
    void examine(Victim &victim, qint64 &mostLostMs, int &cutOff);
};

void KillTest::nothingSentIsLost()
{
    const int kills =
        qEnvironmentVariableIsSet("PERILUNE_KILLS") ? qEnvironmentVariableIntValue("PERILUNE_KILLS") : 50;
    std::mt19937 random(7);
    std::uniform_int_distribution<int> moment(0, 2500);
    std::vector<Victim> victims(kAtOnce);
    qint64 mostLostMs = 0;
    int cutOff = 0;

    for (int round = 0; round < kills / kAtOnce; ++round) {
        for (Victim &victim : victims) {
            victim.killAfterMs = moment(random);
            victim.process = std::make_unique<QProcess>();
            victim.process->start(KILL_VICTIM, {victim.folder.path(), QString::number(round)});
        }
        for (Victim &victim : victims)
            QVERIFY(victim.process->waitForStarted());
        QElapsedTimer clock;
        clock.start();
        std::vector<Victim *> order;
        for (Victim &victim : victims)
            order.push_back(&victim);
        std::ranges::sort(order, {}, &Victim::killAfterMs);
        for (Victim *victim : order) {
            QTest::qSleep(int(std::max<qint64>(1, victim->killAfterMs - clock.elapsed())));
            victim->killedMs = steadyMs();
            victim->process->kill(); // SIGKILL
        }
        for (Victim &victim : victims) {
            QVERIFY(victim.process->waitForFinished());
            QCOMPARE(victim.process->exitStatus(), QProcess::CrashExit);
            examine(victim, mostLostMs, cutOff);
            if (QTest::currentTestFailed())
                return;
        }
    }
    qInfo("%d kills, %d of them in an answer; lost at most %lld ms of it", kills, cutOff, mostLostMs);
    QVERIFY(cutOff > 0);
}

void KillTest::examine(Victim &victim, qint64 &mostLostMs, int &cutOff)
{
    auto store = ConversationStore::open(victim.folder.path().toStdString());
    QVERIFY2(store, store ? "" : store.error().message.c_str());
    std::map<MessageId, StoredMessage> messages;
    std::multimap<std::string, MessageId> byText;
    const auto rows = (*store)->list();
    for (const ConversationRow &row : *rows) {
        const auto tree = (*store)->loadTree(row.id);
        for (const StoredMessage &message : *tree) {
            messages[message.id] = message;
            byText.emplace(textOf(message.message), message.id);
        }
    }

    const QStringList lines =
        QString::fromUtf8(victim.process->readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    qint64 firstLostMs = 0;
    for (const QString &line : lines) {
        QVERIFY2(!line.startsWith("failed"), qPrintable(line));
        if (line.startsWith("sent ")) {
            const std::string text = line.section(' ', 2).toStdString();
            QVERIFY2(byText.count(text) == 1, qPrintable("lost: " + line));
            continue;
        }
        const auto reply = messages.find(line.section(' ', 2, 2).toLongLong());
        QVERIFY2(reply != messages.end(), qPrintable("lost: " + line));
        QVERIFY(reply->second.state != MessageState::Streaming);
        if (lastNumber(textOf(reply->second.message)) < line.section(' ', 3).toInt() && firstLostMs == 0)
            firstLostMs = line.section(' ', 1, 1).toLongLong();
    }
    if (firstLostMs > 0)
        mostLostMs = std::max(mostLostMs, victim.killedMs - firstLostMs);
    QVERIFY2(mostLostMs <= kMostLostMs, qPrintable(QString("lost %1 ms of an answer").arg(mostLostMs)));

    // What is kept of an answer is its beginning, without gaps.
    for (const auto &[id, message] : messages) {
        if (message.message.role != Role::Assistant)
            continue;
        std::string expected;
        for (int i = 1; i <= lastNumber(textOf(message.message)); ++i)
            expected += std::to_string(i) + " ";
        QCOMPARE(textOf(message.message), expected);
        if (message.state == MessageState::Cancelled && id == messages.rbegin()->first)
            ++cutOff;
    }
    const auto report = (*store)->check();
    QVERIFY(report && report->findings.empty());
}

QTEST_GUILESS_MAIN(KillTest)
#include "kill_test.moc"
