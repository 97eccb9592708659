// A chat of thousands of messages: it opens at its end, reads where it is looked at, forgets what is far
// away, and doesn't move under who reads. What is counted is what was read, not how long it took.
#include "app/store/database.h"
#include "tests/ui/program.h"
#include "ui/viewmodel/found_text.h"
#include "ui/viewmodel/transcript_scroller.h"

#include <QGuiApplication>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

/// What is said differs in length, as people's words do.
std::string sayings(int at)
{
    std::string text;
    for (int line = 0; line <= at % 5; ++line)
        text += (line > 0 ? "\n\n" : "") + std::string("Line ") + std::to_string(line) + " of message " +
                std::to_string(at) + ".";
    return text;
}

/// A conversation of `count` messages.
ConversationId longChat(const QTemporaryDir &folder, int count)
{
    const auto store = std::move(*ConversationStore::open(folder.path().toStdString()));
    std::vector<StoredMessage> tree;
    for (int at = 0; at < count; ++at) {
        StoredMessage message;
        message.id = at + 1;
        message.parent = at;
        message.message.role = at % 2 ? Role::Assistant : Role::User;
        message.message.parts = {TextPart{sayings(at) + (at == count / 2 ? " A needle is here." : "")}};
        message.createdMs = message.finishedMs = nowMs();
        tree.push_back(std::move(message));
    }
    return *store->import("long", {}, tree, 0);
}

int unread(const Chat &chat)
{
    int count = 0;
    auto *transcript = const_cast<Chat &>(chat).transcript();
    for (int row = 0; row < transcript->count(); ++row)
        count += transcript->row(row).kind == RowKind::Unread ? 1 : 0;
    return count;
}

/// Rows of `part` that statements of the store have read since it was last asked.
struct PartsRead {
    static int trace(unsigned, void *self, void *statement, void *)
    {
        const char *sql = sqlite3_sql(static_cast<sqlite3_stmt *>(statement));
        if (sql && std::string_view(sql).find("JOIN part") != std::string_view::npos)
            ++static_cast<PartsRead *>(self)->rows;
        return 0;
    }
    explicit PartsRead(const Program &program)
    {
        (void)program.asked([this](ConversationStore &store) {
            return sqlite3_trace_v2(store.database().handle(), SQLITE_TRACE_ROW, &PartsRead::trace, this);
        });
    }
    int rows = 0; // the store's thread writes, and has answered before it is read
};

/// What marks words in an item or below it; null where nothing does.
const FoundText *marksIn(const QQuickItem &item)
{
    if (const auto *found = item.findChild<FoundText *>(QString(), Qt::FindDirectChildrenOnly))
        return found;
    for (const QQuickItem *child : item.childItems()) {
        if (const FoundText *found = marksIn(*child))
            return found;
    }
    return nullptr;
}

/// The window of a program, and its list of rows.
struct View {
    explicit View(const Program &program)
        : window(*program.window->quickWindow()),
          scroller(*window.findChild<TranscriptScroller *>()),
          list(*scroller.view())
    {
    }

    double y() const { return list.property("contentY").toDouble(); }
    /// As a wheel or the scroll bar does: the end isn't followed any more.
    void scrollTo(double y) const
    {
        list.setProperty("following", false);
        list.setProperty("contentY", y);
    }
    double top() const { return list.property("originY").toDouble(); }
    double bottom() const
    {
        return top() + std::max(0.0, list.property("contentHeight").toDouble() - list.height());
    }
    QQuickItem *itemAt(int row) const
    {
        QQuickItem *item = nullptr;
        QMetaObject::invokeMethod(&list, "itemAtIndex", Q_RETURN_ARG(QQuickItem *, item), Q_ARG(int, row));
        return item;
    }
    /// The rows that are in view, with where they are.
    QMap<int, double> inView(const TranscriptModel &model) const
    {
        QMap<int, double> found;
        for (int row = 0; row < model.count(); ++row) {
            const QQuickItem *item = itemAt(row);
            const double at = item ? item->mapToItem(&list, QPointF()).y() : -1e9;
            if (item && item->isVisible() && at + item->height() > 0 && at < list.height())
                found[row] = at;
        }
        return found;
    }
    /// All that is in view is read.
    bool filled(TranscriptModel &model) const
    {
        const QMap<int, double> rows = inView(model);
        return !rows.isEmpty() && std::all_of(rows.keyBegin(), rows.keyEnd(), [&model](int row) {
            return model.row(row).kind != RowKind::Unread;
        });
    }

