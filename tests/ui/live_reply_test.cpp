#include "ui/viewmodel/live_reply.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace perilune;
using namespace perilune::ui;
using namespace std::chrono_literals;

namespace {

const LiveReply::Clock::time_point kStart{};

StoredMessage stored(MessageState state, const std::string &note = {})
{
    StoredMessage message;
    message.id = 2;
    message.message.role = Role::Assistant;
    message.message.parts = {TextPart{"a"}};
    message.state = state;
    message.note = note;
    return message;
}

TranscriptRow question()
{
    return {.kind = RowKind::UserText, .text = "?", .message = 1, .startsMessage = true};
}

const std::string kAnswer =
    "# Title\n\nOne *two*.\n\n- a\n- b\n\n```py\nx = 1\n\ny = 2\n```\n\n| a |\n|---|\n| 1 |\n\nEnd.";

std::vector<TranscriptRow> rowsOf(const TranscriptModel &model)
{
    std::vector<TranscriptRow> rows;
    for (int row = 0; row < model.count(); ++row)
        rows.push_back(model.row(row));
    return rows;
}

} // namespace

class LiveReplyTest : public QObject {
    Q_OBJECT

private slots:
    void piecesMakeNoDifference_data();
    void piecesMakeNoDifference();
    void closedRowsAreNeverTouchedAgain();
    void thoughtsSayHowLongTheyTook();
    void thoughtsStayUnfolded();
    void answerComesBackWhereItWas();
    void endsSayWhy();
    void modelReplacesOnlyWhatDiffers();
};

void LiveReplyTest::piecesMakeNoDifference_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 2, 3, 7, 50, 1000})
        QTest::addRow("%d", size) << size;
}

void LiveReplyTest::piecesMakeNoDifference()
{
    QFETCH(int, size);
    TranscriptModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reset({question()});
    LiveReply reply(1, 2);
    reply.show(model);

    for (std::size_t at = 0; at < kAnswer.size(); at += static_cast<std::size_t>(size))
        reply.add({TextDelta{kAnswer.substr(at, static_cast<std::size_t>(size))}}, kStart);
    reply.finish(stored(MessageState::Complete), kStart);

    StoredMessage whole = stored(MessageState::Complete);
    whole.message.parts = {TextPart{kAnswer}};
    std::vector<TranscriptRow> expected = ui::rowsOf(whole);
    expected.insert(expected.begin(), question());
    QCOMPARE(model.count(), 8); // question, title, paragraph, list, code, table, paragraph, actions
    QVERIFY(rowsOf(model) == expected);
}

void LiveReplyTest::closedRowsAreNeverTouchedAgain()
{
    TranscriptModel model;
    LiveReply reply(1, 2);
    reply.show(model);
    reply.add({TextDelta{"first\n\nsecond\n\nthi"}}, kStart);
    const int before = model.count();
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);

    for (int word = 0; word < 100; ++word)
        reply.add({TextDelta{"rd "}}, kStart);

    QCOMPARE(before, 3);
    QCOMPARE(model.count(), 3);
    QCOMPARE(removed.count(), 0);
    QCOMPARE(changed.count(), 100);
    for (const QList<QVariant> &arguments : changed) {
        QCOMPARE(arguments[0].toModelIndex().row(), 2);
        QCOMPARE(arguments[1].toModelIndex().row(), 2);
    }
}

void LiveReplyTest::thoughtsSayHowLongTheyTook()
{
    TranscriptModel model;
    LiveReply reply(1, 2);
    reply.show(model);

    reply.add({ThinkingDelta{"hm"}}, kStart);
    const bool openWhileThinking = model.row(0).open;
    reply.add({ThinkingDelta{", so"}}, kStart + 2s);
    reply.add({TextDelta{"Yes."}}, kStart + 4s);

    QVERIFY(openWhileThinking);
    QCOMPARE(model.count(), 2);
    QCOMPARE(model.row(0).kind, RowKind::Thinking);
    QCOMPARE(model.row(0).text, QString("hm, so"));
    QCOMPARE(model.row(0).label, QString("Thought for 4 seconds"));
    QVERIFY(!model.row(0).open);
    QCOMPARE(model.row(1).text, QString("<p>Yes.</p>"));
}

void LiveReplyTest::thoughtsStayUnfolded()
{
    TranscriptModel model;
    LiveReply reply(1, 2);
    reply.show(model);
    reply.add({ThinkingDelta{"a"}}, kStart);

    model.setExpanded(0, true);
    reply.add({ThinkingDelta{"b"}}, kStart);
    reply.add({TextDelta{"c"}}, kStart);

    QVERIFY(model.row(0).expanded);
}

void LiveReplyTest::answerComesBackWhereItWas()
{
    TranscriptModel model;
    model.reset({question()});
    LiveReply reply(1, 2);
    reply.show(model);
    reply.add({TextDelta{"one\n\ntwo"}}, kStart);

    reply.hide();
    model.reset({});
    reply.add({TextDelta{" three\n\nfour"}}, kStart);
    QCOMPARE(model.count(), 0);
    model.reset({question()});
    reply.show(model);

    QCOMPARE(model.count(), 4);
    QCOMPARE(model.row(2).text, QString("<p>two three</p>"));
    QVERIFY(model.row(1).startsMessage);
    QVERIFY(!model.row(2).startsMessage);
}

void LiveReplyTest::endsSayWhy()
{
    TranscriptModel model;
    LiveReply failed(1, 2);
    failed.show(model);
    failed.add({TextDelta{"a"}}, kStart);
    failed.finish(stored(MessageState::Failed, "the device went away"), kStart);

    QCOMPARE(model.count(), 3);
    QCOMPARE(model.row(1).kind, RowKind::Failure);
    QCOMPARE(model.row(1).text, QString("The device went away"));
    QCOMPARE(model.row(2).kind, RowKind::Actions);
}

void LiveReplyTest::modelReplacesOnlyWhatDiffers()
{
    TranscriptModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const TranscriptRow paragraph{.text = "p"}, code{.kind = RowKind::Code, .text = "c"};
    model.reset({question(), paragraph, paragraph});
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);

    model.replaceFrom(1, {paragraph, code, paragraph}); // row 2 is another kind of delegate now

    QCOMPARE(changed.count(), 0);
    QCOMPARE(model.count(), 4);
    QCOMPARE(model.row(2).kind, RowKind::Code);
}

QTEST_GUILESS_MAIN(LiveReplyTest)
#include "live_reply_test.moc"
