// Managing chats in the window: going on with a cut answer, chats that leave no trace, titles from the model,
// searching with filters, the order of pinned chats.
#include "tests/ui/program.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QLocale>
#include <QQuickItem>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;
using namespace std::chrono_literals;

namespace {

/// The files below `folder` whose bytes contain `words`.
QStringList filesWith(const QString &folder, const QByteArray &words)
{
    QStringList found;
    QDirIterator entry(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entry.hasNext()) {
        QFile file(entry.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(words))
            found += file.fileName();
    }
    return found;
}

} // namespace

class ManageTest : public QObject {
    Q_OBJECT

private slots:
    void cutAnswerGoesOnAsABranch();
    void answerAtItsLongestGoesOn();
    void unansweredQuestionIsAnswered();
    void temporaryChatLeavesNoTrace();
    void temporaryChatIsLeftAndComesBack();
    void temporaryChatCanBeKept();
    void modelGivesTitlesWhileIdle();
    void personsTitleStays();
    void sentenceIsNoTitle();
    void titlesNeverDelayATurn();
    void figuresOfAnAnswer();
    void searchIsNarrowed();
    void pinnedChatsAreSorted();
    void chatsAreDraggedWithTheMouse();
};

void ManageTest::cutAnswerGoesOnAsABranch()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    program.ask("count", "one two three four five six seven eight nine ten", 40ms);
    QTRY_VERIFY_WITH_TIMEOUT(program.message("two") != 0, kPatienceMs);
    program.chat->stop();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    const QString cut = program.texts().last();
    const TranscriptRow *notice = program.last(RowKind::Notice);
    QVERIFY(notice && notice->label == "Continue");

    program.script->say("and so on");
    program.chat->goOn(notice->message);

    QTRY_VERIFY_WITH_TIMEOUT(program.idle() && program.texts().size() == 2, kPatienceMs);
    const ChatRequest asked = program.script->requests().back();
    QVERIFY(asked.continues);
    QCOMPARE(copyText(asked.messages.back()), cut);
    const QString whole = program.texts().last();
    QVERIFY2(whole.startsWith(cut) && whole.endsWith("and so on"), qPrintable(whole));
    QCOMPARE(program.last(RowKind::Actions)->branches, 2);
    QCOMPARE(program.last(RowKind::Actions)->branch, 1);
    // What was there before is there still, word for word.
    program.chat->showBranch(program.last(RowKind::Actions)->message, -1);
    QTRY_COMPARE_WITH_TIMEOUT(program.texts().last(), cut, kPatienceMs);
}

void ManageTest::answerAtItsLongestGoesOn()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    ScriptedReply reply;
    reply.events = {ThinkingDelta{"hm"}, TextDelta{"as far as it"}};
    reply.finish = ReplySummary::Finish::Length;
    program.script->say(reply);
    program.model->composer()->setText("question");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.idle() && program.last(RowKind::Notice), kPatienceMs);
    QCOMPARE(program.last(RowKind::Notice)->label, QString("Continue"));

    program.script->say(" goes");
    program.chat->goOn(program.last(RowKind::Notice)->message);

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"question", "as far as it goes"}), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
    QVERIFY(!program.last(RowKind::Notice));
    QVERIFY(program.last(RowKind::Thinking));
    const auto stored = program.asked([](ConversationStore &store) { return store.load(1); });
    QCOMPARE(stored->path.back().message.parts.size(), std::size_t(2));
    QCOMPARE(stored->path.back().state, MessageState::Complete);
}

void ManageTest::unansweredQuestionIsAnswered()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    const auto id = program.asked([](ConversationStore &store) {
        Message question;
        question.parts = {TextPart{"left alone"}};
        return store.append(0, 0, question)->conversation;
    });
    program.chat->open(id);
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), QStringList{"left alone"}, kPatienceMs);

    program.script->say("not any more");
    program.chat->answer(program.message("left alone"));

    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"left alone", "not any more"}), kPatienceMs);
}

