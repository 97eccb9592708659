#include "app/typeset/formula_setter.h"
#include "app/typeset/formula_shapes.h"

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QPainterPath>
#include <QRawFont>
#include <QTest>

#include <cmath>

using namespace perilune;

namespace {

// The browser rounds the advance of every letter and the ascent of every font to its pixels, a thousandth of
// an em each.
constexpr double kNear = .006;

QRectF rectOf(const QJsonObject &json)
{
    return {json["x"].toDouble(), json["y"].toDouble(), json["w"].toDouble(), json["h"].toDouble()};
}

bool near(double a, double b, double slack = kNear)
{
    return std::abs(a - b) <= slack;
}

bool near(const QRectF &a, const QRectF &b)
{
    const double slack = 2 * kNear + .001 * std::abs(b.left());
    return near(a.left(), b.left(), slack) && near(a.top(), b.top(), slack) &&
           near(a.width(), b.width(), slack) && near(a.height(), b.height(), slack);
}

template <typename Kind>
std::vector<Kind> marksOf(const Formula &formula)
{
    std::vector<Kind> found;
    for (const Formula::Mark &mark : formula.marks) {
        if (const auto *each = std::get_if<Kind>(&mark))
            found.push_back(*each);
    }
    return found;
}

QString say(const QRectF &rect)
{
    return QStringLiteral("(%1, %2) %3 x %4")
        .arg(rect.left())
        .arg(rect.top())
        .arg(rect.width())
        .arg(rect.height());
}

/// What differs from the browser's letters; empty if nothing.
QString compareTexts(const Formula &formula, const QJsonArray &expected)
{
    const auto glyphs = marksOf<Formula::Glyphs>(formula);
    if (static_cast<qsizetype>(glyphs.size()) != expected.size())
        return QStringLiteral("%1 texts, not %2").arg(glyphs.size()).arg(expected.size());
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        const Formula::Glyphs &mine = glyphs[i];
        const QJsonObject theirs = expected[static_cast<qsizetype>(i)].toObject();
        const double x = theirs["x"].toDouble(), y = theirs["y"].toDouble();
        const bool same = mine.text == theirs["t"].toString() && mine.family == theirs["font"].toString() &&
                          mine.bold == theirs["bold"].toBool() && mine.italic == theirs["italic"].toBool() &&
                          near(mine.size, theirs["size"].toDouble(), .001) &&
                          near(mine.at.x(), x, kNear + .001 * static_cast<double>(i)) && near(mine.at.y(), y);
        if (!same)
            return QStringLiteral("\"%1\" in %2 (bold %3, italic %4) of %5 at (%6, %7), expected \"%8\" in "
                                  "%9 of %10 at (%11, %12)")
                .arg(mine.text, mine.family)
                .arg(mine.bold)
                .arg(mine.italic)
                .arg(mine.size)
                .arg(mine.at.x())
                .arg(mine.at.y())
                .arg(theirs["t"].toString(), theirs["font"].toString())
                .arg(theirs["size"].toDouble())
                .arg(x)
                .arg(y);
    }
    return {};
}

/// The first of `expected` that is no rectangle of `mine`; empty if there is none.
QString compareRects(const std::vector<QRectF> &mine, const QJsonArray &expected, const char *what)
{
    for (const QJsonValue each : expected) {
        const QRectF rect = rectOf(each.toObject());
        if (std::any_of(mine.begin(), mine.end(), [&](const QRectF &own) { return near(own, rect); }))
            continue;
        QString all;
        for (const QRectF &own : mine)
            all += " " + say(own);
        return QStringLiteral("no %1 at %2 among%3").arg(QLatin1String(what), say(rect), all);
    }
    return {};
}

} // namespace

class FormulaLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void placesAreTheBrowsers_data();
    void placesAreTheBrowsers();
    void linesStandBelowEachOther();
    void numberStandsApart();
    void whatCannotBeSet_data();
    void whatCannotBeSet();
    void endlessWorkIsStopped();
    void nothingIsReachedFromAFormula();
    void paintsInTheInk();
    void lettersAreAsTheFontHasThem_data();
    void lettersAreAsTheFontHasThem();
    void shapesLookTheSame_data();
    void shapesLookTheSame();

private:
    FormulaSetter m_setter;
};

