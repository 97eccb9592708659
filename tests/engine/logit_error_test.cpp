#include "engine/session/logit_error.h"

#include <cmath>
#include <QTest>
#include <vector>

using namespace perilune;

class LogitErrorTest : public QObject {
    Q_OBJECT

private slots:
    void equalLogitsHaveNoError();
    void numbersAreThoseOfTheDefinition();
    void largeLogitsDoNotOverflow();
    void whatIsNoNumberIsInfinitelyFar();
};

void LogitErrorTest::equalLogitsHaveNoError()
{
    const std::vector<float> logits{1, -2, 3.5f, 0};
    LogitError error;
    error.add(logits, logits);

    QCOMPARE(error.positions(), 1u);
    QCOMPARE(error.rms(), 0.0);
    QCOMPARE(error.largest(), 0.0);
    QCOMPARE(error.divergence(), 0.0);
    QCOMPARE(error.agreement(), 1.0);
}

// Two tokens: probabilities 3/4 and 1/4 against 1/2 and 1/2, so KL = 3/4 ln(3/2) + 1/4 ln(1/2).
void LogitErrorTest::numbersAreThoseOfTheDefinition()
{
    LogitError error;
    error.add(std::vector<float>{std::log(3.0f), 0}, std::vector<float>{7, 7});
    error.add(std::vector<float>{0, 2}, std::vector<float>{0, 2});

    const double divergence = 0.75 * std::log(1.5) + 0.25 * std::log(0.5);
    const double first = 7 - std::log(3.0), second = 7;
    QVERIFY(std::abs(error.divergence() - divergence / 2) < 1e-7);
    QVERIFY(std::abs(error.largestDivergence() - divergence) < 1e-7);
    QVERIFY(std::abs(error.rms() - std::sqrt((first * first + second * second) / 4)) < 1e-6);
    QVERIFY(std::abs(error.largest() - second) < 1e-6);
    QCOMPARE(error.agreement(), 1.0); // of equal ones the first counts

    error.add(std::vector<float>{0, 2}, std::vector<float>{3, 2});
    QCOMPARE(error.agreement(), 2.0 / 3);
}

void LogitErrorTest::largeLogitsDoNotOverflow()
{
    LogitError error;
    error.add(std::vector<float>{1e4f, -1e4f}, std::vector<float>{1e4f, -1e4f});

    QCOMPARE(error.divergence(), 0.0);
}

void LogitErrorTest::whatIsNoNumberIsInfinitelyFar()
{
    LogitError error;
    error.add(std::vector<float>{1, 2}, std::vector<float>{NAN, 2});

    QVERIFY(std::isinf(error.largest()));
}

QTEST_GUILESS_MAIN(LogitErrorTest)
#include "logit_error_test.moc"