void ManageTest::temporaryChatLeavesNoTrace()
{
    const QTemporaryDir folder;
    const QByteArray secret = "xylophonezebra";
    QByteArray picture;
    {
        const Program program(folder.path());
        program.chat->openTemporary();
        QTRY_VERIFY_WITH_TIMEOUT(program.chat->temporary(), kPatienceMs);
        QVERIFY(program.chat->empty());
        program.chat->setTools(true);
        const QString sample = SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png";
        program.model->composer()->addFiles({QUrl::fromLocalFile(sample)});
        QTRY_VERIFY_WITH_TIMEOUT(!program.model->composer()->attachments()->reading(), kPatienceMs);
        QFile file(sample);
        QVERIFY(file.open(QIODevice::ReadOnly));
        picture = file.readAll().mid(100, 200);
        program.model->composer()->setText("typed " + secret);
        QTest::qWait(900); // longer than a draft waits to be saved
        QVERIFY(filesWith(folder.path(), secret).isEmpty());

        QVERIFY(program.converse("asked " + secret, "answered " + secret.toStdString()));
        program.ask("another " + secret, "slowly " + secret.toStdString() + " indeed it is", 300ms);
        QTRY_VERIFY_WITH_TIMEOUT(program.message("slowly"), kPatienceMs);
        QTest::qWait(1500); // longer than an answer waits to be saved
        QTRY_VERIFY_WITH_TIMEOUT(program.idle(), kPatienceMs);
        QCOMPARE(program.texts().size(), 4);
        program.model->composer()->setText("draft " + secret);
        program.model->composer()->flush();

        QVERIFY(program.titles().isEmpty());
        QVERIFY2(filesWith(folder.path(), secret).isEmpty(), "while the program runs");
        QVERIFY(filesWith(folder.path(), picture).isEmpty());
    }
    QVERIFY2(filesWith(folder.path(), secret).isEmpty(), "after the program's end");
    QVERIFY(filesWith(folder.path(), picture).isEmpty());
    QVERIFY(filesWith(folder.path(), QByteArray::number(qint64(1) << 40).left(6)).isEmpty()); // its number

    // The search above would find what is kept.
    const Program program(folder.path());
    QVERIFY(program.converse("asked " + secret, "answered"));
    QVERIFY(!filesWith(folder.path(), secret).isEmpty());
}

void ManageTest::temporaryChatIsLeftAndComesBack()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    program.chat->openTemporary();
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->temporary(), kPatienceMs);
    QVERIFY(program.converse("one", "two"));
    QTRY_COMPARE_WITH_TIMEOUT(program.chat->title(), QString("one"), kPatienceMs);
    const qint64 first = program.chat->conversation();
    QSignalSpy toasts(program.model, &WindowModel::toast);

    program.chat->openNew();
    QVERIFY(!program.chat->temporary());
    QCOMPARE(toasts.size(), 1);
    QCOMPARE(toasts.at(0).at(1).toBool(), true);
    program.model->undo();
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"one", "two"}), kPatienceMs);

    // The next one takes its place.
    program.chat->openNew();
    program.chat->openTemporary();
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->temporary() && program.chat->conversation() != first, kPatienceMs);
    std::optional<bool> there;
    program.application->temporaryStore().ask(
        [first](ConversationStore &store) { return store.load(first).has_value(); },
        [&there](bool found) { there = found; });
    QTRY_VERIFY_WITH_TIMEOUT(there.has_value(), kPatienceMs);
    QCOMPARE(*there, false);
}

void ManageTest::temporaryChatCanBeKept()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    program.chat->openTemporary();
    QTRY_VERIFY_WITH_TIMEOUT(program.chat->temporary(), kPatienceMs);
    QVERIFY(program.converse("one", "two"));
    program.model->composer()->setText("being written");

    program.chat->keepTemporary();

    QTRY_VERIFY_WITH_TIMEOUT(!program.chat->temporary() && program.chat->conversation() != 0, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.texts(), (QStringList{"one", "two"}), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.model->composer()->text(), QString("being written"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"one"}, kPatienceMs);
    QVERIFY(program.converse("being continued", "too"));
}

void ManageTest::modelGivesTitlesWhileIdle()
{
    const QTemporaryDir folder;
    const Program program(folder.path(), Program::Drawn::No, 50ms);
    program.script->say("About 384,400 km.");
    program.script->say("\"Distance to the Moon\"\n");
    program.model->composer()->setText("How far is it to the Moon, roughly?");
    program.chat->send();

    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"Distance to the Moon"}, kPatienceMs);
    QCOMPARE(program.chat->title(), QString("Distance to the Moon"));
    const std::vector<ChatRequest> requests = program.script->requests();
    QCOMPARE(requests.size(), std::size_t(2));
    QCOMPARE(requests[1].messages.size(), std::size_t(3)); // question, answer, and the request for a title
    QVERIFY(!requests[1].thinking);

    // It has its title now: nobody asks again.
    QVERIFY(program.converse("And to Mars?", "It varies."));
    QTest::qWait(400);
    QCOMPARE(program.script->requests().size(), std::size_t(3));
}