    /// For the sentence of a failed check.
    QString described(const TranscriptModel &model) const
    {
        const QMap<int, double> rows = inView(model);
        QString text = QString("at %1 of %2 to %3:").arg(y()).arg(top()).arg(bottom());
        for (auto row = rows.begin(); row != rows.end(); ++row)
            text +=
                QString(" row %1 (kind %2) at %3").arg(row.key()).arg(model.row(row.key()).kind).arg(*row);
        return text;
    }

    QQuickWindow &window;
    TranscriptScroller &scroller;
    QQuickItem &list;
};

} // namespace

class LongChatTest : public QObject {
    Q_OBJECT

private slots:
    void openingCostsTheSameHoweverLongItIs();
    void openingAtAHitReadsAroundIt();
    void readingKeepsTheView();
    void memoryIsBounded();
    void bothEndsAreReached();
    void answerGoesOnWhileMoreIsRead();
    void whatIsReadCanBeChanged();
    void callsStayWithTheirResults();
    void hitIsMarked();
};

void LongChatTest::openingCostsTheSameHoweverLongItIs()
{
    std::vector<std::pair<std::size_t, int>> costs;
    for (const int count : {208, 4000}) {
        const QTemporaryDir folder;
        const ConversationId id = longChat(folder, count);
        const Program program(folder.path());
        QSignalSpy shown(program.chat, &Chat::shown);
        PartsRead parts(program);
        program.chat->open(id);
        QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatienceMs);

        (void)program.asked([](ConversationStore &store) {
            return sqlite3_trace_v2(store.database().handle(), 0, nullptr, nullptr);
        });
        costs.emplace_back(program.chat->readCount(), parts.rows);
        TranscriptModel *rows = program.chat->transcript();
        QTRY_COMPARE_WITH_TIMEOUT(unread(*program.chat), count - static_cast<int>(program.chat->readCount()),
                                  kPatienceMs);
        QVERIFY(rows->row(rows->count() - 1).kind == RowKind::Actions);
        QCOMPARE(program.chat->lastMessage(true), rows->row(rows->count() - 1).message);
        QCOMPARE(rows->row(0).kind, RowKind::Unread);
        QVERIFY(program.chat->wordsOf(program.chat->lastMessage(false))
                    .startsWith(QString("Line 0 of message %1.").arg(count - 2)));
    }
    QCOMPARE(costs[0], costs[1]);
    QVERIFY(costs[0].first >= 24 && costs[0].first <= 48);
    QVERIFY(costs[0].second > 0 && costs[0].second <= 48);
}

void LongChatTest::openingAtAHitReadsAroundIt()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 4000);
    const Program program(folder.path(), Program::Drawn::Yes);
    const View view(program);
    const auto hits = *program.asked([](ConversationStore &store) { return store.search("needle", 5); });
    QCOMPARE(hits.size(), std::size_t(1));
    QSignalSpy found(program.chat, &Chat::found);
    program.chat->openAt(id, hits[0].message, "needle");
    QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, kPatienceMs);
    QVERIFY(program.chat->readCount() <= 96);
    TranscriptModel &rows = *program.chat->transcript();
    QTRY_VERIFY_WITH_TIMEOUT(view.filled(rows), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(unread(*program.chat), 4000 - static_cast<int>(program.chat->readCount()),
                              kPatienceMs);
    const QMap<int, double> shown = view.inView(rows); // after all rows around it came
    QVERIFY2(std::any_of(shown.keyBegin(), shown.keyEnd(),
                         [&rows](int row) { return rows.row(row).text.contains("needle"); }),
             qPrintable(view.described(rows)));
}

