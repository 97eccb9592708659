// Expected values: Python 3 (fractions.Fraction for exact ones, decimal with 34 digits and half-even
// rounding for the rest), evaluated on the same expressions with ** for ^.
#include "app/tools/expression.h"

#include <cstdint>
#include <numeric>
#include <QTest>
#include <string>

using namespace perilune;

class ExpressionTest : public QObject {
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void fractionsAreRoundedOnce();
    void faults_data();
    void faults();
    void limitsHoldQuickly();
};

void ExpressionTest::values_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("value");
    const char *const rows[][2] = {
        {"12 * 34",                                       "408"                                              },
        {"0.1 + 0.2",                                     "0.3"                                              },
        {"1/3*3",                                         "1"                                                },
        {"1/3",                                           "0.3333333333333333333333333333333333 (rounded)"   },
        {"2/3",                                           "0.6666666666666666666666666666666667 (rounded)"   },
        {"-2^2",                                          "-4"                                               },
        {"(-2)^2",                                        "4"                                                },
        {"2^3^2",                                         "512"                                              },
        {"2**-3",                                         "0.125"                                            },
        {"7 % 3",                                         "1"                                                },
        {"-7 % 3",                                        "2"                                                },
        {"7 % -3",                                        "-2"                                               },
        {"5.5 % 0.2",                                     "0.1"                                              },
        {"1e-3 + 1E3",                                    "1000.001"                                         },
        {".5 × 4 ÷ 8 − 1",                                "-0.75"                                            },
        {"2 - -3",                                        "5"                                                },
        {"--+-2",                                         "-2"                                               },
        {"100 - 10 - 1",                                  "89"                                               },
        {"100 / 10 / 4",                                  "2.5"                                              },
        {"999999999999999999999 * 999999999999999999999", "999999999999999999998000000000000000000001"       },
        {"2^64",                                          "18446744073709551616"                             },
        {"1/1024",                                        "0.0009765625"                                     },
        {"10000000000000000000000000000000001/3",         "3333333333333333333333333333333334 (rounded)"     },
        {"1/3 * 10^-20",                                  "3.333333333333333333333333333333333e-21 (rounded)"},
        {"2/3 * 10^50",                                   "6.666666666666666666666666666666667e49 (rounded)" },
        {"0^0",                                           "1"                                                },
        {"(-1)^100001",                                   "-1"                                               },
        {"0.0",                                           "0"                                                },
        {"((((1))))",                                     "1"                                                },
    };
    for (const auto &[expression, value] : rows)
        QTest::newRow(expression) << expression << value;
    // 9.99…9|6: rounding carries into a new digit.
    QTest::newRow("carry") << "1 - 1/(3*10^40)" << "1.000000000000000000000000000000000 (rounded)";
}

void ExpressionTest::values()
{
    QFETCH(const QString, expression);
    QFETCH(const QString, value);
    const Result<std::string> result = evaluateExpression(expression.toStdString());
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QCOMPARE(QString::fromStdString(*result), value);
}

/// a / b, which never ends, to 34 digits, by writing digit after digit as at school; half to even can't
/// occur.
static std::string longDivision(std::uint64_t a, std::uint64_t b)
{
    std::string digits = std::to_string(a / b);
    const bool whole = digits != "0";
    const std::size_t places = digits.size();
    std::uint64_t rest = a % b;
    std::size_t counted = whole ? digits.size() : 0;
    while (counted < 34) {
        rest *= 10;
        digits += static_cast<char>('0' + rest / b);
        rest %= b;
        if (counted > 0 || digits.back() != '0')
            ++counted;
    }
    if (2 * rest > b) { // round up, carrying
        std::size_t at = digits.size();
        while (digits[--at] == '9')
            digits[at] = '0';
        ++digits[at];
    }
    return digits.insert(places, ".") + " (rounded)";
}

void ExpressionTest::fractionsAreRoundedOnce()
{
    QCOMPARE(longDivision(7, 66), std::string("0.1060606060606060606060606060606061 (rounded)"));
    int compared = 0;
    for (std::uint64_t b = 3; b < 700; ++b) {
        for (const std::uint64_t a : {1ull, 2ull, 7ull, 61ull, 99ull, 100ull, 101ull, 12345ull, 99999ull}) {
            std::uint64_t rest = b / std::gcd(a, b);
            while (rest % 2 == 0)
                rest /= 2;
            while (rest % 5 == 0)
                rest /= 5;
            if (rest == 1)
                continue; // it ends
            const std::string text = std::to_string(a) + '/' + std::to_string(b);
            const Result<std::string> value = evaluateExpression(text);
            QVERIFY(value);
            QVERIFY2(*value == longDivision(a, b), (text + " is not " + *value).c_str());
            ++compared;
        }
    }
    QCOMPARE(compared, 5903);
}

void ExpressionTest::faults_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("sentence");
    const char *const rows[][2] = {
        {"",            "the expression ends where a number should come"  },
        {"1 +",         "the expression ends where a number should come"  },
        {"1 / (2 - 2)", "division by zero"                                },
        {"1 % 0",       "the remainder of a division by zero"             },
        {"0 ^ -1",      "division by zero: 0 to a negative power"         },
        {"2 ^ 0.5",     "the exponent of ^ must be a whole number"        },
        {"(1 + 2",      "the expression ends where \")\" should come"     },
        {"1 2",         "expected an operator, found \"2\" at character 3"},
        {"2 + é",       "expected a number, found \"é\" at character 5"   },
        {"1,234",
         "expected an operator, found \",\" at character 2; numbers are written without commas, with "
         "a point: 1234.5"                                                },
        {".",           "the expression ends where a digit should come"   },
        {"system('x')", "expected a number, found \"s\" at character 1"   },
    };
    for (const auto &[expression, sentence] : rows)
        QTest::newRow(expression) << expression << sentence;
}

void ExpressionTest::faults()
{
    QFETCH(const QString, expression);
    QFETCH(const QString, sentence);
    const Result<std::string> result = evaluateExpression(expression.toStdString());
    QVERIFY(!result);
    QCOMPARE(QString::fromStdString(result.error().message), sentence);
    using namespace std::string_literals;
    QVERIFY(!evaluateExpression("1\0+ 1"s)); // a model can write \u0000: it is no end
}

void ExpressionTest::limitsHoldQuickly()
{
    const QString deep(1000, '('), signs(1000, '-'), towers = QString("9^").repeated(300) + '9';
    const QString product = QString("123456789^99*").repeated(300) + '1';
    QElapsedTimer timer;
    timer.start();
    for (const QString &text : {deep, signs, towers, product, QString("9^99999999999"), QString("1e99999"),
                                QString("1e-99999"), QString(5000, '1'), QString("(1/3)^-99999")}) {
        const Result<std::string> result = evaluateExpression(text.toStdString());
        QVERIFY2(!result, qPrintable(text.left(20)));
        QVERIFY2(result.error().message.find("too ") != std::string::npos, result.error().message.c_str());
    }
    // Many large numbers that are allowed.
    QVERIFY(evaluateExpression((QString("7^9000/3^9000+").repeated(250) + '1').toStdString()));
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_GUILESS_MAIN(ExpressionTest)
#include "expression_test.moc"
