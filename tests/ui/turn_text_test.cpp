#include "ui/viewmodel/turn_text.h"

#include <QLocale>
#include <QTest>

using namespace perilune;
using namespace perilune::ui;
using namespace std::chrono_literals;
using Stage = TurnState::Stage;

class TurnTextTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void stagesAreNamed_data();
    void stagesAreNamed();
    void timeLeftComesFromWhatWasGained();
    void cachedPartIsNoMeasure();
};

void TurnTextTest::stagesAreNamed_data()
{
    QTest::addColumn<TurnState>("state");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("progress");
    QTest::newRow("loading") << TurnState{Stage::Loading, 1, 4, 0} << "Loading the model… 25 %" << 0.25;
    QTest::newRow("unknown total") << TurnState{Stage::Loading, 1, 0, 0} << "Loading the model…" << -1.0;
    QTest::newRow("looking") << TurnState{Stage::Vision, 64, 256, 0} << "Looking at the pictures… 25 %"
                             << 0.25;
    QTest::newRow("writing") << TurnState{Stage::Writing, 12, 0, 21.44} << "Writing · 21.4 tokens/s" << -1.0;
    QTest::newRow("stopping") << TurnState{Stage::Stopping, 0, 0, 0} << "Stopping…" << -1.0;
    QTest::newRow("finished") << TurnState{Stage::Finished, 0, 0, 0} << "" << -1.0;
}

void TurnTextTest::stagesAreNamed()
{
    QFETCH(TurnState, state);
    QFETCH(QString, text);
    QFETCH(double, progress);
    TurnText words;

    words.update(state, {});

    QCOMPARE(words.text(), text);
    QCOMPARE(words.progress(), progress);
}

void TurnTextTest::timeLeftComesFromWhatWasGained()
{
    TurnText words;
    const TurnText::Clock::time_point start{};

    words.update({Stage::Prefill, 0, 1000, 0}, start);
    words.update({Stage::Prefill, 100, 1000, 0}, start + 500ms);
    const QString early = words.text();
    words.update({Stage::Prefill, 250, 1000, 0}, start + 5s);
    const QString later = words.text();
    words.update({Stage::Prefill, 260, 1000, 0}, start + 100s);

    QCOMPARE(early, QString("Reading the prompt… 10 %"));
    QCOMPARE(later, QString("Reading the prompt… 25 % · 15 s left"));
    QCOMPARE(words.text(), QString("Reading the prompt… 26 % · 5 min left"));
}

void TurnTextTest::cachedPartIsNoMeasure()
{
    TurnText words;
    const TurnText::Clock::time_point start{};

    words.update({Stage::Prefill, 900, 1000, 0}, start); // 900 tokens were taken from the last turn
    words.update({Stage::Prefill, 950, 1000, 0}, start + 10s);

    QCOMPARE(words.text(), QString("Reading the prompt… 95 % · 10 s left"));
}

QTEST_GUILESS_MAIN(TurnTextTest)
#include "turn_text_test.moc"
