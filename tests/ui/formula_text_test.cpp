#include "ui/viewmodel/formula_images.h"
#include "ui/viewmodel/formula_text.h"

#include <QImage>
#include <QQmlComponent>
#include <QQmlContext>
#include <QQmlEngine>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

#include <memory>

using namespace perilune::ui;

class FormulaTextTest : public QObject {
    Q_OBJECT

private slots:
    void textWithoutFormulasStaysAsItIs();
    void sourceFirstThenTheImage();
    void whatCannotBeSetStaysSource();
    void imageSitsOnTheLine();
    void imageFollowsTheInk();
    void formulasAreHeldWhileTheyAreShown();
    void sourceIsText();
    void copiesHaveTheSource();

private:
    /// A FormulaText of `html` in an engine with the images.
    std::unique_ptr<FormulaText> make(const QString &html)
    {
        QQmlComponent component(&m_engine);
        component.setData("import QtQml\nimport Perilune\nFormulaText { }", QUrl());
        std::unique_ptr<FormulaText> text(qobject_cast<FormulaText *>(component.create()));
        if (text)
            text->setHtml(html);
        else
            qWarning() << component.errorString();
        return text;
    }
    QImage imageOf(const FormulaText &text)
    {
        const QString source = text.text().section("image://formula/", 1).section('"', 0, 0);
        return m_images->requestImage(source, nullptr, {});
    }

    QQmlEngine m_engine;
    FormulaImages *m_images = [this] {
        auto *images = new FormulaImages; // the engine owns it
        m_engine.addImageProvider(FormulaImages::providerName(), images);
        m_engine.addImportPath("qrc:/qt/qml");
        return images;
    }();
};

void FormulaTextTest::textWithoutFormulasStaysAsItIs()
{
    const auto text = make("<p>a <b>b</b></p>");
    QVERIFY(text);
    QCOMPARE(text->text(), QString("<p>a <b>b</b></p>"));
}

void FormulaTextTest::sourceFirstThenTheImage()
{
    const auto text = make("<p>so " + formulaTag("a < b", false) + " is</p>");
    QCOMPARE(text->text(), QString("<p>so <code>a &lt; b</code> is</p>"));
    QTRY_VERIFY(text->text().contains("<img src=\"image://formula/"));
    QVERIFY(text->text().startsWith("<p>so <img") && text->text().endsWith("/> is</p>"));
    // Known now: at once.
    QVERIFY(make(formulaTag("a < b", false))->text().contains("<img "));
}

void FormulaTextTest::whatCannotBeSetStaysSource()
{
    const auto text = make(formulaTag("\\nothing{x}", false) + formulaTag("y", false));
    QTRY_VERIFY(text->text().contains("<img "));
    QVERIFY(text->text().startsWith("<code>\\nothing{x}</code><img "));
}

void FormulaTextTest::imageSitsOnTheLine()
{
    perilune::Formula formula;
    formula.width = 2;
    for (const auto &[ascent, descent] :
         {std::pair(.7, 0.), std::pair(.7, .2), std::pair(.3, 1.5), std::pair(2., .1)}) {
        formula.ascent = ascent;
        formula.descent = descent;
        const auto box = FormulaImages::boxOf(formula, 20, 8);
        // Qt's rule for an image in the middle of its line.
        QCOMPARE(box.baseline, (box.size.height() + 4.) / 2);
        QVERIFY(box.baseline >= ascent * 20);
        QVERIFY(box.size.height() - box.baseline >= descent * 20);
        QVERIFY(box.size.width() >= 40);
    }
}

void FormulaTextTest::imageFollowsTheInk()
{
    const auto text = make(formulaTag("\\rule{1em}{1em}", false));
    text->setRatio(2);
    text->setColor(Qt::blue);
    QTRY_VERIFY(text->text().contains("<img "));
    const QImage image = imageOf(*text);
    const int width = text->text().section("width=\"", 1).section('"', 0, 0).toInt();
    QCOMPARE(image.width(), 2 * width);
    QCOMPARE(image.pixelColor(image.width() / 2, image.height() / 2), QColor(Qt::blue));
    text->setColor(Qt::red);
    const QImage other = imageOf(*text);
    QCOMPARE(other.pixelColor(other.width() / 2, other.height() / 2), QColor(Qt::red));
}

void FormulaTextTest::formulasAreHeldWhileTheyAreShown()
{
    const auto text = make(formulaTag("h_0", false));
    QTRY_VERIFY(text->text().contains("<img "));
    for (int i = 0; i < 50; ++i)
        m_images->shelf().find(QString("q_%1").arg(i), false);
    QTRY_VERIFY(m_images->shelf().find("q_49", false));
    QVERIFY(!imageOf(*text).isNull());
    QVERIFY(m_images->requestImage("999999/15/8/1/ff000000", nullptr, {}).isNull());
    QVERIFY(m_images->requestImage("nonsense", nullptr, {}).isNull());
}

void FormulaTextTest::sourceIsText()
{
    const QString hostile = "\"/><img src=\"file:///etc/passwd\"><b>&amp;";
    const auto text = make(formulaTag(hostile, false));
    QVERIFY2(!text->text().contains("<img src=\"file"), qPrintable(text->text()));
    QCOMPARE(text->text(), "<code>" + hostile.toHtmlEscaped() + "</code>");
}

void FormulaTextTest::copiesHaveTheSource()
{
    const auto text = make("<p>a " + formulaTag("x", false) + " b " + formulaTag("y", true) + "</p>");
    QTRY_COMPARE(text->text().count("<img "), 2);
    const QString object(QChar(QChar::ObjectReplacementCharacter));
    QCOMPARE(text->withSources("a " + object + " b " + object, ""), QString("a $x$ b $$y$$"));
    QCOMPARE(text->withSources(object, "a " + object + " b "), QString("$$y$$"));
    QCOMPARE(text->withSources(object, object + object), object); // not ours
}

QTEST_MAIN(FormulaTextTest)
#include "formula_text_test.moc"