void ManageTest::personsTitleStays()
{
    const QTemporaryDir folder;
    const Program program(folder.path(), Program::Drawn::No, 300ms);
    program.script->say("answer");
    program.script->say("The model's title", 60ms);
    program.model->composer()->setText("question");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.script->requests().size() == 2, kPatienceMs); // it is being thought of

    program.list->rename(program.chat->conversation(), "Mine");

    QTest::qWait(800);
    QCOMPARE(program.titles(), QStringList{"Mine"});
    QCOMPARE(program.chat->title(), QString("Mine"));
}

void ManageTest::sentenceIsNoTitle()
{
    const QTemporaryDir folder;
    const Program program(folder.path(), Program::Drawn::No, 50ms);
    program.script->say("answer");
    program.script->say("I can describe pictures and short clips.");
    program.model->composer()->setText("question");
    program.chat->send();

    QTRY_VERIFY_WITH_TIMEOUT(program.script->requests().size() == 2, kPatienceMs);
    QTest::qWait(400);
    QCOMPARE(program.titles(), QStringList{"question"});
}

void ManageTest::titlesNeverDelayATurn()
{
    const QTemporaryDir folder;
    const Program program(folder.path(), Program::Drawn::No, 50ms);
    ScriptedReply slow;
    slow.pause = 200ms;
    for (int word = 0; word < 300; ++word) // a minute
        slow.events.emplace_back(TextDelta{"word "});
    program.script->say("answer");
    program.script->say(slow);
    program.model->composer()->setText("question");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.script->requests().size() == 2, kPatienceMs);

    QElapsedTimer timer;
    timer.start();
    program.script->say("the next answer");
    program.script->say("A title");
    program.model->composer()->setText("the next question");
    program.chat->send();
    QTRY_VERIFY_WITH_TIMEOUT(program.message("the next answer"), kPatienceMs);

    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
    // And then it is made all the same.
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), QStringList{"A title"}, kPatienceMs);
}

void ManageTest::figuresOfAnAnswer()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    QVERIFY(program.converse("question", "an answer of five words"));

    const QStringList lines = program.last(RowKind::Actions)->text.split('\n');
    const auto has = [&lines](const QString &start) {
        return std::ranges::any_of(lines, [&](const QString &line) { return line.startsWith(start); });
    };
    for (const char *start : {"Model: ", "Device: ", "Tokens read: ", "Of them reused: ", "Tokens written: ",
                              "First token after: ", "Seed: ", "End: by the model", "Written: "})
        QVERIFY2(has(start), qPrintable(lines.join('\n')));
}

void ManageTest::searchIsNarrowed()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    QVERIFY(program.converse("the needle of mine", "a needle of the model's"));
    const qint64 first = program.chat->conversation();
    program.chat->openNew();
    QVERIFY(program.converse("a needle from long ago", "nothing"));
    const qint64 old = program.chat->conversation();
    (void)program.asked([old](ConversationStore &store) {
        const std::string days = std::to_string(nowMs() - 20LL * 24 * 60 * 60 * 1000);
        return store.database()
            .run("UPDATE message SET created_ms = " + days +
                 " WHERE conversation_id = " + std::to_string(old))
            .has_value();
    });
    program.list->setTags(first, "sewing");
    QTRY_COMPARE_WITH_TIMEOUT(program.list->tags(), QStringList{"sewing"}, kPatienceMs);
    const auto found = [&program] { // messages; titles are hits of their own
        int messages = 0;
        for (int row = 0; row < program.list->count(); ++row)
            messages += program.list->index(row).data(ConversationListModel::MessageRole).toLongLong() != 0;
        return messages;
    };

    program.list->setFilter("needle");
    QTRY_COMPARE_WITH_TIMEOUT(found(), 3, kPatienceMs);
    program.list->setRoleFilter("assistant");
    QTRY_COMPARE_WITH_TIMEOUT(found(), 1, kPatienceMs);
    program.list->setRoleFilter("user");
    QTRY_COMPARE_WITH_TIMEOUT(found(), 2, kPatienceMs);
    program.list->setDaysFilter(7);
    QTRY_COMPARE_WITH_TIMEOUT(found(), 1, kPatienceMs);
    program.list->setDaysFilter(31);
    QTRY_COMPARE_WITH_TIMEOUT(found(), 2, kPatienceMs);
    program.list->setTagFilter("sewing");
    QTRY_COMPARE_WITH_TIMEOUT(found(), 1, kPatienceMs);
    program.list->setRoleFilter("");
    program.list->setDaysFilter(0);
    QTRY_COMPARE_WITH_TIMEOUT(found(), 2, kPatienceMs);
    program.list->moveTo(old, "Attic");
    QTRY_COMPARE_WITH_TIMEOUT(program.list->folders(), QStringList{"Attic"}, kPatienceMs);
    program.list->setTagFilter("");
    program.list->setPlace(program.list->places().at(1).toMap().value("key").toString());
    QTRY_COMPARE_WITH_TIMEOUT(found(), 1, kPatienceMs);
}