void LongChatTest::readingKeepsTheView()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 1000);
    const Program program(folder.path(), Program::Drawn::Yes);
    const View view(program);
    TranscriptModel &rows = *program.chat->transcript();
    program.chat->open(id);
    QTRY_VERIFY_WITH_TIMEOUT(view.filled(rows) && view.y() > view.bottom() - 1, kPatienceMs);

    QTRY_COMPARE_WITH_TIMEOUT(unread(*program.chat), 1000 - static_cast<int>(program.chat->readCount()),
                              kPatienceMs);

    // Upwards, as a wheel goes: what is in view moves by what was scrolled, whatever is read above it.
    int steps = 0;
    for (; steps < 600 && program.chat->readCount() < 120; ++steps) {
        const QMap<int, double> before = view.inView(rows);
        const int fromEnd = rows.count() - before.lastKey(); // rows above may come in between
        const double at = before.last();
        view.scrollTo(view.y() - 60);
        QTest::qWait(30);
        QTRY_VERIFY_WITH_TIMEOUT(view.filled(rows), kPatienceMs);
        QQuickItem *item = view.itemAt(rows.count() - fromEnd);
        if (!item || at + 60 > view.list.height())
            continue; // it left the view below
        const double now = item->mapToItem(&view.list, QPointF()).y();
        QVERIFY2(std::abs(now - (at + 60)) < 1,
                 qPrintable(QString("step %1: %2 became %3").arg(steps).arg(at).arg(now)));
    }
    QVERIFY2(program.chat->readCount() >= 120, qPrintable(view.described(rows)));
    QVERIFY(steps > 20);
}

void LongChatTest::memoryIsBounded()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 3000);
    const Program program(folder.path(), Program::Drawn::Yes);
    const View view(program);
    TranscriptModel &rows = *program.chat->transcript();
    program.chat->open(id);
    QTRY_VERIFY_WITH_TIMEOUT(view.filled(rows), kPatienceMs);
    std::size_t most = 0;
    int places = 0;
    for (double share = 1; share > 0; share -= 0.02) { // far more than are kept
        view.scrollTo(view.top() + share * (view.bottom() - view.top()));
        QVERIFY2(QTest::qWaitFor([&] { return view.filled(rows); }, kPatienceMs),
                 qPrintable(view.described(rows)));
        most = std::max(most, program.chat->readCount());
        ++places;
    }
    QVERIFY(places > 40);
    QVERIFY2(most > 300 && most <= 560, qPrintable(QString::number(most)));
    QTRY_COMPARE_WITH_TIMEOUT(unread(*program.chat), 3000 - static_cast<int>(program.chat->readCount()),
                              kPatienceMs);
    // Row by row it is the conversation, in order.
    MessageId last = 0;
    for (int row = 0; row < rows.count(); ++row) {
        QVERIFY(rows.row(row).message >= last);
        last = rows.row(row).message;
    }
    QCOMPARE(last, program.chat->lastMessage(true));
}

void LongChatTest::bothEndsAreReached()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 2000);
    const Program program(folder.path(), Program::Drawn::Yes);
    const View view(program);
    TranscriptModel &rows = *program.chat->transcript();
    program.chat->open(id);
    QTRY_VERIFY_WITH_TIMEOUT(view.filled(rows), kPatienceMs);
    QVERIFY(view.scroller.handleKey(Qt::Key_Home));
    QTRY_VERIFY_WITH_TIMEOUT(view.inView(rows).contains(0) && view.filled(rows), kPatienceMs);
    QVERIFY(rows.row(0).text.contains("message 0."));
    QVERIFY(view.scroller.handleKey(Qt::Key_End));
    QTRY_VERIFY_WITH_TIMEOUT(view.inView(rows).contains(rows.count() - 1) && view.filled(rows), kPatienceMs);
}

