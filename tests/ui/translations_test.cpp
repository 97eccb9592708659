// The window in other languages: each translation says what its source says, numbers and names included, and
// the window is shown in it, mirrored where it is written from right to left.
#include "tests/support/scripted_engine.h"
#include "ui/viewmodel/window_model.h"
#include "ui/window.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QQuickItem>
#include <QQuickWindow>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

#include <memory>

using namespace perilune;
using namespace perilune::test;
using namespace perilune::ui;

namespace {

struct Translated {
    QString context, source;
    QStringList texts;
    bool finished = true, counts = false;
};

QList<Translated> readTranslations(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&file);
    QList<Translated> all;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("message"))
            all +=
                Translated{context, {}, {}, true, xml.attributes().value("numerus") == QLatin1String("yes")};
        else if (xml.name() == QLatin1String("source"))
            all.last().source = xml.readElementText();
        else if (xml.name() == QLatin1String("numerusform"))
            all.last().texts += xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            all.last().finished = xml.attributes().value("type").isEmpty();
            if (!all.last().counts)
                all.last().texts += xml.readElementText();
        }
    }
    return xml.hasError() ? QList<Translated>() : all;
}

QStringList placeholders(const QString &text)
{
    QStringList found;
    static const QRegularExpression pattern(QStringLiteral("%(n|L?[0-9]+)"));
    for (auto match = pattern.globalMatch(text); match.hasNext();)
        found += match.next().captured();
    found.sort();
    return found;
}

QQuickItem *named(QQuickItem *item, const QString &name)
{
    if (item->property("text").toString() == name && item->isVisible())
        return item;
    for (QQuickItem *child : item->childItems()) {
        if (QQuickItem *found = named(child, name))
            return found;
    }
    return nullptr;
}

} // namespace

class TranslationsTest : public QObject {
    Q_OBJECT

private slots:
    void placeholdersStay_data();
    void placeholdersStay();
    void thePluralsAreThose();
    void theWindowIsMirrored();
};

void TranslationsTest::placeholdersStay_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(SOURCE_DIR "/ui/translations");
    for (const QString &name : folder.entryList({"*.ts"}))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TranslationsTest::placeholdersStay()
{
    QFETCH(const QString, path);
    const QList<Translated> all = readTranslations(path);
    QVERIFY(all.size() > 250);
    int finished = 0;
    for (const Translated &one : all) {
        if (!one.finished)
            continue;
        ++finished;
        QVERIFY2(!one.texts.isEmpty(), qPrintable(one.source));
        for (const QString &text : one.texts) {
            QVERIFY2(!text.trimmed().isEmpty(), qPrintable(one.source));
            QVERIFY2(placeholders(text) == placeholders(one.source), qPrintable(one.source + " : " + text));
        }
    }
    QVERIFY2(finished * 10 >= all.size() * 9, qPrintable(QString::number(finished)));
}

void TranslationsTest::thePluralsAreThose()
{
    QTranslator arabic, german;
    QVERIFY(arabic.load(":/perilune/translations/perilune_ar.qm"));
    QVERIFY(german.load(":/perilune/translations/perilune_de.qm"));
    const auto written = [](const QTranslator &in, int count) {
        return in.translate("Exporter", "The export was stopped; %n chats are written.", nullptr, count);
    };
    QVERIFY(!written(german, 1).isEmpty() && written(german, 1) != written(german, 2));
    QCOMPARE(written(german, 2), written(german, 0));
    QStringList forms;
    for (const int count : {0, 1, 2, 3, 11, 100})
        forms += written(arabic, count);
    QVERIFY(!forms.contains(QString()));
    QVERIFY(forms[1] != forms[2] && forms[2] != forms[3] && forms[3] != forms[4]);
}

void TranslationsTest::theWindowIsMirrored()
{
    installTranslation(QLocale(QLocale::Arabic));
    QCOMPARE(QGuiApplication::layoutDirection(), Qt::RightToLeft);
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto application = Application::open({.dataFolder = path,
                                                .settingsPath = path + "/settings.json",
                                                .post = guiPost(),
                                                .openEngine = scriptedOpener(std::make_shared<Script>()),
                                                .prepare = {},
                                                .visionConfigPath = {},
                                                .log = {}});
    const Window window(*application, WindowOptions{.theme = Settings::Theme::Light});
    QQuickWindow *view = window.quickWindow();
    QVERIFY(QTest::qWaitForWindowExposed(view));
    const QString question = QString::fromUtf8("ماذا تريد أن تعرف؟");
    const QQuickItem *heading = nullptr;
    QVERIFY(QTest::qWaitFor([&] { return (heading = named(view->contentItem(), question)) != nullptr; }));
    QCOMPARE(QCoreApplication::translate("perilune::ui::Chat", "The answer is complete."),
             QString::fromUtf8("اكتملت الإجابة."));
    // The list of chats is at the right, the chat at its left.
    const QQuickItem *sidebar = named(view->contentItem(), QString::fromUtf8("ستكون محادثاتك هنا."));
    QVERIFY(sidebar);
    QVERIFY(sidebar->mapToScene({}).x() > heading->mapToScene({}).x() + heading->width());
}

QTEST_MAIN(TranslationsTest)
#include "translations_test.moc"
