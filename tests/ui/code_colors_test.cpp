#include "ui/viewmodel/code_colors.h"

#include <QQmlComponent>
#include <QQmlEngine>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <memory>

using namespace perilune::ui;

namespace {

/// A TextEdit and what colours it, as the window makes them.
struct Scene {
    QQmlEngine engine;
    std::unique_ptr<QObject> edit;
    CodeColors colors;

    Scene()
    {
        QQmlComponent component(&engine);
        component.setData("import QtQuick\nTextEdit { textFormat: TextEdit.PlainText }", {});
        edit.reset(component.create());
        colors.setPalette({Qt::red, Qt::green, Qt::blue, Qt::cyan, Qt::magenta, Qt::gray, Qt::yellow,
                           Qt::black, Qt::darkGreen, Qt::darkRed});
        colors.setDocument(edit->property("textDocument").value<QQuickTextDocument *>());
    }

    /// The colour of a letter of a line; invalid where it is plain.
    QColor at(int line, int column) const
    {
        const QTextBlock block = colors.document()->textDocument()->findBlockByNumber(line);
        for (const QTextLayout::FormatRange &range : block.layout()->formats()) {
            if (range.start <= column && column < range.start + range.length)
                return range.format.foreground().color();
        }
        return {};
    }
};

} // namespace

class CodeColorsTest : public QObject {
    Q_OBJECT

private slots:
    void coloursByTheLanguage();
    void growsWithTheAnswer();
    void unknownLanguageStaysPlain();
    void outlivesItsDocument();
};

void CodeColorsTest::coloursByTheLanguage()
{
    Scene scene;
    QVERIFY(scene.edit);
    scene.edit->setProperty("text", "return 1");
    scene.colors.setLanguage("py title=\"a.py\"");

    QTRY_COMPARE(scene.at(0, 0), QColor(Qt::red));
    QCOMPARE(scene.at(0, 7), QColor(Qt::cyan));
    QVERIFY(!scene.at(0, 6).isValid());

    scene.colors.setLanguage("text");
    QTRY_VERIFY(!scene.at(0, 0).isValid());
}

void CodeColorsTest::growsWithTheAnswer()
{
    Scene scene;
    scene.colors.setLanguage("cpp");
    scene.edit->setProperty("text", "/* a");
    QTRY_COMPARE(scene.at(0, 3), QColor(Qt::gray));
    scene.edit->setProperty("text", "/* a\nif");
    QTRY_COMPARE(scene.at(1, 0), QColor(Qt::gray));
    scene.edit->setProperty("text", "/* a */\nif");
    QTRY_COMPARE(scene.at(1, 0), QColor(Qt::red));
}

void CodeColorsTest::unknownLanguageStaysPlain()
{
    Scene scene;
    scene.colors.setLanguage("klingon");
    scene.edit->setProperty("text", "if \"a\"");
    QTest::qWait(20);
    QVERIFY(!scene.at(0, 0).isValid());
}

void CodeColorsTest::outlivesItsDocument()
{
    Scene scene;
    scene.colors.setLanguage("c");
    scene.edit.reset();
    scene.colors.setLanguage("go");
    QVERIFY(!scene.colors.document());
}

QTEST_MAIN(CodeColorsTest)
#include "code_colors_test.moc"