void ManageTest::pinnedChatsAreSorted()
{
    const QTemporaryDir folder;
    const Program program(folder.path());
    (void)program.asked([](ConversationStore &store) {
        for (const char *title : {"a", "b", "c", "d"})
            (void)store.create(title);
        return true;
    });
    program.list->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"d", "c", "b", "a"}), kPatienceMs);

    program.list->setPinned(program.idAt(3), true);
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"a", "d", "c", "b"}), kPatienceMs);
    program.list->dropOn(2, 0); // c before a: that pins it
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"c", "a", "d", "b"}), kPatienceMs);
    program.list->dropOn(0, 1); // c to the end of the pinned
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"a", "c", "d", "b"}), kPatienceMs);
    program.list->dropOn(0, -1); // a below them: not pinned any more
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"c", "d", "b", "a"}), kPatienceMs);
    program.list->dropOn(3, 2); // the others have the order of their last change
    QTest::qWait(100);
    QCOMPARE(program.titles(), (QStringList{"c", "d", "b", "a"}));
}

void ManageTest::chatsAreDraggedWithTheMouse()
{
    const QTemporaryDir folder;
    const Program program(folder.path(), Program::Drawn::Yes);
    (void)program.asked([](ConversationStore &store) {
        for (const char *title : {"a", "b", "c", "d"}) {
            const auto id = store.create(title);
            if (*title < 'c')
                (void)store.placePinned(*id, 0);
        }
        return true;
    });
    program.list->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"a", "b", "d", "c"}), kPatienceMs);
    QQuickWindow *view = program.window->quickWindow();
    view->resize(1100, 760);
    QVERIFY(QTest::qWaitForWindowExposed(view));
    const auto rowOf = [view](const QString &title) -> QQuickItem * {
        QList<QQuickItem *> waiting{view->contentItem()};
        while (!waiting.isEmpty()) {
            QQuickItem *item = waiting.takeFirst();
            if (item->isVisible() && item->property("sortedBy").isValid() && item->property("title") == title)
                return item;
            waiting += item->childItems();
        }
        return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(rowOf("a") && rowOf("d"), kPatienceMs);
    const auto middle = [](const QQuickItem *row) {
        return row->mapToScene({80, row->height() / 2}).toPoint();
    };
    const auto drag = [&](const QString &title, const QString &onto) {
        const QPoint from = middle(rowOf(title)), to = middle(rowOf(onto));
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 12; ++step)
            QTest::mouseMove(view, from + (to - from) * step / 12, 15);
        QTest::mouseRelease(view, Qt::LeftButton, {}, to);
    };

    drag("b", "a");
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"b", "a", "d", "c"}), kPatienceMs);
    drag("c", "a");
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"b", "c", "a", "d"}), kPatienceMs);
    drag("b", "d");
    QTRY_COMPARE_WITH_TIMEOUT(program.titles(), (QStringList{"c", "a", "d", "b"}), kPatienceMs);
    QVERIFY(program.chat->conversation() == 0); // none of it opened a chat
}

int main(int count, char **arguments)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    QLocale::setDefault(QLocale::c());
    const QGuiApplication gui(count, arguments);
    ManageTest test;
    return QTest::qExec(&test, count, arguments);
}

#include "manage_test.moc"