void LongChatTest::answerGoesOnWhileMoreIsRead()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 600);
    const Program program(folder.path());
    QSignalSpy shown(program.chat, &Chat::shown);
    program.chat->open(id);
    QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatienceMs);
    program.ask("what is more", "alpha beta\n\ngamma delta\n\nepsilon", std::chrono::milliseconds(40));
    QTRY_VERIFY_WITH_TIMEOUT(program.texts().contains("alpha beta"), kPatienceMs);
    const std::size_t read = program.chat->readCount();
    for (const int row : {0, 100, 200, 300})
        program.chat->read(program.chat->transcript()->row(row).message);
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->readCount() >= read + 64, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QCOMPARE(program.texts().mid(program.texts().size() - 4),
             (QStringList{"what is more", "alpha beta", "gamma delta", "epsilon"}));
    QTRY_COMPARE_WITH_TIMEOUT(unread(*program.chat) + static_cast<int>(program.chat->readCount()), 602,
                              kPatienceMs);
}

void LongChatTest::whatIsReadCanBeChanged()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 600);
    const Program program(folder.path());
    QSignalSpy shown(program.chat, &Chat::shown);
    program.chat->open(id);
    QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatienceMs);
    const qint64 first = program.chat->transcript()->row(0).message;
    QCOMPARE(program.chat->wordsOf(first), QString()); // it isn't read
    program.chat->edit(first, "nothing happens");
    QVERIFY(!program.chat->busy());
    program.chat->read(first);
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->wordsOf(first), QString("Line 0 of message 0."), kPatienceMs);

    program.script->say("a new beginning");
    program.chat->edit(first, "otherwise");

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"otherwise", "a new beginning"}), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    program.chat->showBranch(program.message("otherwise"), -1);
    QTRY_COMPARE_WITH_TIMEOUT(unread(*program.chat) + static_cast<int>(program.chat->readCount()), 600,
                              kPatienceMs);
}

void LongChatTest::callsStayWithTheirResults()
{
    // Positions 14 to 20: an answer that calls, and its results, across where chunks would be cut.
    std::vector<MessageHead> path;
    for (int at = 0; at < 40; ++at) {
        const Role role = at >= 15 && at <= 20 ? Role::Tool : at % 2 ? Role::Assistant : Role::User;
        path.push_back({.id = at + 1, .parent = at, .role = role});
    }
    QCOMPARE(chunkAt(path, 0), (Chunk{0, 21}));
    QCOMPARE(chunkAt(path, 20), (Chunk{0, 21}));
    QCOMPARE(chunkAt(path, 21), (Chunk{21, 32}));
    QCOMPARE(chunkAt(path, 39), (Chunk{32, 40}));
    QCOMPARE(roleAfter(path, {0, 21}), Role::Assistant);
    QCOMPARE(roleAfter(path, {32, 40}), Role::User);
    QVERIFY(openedChunks({}, 0).empty());
    for (std::size_t at = 0; at < path.size(); ++at) {
        const Chunk chunk = chunkAt(path, at);
        QVERIFY(chunk.first <= at && at < chunk.second);
    }
}

void LongChatTest::hitIsMarked()
{
    const QTemporaryDir folder;
    const ConversationId id = longChat(folder, 400);
    const Program program(folder.path(), Program::Drawn::Yes);
    const View view(program);
    const auto hits = *program.asked([](ConversationStore &store) { return store.search("NEEDLE", 5); });
    QSignalSpy found(program.chat, &Chat::found);
    program.chat->openAt(id, hits[0].message, "NEEDLE");
    QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, kPatienceMs);
    const auto places = [&view] {
        const FoundText *marks = marksIn(view.list);
        return marks ? marks->places() : QList<QRectF>();
    };
    QTRY_COMPARE_WITH_TIMEOUT(places().size(), 1, kPatienceMs);
    QVERIFY(places()[0].width() > 20 && places()[0].width() < 120);
    TranscriptModel &rows = *program.chat->transcript();
    const auto marked = [&rows] {
        int count = 0;
        for (int row = 0; row < rows.count(); ++row)
            count += rows.index(row).data(TranscriptModel::FoundRole).toString().isEmpty() ? 0 : 1;
        return count;
    };
    QVERIFY(marked() > 0);
    QSignalSpy shown(program.chat, &Chat::shown);
    program.chat->open(id); // without a search nothing is marked
    QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatienceMs);
    QCOMPARE(marked(), 0);
}

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    const QGuiApplication application(count, arguments);
    LongChatTest test;
    return QTest::qExec(&test, count, arguments);
}

#include "long_chat_test.moc"