void FormulaLayoutTest::placesAreTheBrowsers_data()
{
    QTest::addColumn<QJsonObject>("expected");
    QFile file(QStringLiteral(TEST_DATA_DIR "/typeset/formulas.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray formulas = QJsonDocument::fromJson(file.readAll()).object()["formulas"].toArray();
    QVERIFY(formulas.size() > 100);
    for (const QJsonValue each : formulas) {
        const QJsonObject formula = each.toObject();
        const QString name =
            formula["latex"].toString() + (formula["display"].toBool() ? ", display" : ", inline");
        QTest::newRow(name.toUtf8().constData()) << formula;
    }
}

void FormulaLayoutTest::placesAreTheBrowsers()
{
    QFETCH(QJsonObject, expected);
    const auto style =
        expected["display"].toBool() ? FormulaSetter::Style::Display : FormulaSetter::Style::Inline;
    const Result<Formula> formula = m_setter.set(expected["latex"].toString(), style);
    QVERIFY2(formula, formula ? "" : formula.error().message.c_str());
    QCOMPARE(compareTexts(*formula, expected["texts"].toArray()), QString());
    std::vector<QRectF> bars, drawings;
    for (const Formula::Bar &bar : marksOf<Formula::Bar>(*formula))
        bars.push_back(bar.rect);
    for (const Formula::Shape &shape : marksOf<Formula::Shape>(*formula))
        drawings.push_back(shape.clip);
    QCOMPARE(compareRects(bars, expected["bars"].toArray(), "bar"), QString());
    QCOMPARE(compareRects(drawings, expected["drawings"].toArray(), "drawing"), QString());
    const double width = expected["width"].toDouble();
    QVERIFY2(near(formula->width, width, kNear + .002 * width), qPrintable(QString::number(formula->width)));
}

void FormulaLayoutTest::linesStandBelowEachOther()
{
    const Result<Formula> one = m_setter.set("a", FormulaSetter::Style::Display);
    const Result<Formula> two = m_setter.set("a \\\\ bc", FormulaSetter::Style::Display);
    QVERIFY(one && two);
    const auto glyphs = marksOf<Formula::Glyphs>(*two);
    QCOMPARE(glyphs.size(), 3u);
    QCOMPARE(glyphs[1].at.x(), 0.0);
    QVERIFY(glyphs[1].at.y() > one->ascent + .2);
    QVERIFY(two->descent >= glyphs[1].at.y());
}

void FormulaLayoutTest::numberStandsApart()
{
    const Result<Formula> formula = m_setter.set("x \\tag{7}", FormulaSetter::Style::Display);
    QVERIFY(formula);
    const auto glyphs = marksOf<Formula::Glyphs>(*formula);
    QCOMPARE(glyphs.size(), 4u); // x ( 7 )
    QVERIFY(glyphs[1].at.x() > glyphs[0].at.x() + 2);
}

void FormulaLayoutTest::whatCannotBeSet_data()
{
    QTest::addColumn<QString>("latex");
    QTest::newRow("unknown command") << "\\unknown{x}";
    QTest::newRow("missing brace") << "\\frac{a}{b";
    QTest::newRow("macro that calls itself") << "\\def\\a{\\a\\a}\\a";
    QTest::newRow("too long") << QString(20001, 'x');
    QTest::newRow("braces in braces") << QString(9000, '{') + "x" + QString(9000, '}');
    QTest::newRow("roots in roots") << QString("\\sqrt{").repeated(2500) + "x" + QString(2500, '}');
    QTest::newRow("too many boxes") << QString("\\frac{\\frac12}{\\frac34}").repeated(800);
    QTest::newRow("too high") << QString("\\rule{1em}{50em}\\\\").repeated(9);
    QTest::newRow("too wide") << QString("\\rule{50em}{1em}").repeated(9);
    QTest::newRow("lone surrogate") << QString(QChar(0xD800)) + "\\";
}

void FormulaLayoutTest::whatCannotBeSet()
{
    QFETCH(QString, latex);
    const Result<Formula> formula = m_setter.set(latex, FormulaSetter::Style::Inline);
    QVERIFY(!formula);
    QVERIFY2(formula.error().message.starts_with("the formula can't be set: "),
             formula.error().message.c_str());
    // The next one finds the engine as it was.
    QVERIFY(m_setter.set("\\frac{a}{b}", FormulaSetter::Style::Inline));
}

void FormulaLayoutTest::endlessWorkIsStopped()
{
    FormulaSetter hasty(std::chrono::milliseconds(1));
    const QString long_ = QString("\\frac{a}{b}").repeated(1500);
    QVERIFY(!hasty.set(long_, FormulaSetter::Style::Inline));
}

void FormulaLayoutTest::nothingIsReachedFromAFormula()
{
    for (const char *latex : {"\\href{javascript:alert(1)}{x}", "\\includegraphics{/etc/passwd}",
                              "\\htmlStyle{color:red}{x}", "\\url{http://a.example}"}) {
        const Result<Formula> formula = m_setter.set(latex, FormulaSetter::Style::Inline);
        if (!formula)
            continue;
        // What isn't trusted KaTeX shows as the command's name, in its colour for faults.
        QVERIFY2(marksOf<Formula::Glyphs>(*formula).front().text.startsWith('\\'), latex);
    }
    // A definition stays within its formula.
    QVERIFY(m_setter.set("\\gdef\\mine{x}\\mine", FormulaSetter::Style::Inline));
    QVERIFY(!m_setter.set("\\mine", FormulaSetter::Style::Inline));
}

void FormulaLayoutTest::paintsInTheInk()
{
    const Result<Formula> formula = m_setter.set("\\sqrt{\\frac{a}{b}}", FormulaSetter::Style::Display);
    QVERIFY(formula);
    QImage image(200, 200, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    formula->paint(painter, QPointF(20, 120), 40, Qt::red);
    painter.end();
    int red = 0;
    QRect reach;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixelColor(x, y).green() > 100)
                continue;
            QVERIFY(image.pixelColor(x, y).red() > 200);
            reach |= QRect(x, y, 1, 1);
            ++red;
        }
    }
    QVERIFY(red > 200);
    QVERIFY(QRectF(20 - 2, 120 - formula->ascent * 40 - 2, formula->width * 40 + 4,
                   (formula->ascent + formula->descent) * 40 + 4)
                .contains(reach));
}

