// Formulas in documents: drawn, and found by their LaTeX.
#include "app/export/html.h"
#include "app/pdf/pdf.h"
#include "app/typeset/formula_drawer.h"
#include "tests/support/mixed_chat.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace perilune;

namespace {

StoredConversation answered(const std::string &text)
{
    StoredConversation conversation = test::mixedConversation(1);
    std::get<TextPart>(conversation.path.back().message.parts.back()).text = text;
    return conversation;
}

QString html(const StoredConversation &conversation, const FormulaOf &formulas)
{
    std::string document;
    const Status written = writeHtml(chosen(conversation, conversation.path, {}), {{}, formulas},
                                     {[&document](std::string_view piece) -> Status {
                                         document += piece;
                                         return Done{};
                                     }});
    return written ? QString::fromStdString(document) : QString();
}

QByteArray run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(120'000) ? process.readAllStandardOutput() : QByteArray();
}

QString squeezed(QString text)
{
    static const QRegularExpression blanks("\\s");
    return text.remove(blanks);
}

} // namespace

class FormulaExportTest : public QObject {
    Q_OBJECT

private slots:
    void marksAreTakenOff_data();
    void marksAreTakenOff();
    void htmlDrawsThem();
    void htmlHasNoMarkupOfTheirs();
    void whatCannotBeSetStaysAsItIs();
    void pdfDrawsThemAndFindsThem();
    void pdfFitsThemIntoLineAndPage();
    void stopEndsTheSetting();

private:
    QString pdf(const StoredConversation &conversation, const FormulaOf &formulas);

    QTemporaryDir m_folder;
    FormulaOf m_formulas = formulaDrawer();
};

QString FormulaExportTest::pdf(const StoredConversation &conversation, const FormulaOf &formulas)
{
    const QString place = m_folder.filePath(QString("%1.pdf").arg(QTest::currentTestFunction()));
    QFile file(place);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    const Result<PdfReport> report = writePdf(chosen(conversation, conversation.path, {}), {{}, formulas},
                                              {[&file](std::string_view bytes) -> Status {
                                                  file.write(bytes.data(), qint64(bytes.size()));
                                                  return Done{};
                                              }});
    return report ? place : QString();
}

void FormulaExportTest::marksAreTakenOff_data()
{
    QTest::addColumn<QByteArray>("marked");
    QTest::addColumn<QByteArray>("latex");
    QTest::addColumn<bool>("display");
    QTest::newRow("dollar") << QByteArray("$x^2$") << QByteArray("x^2") << false;
    QTest::newRow("dollars") << QByteArray("$$x$$") << QByteArray("x") << true;
    QTest::newRow("round") << QByteArray("\\(x\\)") << QByteArray("x") << false;
    QTest::newRow("square") << QByteArray("\\[x\\]") << QByteArray("x") << true;
    QTest::newRow("none") << QByteArray("x") << QByteArray("x") << false;
    QTest::newRow("one dollar") << QByteArray("$") << QByteArray("$") << false;
}

void FormulaExportTest::marksAreTakenOff()
{
    QFETCH(QByteArray, marked);
    const MarkedLatex found = withoutMarks(marked.toStdString());
    QTEST(QByteArray::fromStdString(found.latex), "latex");
    QTEST(found.display, "display");
}

void FormulaExportTest::htmlDrawsThem()
{
    const QString document =
        html(answered("Let $\\frac{a}{b} < 1$ be.\n\n$$\\color{red}\\sqrt{c}$$\n"), m_formulas);

    QCOMPARE(document.count("<svg "), 2);
    QVERIFY(document.contains("<span class=\"tex\">$\\frac{a}{b} &lt; 1$</span>"));
    QVERIFY(document.contains("<span class=\"math display\"><svg "));
    QVERIFY(document.contains("fill=\"currentColor\"") && document.contains("fill=\"#ff0000\""));
    static const QRegularExpression number("[0-9],[0-9]"); // a decimal comma would break the sizes
    for (const QRegularExpressionMatch &svg : QRegularExpression("<svg [^>]*>").globalMatch(document)) {
        QVERIFY2(!svg.captured().contains(number), qPrintable(svg.captured()));
        QVERIFY2(svg.captured().contains(QRegularExpression("style=\"width:[0-9.]+em;height:[0-9.]+em;")),
                 qPrintable(svg.captured()));
    }
}

void FormulaExportTest::htmlHasNoMarkupOfTheirs()
{
    const QString document =
        html(answered("$\\text{<script>alert(1)</script>}$ and $$\\href{javascript:alert(1)}{x} \"'>$$"),
             m_formulas);

    QVERIFY(!document.contains("<script") && !document.contains("href=\"javascript"));
    QVERIFY(document.contains("&lt;script&gt;"));
    QVERIFY(!document.contains("url(") && !document.contains("<image") && !document.contains("<use"));
}