void FormulaLayoutTest::lettersAreAsTheFontHasThem_data()
{
    QTest::addColumn<QString>("latex");
    QTest::addColumn<QString>("font");
    QTest::newRow("upright") << "\\mathrm{f}" << "KaTeX_Main-Regular.ttf";
    QTest::newRow("slanted") << "f" << "KaTeX_Math-Italic.ttf";
    QTest::newRow("bold") << "\\mathbf{f}" << "KaTeX_Main-Bold.ttf";
    QTest::newRow("bold and slanted") << "\\boldsymbol{f}" << "KaTeX_Math-BoldItalic.ttf";
    QTest::newRow("sans serif") << "\\mathsf{f}" << "KaTeX_SansSerif-Regular.ttf";
    QTest::newRow("script") << "\\mathscr{F}" << "KaTeX_Script-Regular.ttf";
}

/// Qt would slant and thicken a second time what doesn't say that it is slanted or bold.
void FormulaLayoutTest::lettersAreAsTheFontHasThem()
{
    QFETCH(QString, latex);
    QFETCH(QString, font);
    const Result<Formula> formula = m_setter.set(latex, FormulaSetter::Style::Inline);
    QVERIFY(formula);
    const int em = 200;
    QImage image(2 * em, 2 * em, QImage::Format_Grayscale8);
    image.fill(Qt::white);
    QPainter painter(&image);
    formula->paint(painter, QPointF(em / 2., em), em, Qt::black);
    painter.end();
    QRect ink;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixelColor(x, y).lightness() < 128)
                ink |= QRect(x, y, 1, 1);
        }
    }
    const QRawFont raw(":/perilune/typeset/fonts/" + font, em);
    QVERIFY(raw.isValid());
    const QString letter = marksOf<Formula::Glyphs>(*formula).front().text;
    const QRectF outline = raw.pathForGlyph(raw.glyphIndexesForString(letter).front()).boundingRect();
    const QRectF expected = outline.translated(em / 2., em);
    QVERIFY2(std::abs(ink.left() - expected.left()) < 2 && std::abs(ink.right() + 1 - expected.right()) < 2,
             qPrintable(say(ink) + ", the font has " + say(expected)));
}

void FormulaLayoutTest::shapesLookTheSame_data()
{
    QTest::addColumn<QString>("latex");
    QTest::newRow("letters") << "E = mc^2 + \\mathbf{v}";
    QTest::newRow("root") << "\\sqrt[3]{\\frac{a}{b}}";
    QTest::newRow("brace") << "\\overbrace{a+b+c+d+e}^n";
    QTest::newRow("arrow") << "\\xrightarrow{abc}";
    QTest::newRow("struck out") << "\\xcancel{abc}";
    QTest::newRow("colours") << "\\color{red}{a}\\colorbox{yellow}{b}";
    QTest::newRow("table") << "\\begin{array}{c|c} a & b \\\\ \\hline c & d \\end{array}";
    QTest::newRow("other scripts") << "\\text{\u03b1\u0416}";
}

void FormulaLayoutTest::shapesLookTheSame()
{
    QFETCH(QString, latex);
    const Result<Formula> formula = m_setter.set(latex, FormulaSetter::Style::Display);
    QVERIFY(formula);
    const int em = 60;
    QImage painted(600, 300, QImage::Format_RGB32), filled(600, 300, QImage::Format_RGB32);
    painted.fill(Qt::white);
    filled.fill(Qt::white);
    {
        QPainter painter(&painted);
        formula->paint(painter, QPointF(20, 150), em, Qt::black);
        QPainter other(&filled);
        other.setRenderHint(QPainter::Antialiasing);
        other.translate(20, 150);
        other.scale(em, em);
        for (const FormulaShape &shape : formulaShapes(*formula))
            other.fillPath(shape.path, shape.color.isValid() ? shape.color : QColor(Qt::black));
    }
    double different = 0, ink = 0;
    for (int y = 0; y < painted.height(); ++y) {
        for (int x = 0; x < painted.width(); ++x) {
            different += std::abs(qGray(painted.pixel(x, y)) - qGray(filled.pixel(x, y)));
            ink += 255 - qGray(painted.pixel(x, y));
        }
    }
    QVERIFY(ink > 0);
    QVERIFY2(different < .12 * ink, qPrintable(QString::number(different / ink)));
}

QTEST_MAIN(FormulaLayoutTest)
#include "formula_layout_test.moc"