void FormulaExportTest::whatCannotBeSetStaysAsItIs()
{
    const StoredConversation conversation = answered("See $\\unknown{x}$ here.\n\n$$\\frac{a}{$$\n");

    const QString document = html(conversation, m_formulas);
    const QString text = run("pdftotext", {pdf(conversation, m_formulas), "-"});

    QVERIFY(document.contains("<code>$\\unknown{x}$</code>"));
    QVERIFY(document.contains("<pre class=\"formula\">\\frac{a}{</pre>"));
    QVERIFY(!document.contains("<svg "));
    QVERIFY2(text.contains("$\\unknown{x}$") && text.contains("\\frac{a}{"), qPrintable(text));
}

void FormulaExportTest::pdfDrawsThemAndFindsThem()
{
    const QString words = "Words before $e^{i\\pi} + 1 = 0$, and after. ";
    const QString large = "\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi}";
    const QString long_ = "\\sum_{k=1}^{n} " + QString("\\frac{a_{k}}{b_{k}} + ").repeated(6) + "c";
    const QString place =
        pdf(answered((words + "\n\n$$" + large + "$$\n\n| A | B |\n|---|---|\n| $x_1$ | $x_2$ |\n\n$$" +
                      long_ + "$$\n")
                         .toStdString()),
            m_formulas);

    const QString text = squeezed(run("pdftotext", {place, "-"}));
    QVERIFY2(text.contains(squeezed(words)), qPrintable(text)); // in its place among the words
    QVERIFY2(text.contains(squeezed(large)), qPrintable(text));
    QVERIFY2(text.contains(squeezed(long_)), qPrintable(text));
    QVERIFY2(text.contains("$x_1$") && text.contains("$x_2$"), qPrintable(text));

    // There is ink where the formula is: more than without it.
    const auto inkOf = [this](const QString &file) {
        const QString picture = m_folder.filePath("page");
        (void)run("pdftoppm", {"-r", "72", "-gray", "-png", "-singlefile", file, picture});
        const QImage page(picture + ".png");
        qint64 ink = 0;
        for (int y = 80; y < page.height() - 60; ++y) {
            for (int x = 0; x < page.width(); ++x)
                ink += 255 - qGray(page.pixel(x, y));
        }
        return ink;
    };
    const qint64 with = inkOf(pdf(answered("$$" + large.toStdString() + "$$"), m_formulas));
    const auto invisible = [](const std::string &, bool) -> Result<DrawnFormula> {
        return DrawnFormula{10, 1, 1, {}};
    };
    const qint64 without = inkOf(pdf(answered("$$" + large.toStdString() + "$$"), invisible));
    QVERIFY2(with > without + 10'000, qPrintable(QString("%1 and %2").arg(with).arg(without)));
}

void FormulaExportTest::pdfFitsThemIntoLineAndPage()
{
    const QString wide = "x" + QString(" + \\frac{1}{y}").repeated(60);
    const QString high = "\\begin{matrix} " + QString("a \\\\ ").repeated(100) + "\\end{matrix}";
    const QString place = pdf(
        answered(QString("$$%1$$\n\n$%1$\n\n$$%2$$\n\n$%2$\n").arg(wide, high).toStdString()), m_formulas);

    for (const QByteArray &line : run("pdftotext", {"-bbox", place, "-"}).split('\n')) {
        static const QRegularExpression box("xMin=\"([-0-9.]+)\" .*xMax=\"([-0-9.]+)\"");
        const QRegularExpressionMatch found = box.match(QString::fromUtf8(line));
        if (found.hasMatch())
            QVERIFY2(found.captured(1).toDouble() >= 50 && found.captured(2).toDouble() <= 545,
                     line.constData());
    }
}

void FormulaExportTest::stopEndsTheSetting()
{
    std::stop_source stop;
    stop.request_stop();
    const FormulaOf stopped = formulaDrawer(stop.get_token());
    QVERIFY(!stopped("x", false));

    // What takes for ever is given up after a while, and the rest of the document goes on.
    QElapsedTimer timer;
    timer.start();
    const FormulaOf drawer = formulaDrawer();
    for (int i = 0; i < 1000; ++i)
        (void)drawer("\\def\\a#1{\\a{#1#1}}\\a{" + std::to_string(i) + "}" +
                         std::string(static_cast<std::size_t>(18'000), 'x'),
                     true);
    QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_MAIN(FormulaExportTest)
#include "formula_export_test.moc"
