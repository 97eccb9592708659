// What the documents point at exists, and door plates stay short.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

const QDir root(SOURCE_DIR);

const int longestDoorPlate = 60; // lines

QStringList documents()
{
    QStringList found{"README.md"};
    for (const char *folder : {"app", "engine", "media", "packaging", "shaders", "tests", "ui"}) {
        QDirIterator it(root.filePath(folder), {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            found += root.relativeFilePath(it.next());
    }
    found.removeIf([](const QString &file) { return file.startsWith("tests/data/"); }); // goldens
    found.sort();
    return found;
}

QString contents(const QString &document)
{
    QFile file(root.filePath(document));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class ReadmeTest : public QObject {
    Q_OBJECT

private slots:
    void linksExist_data() { rows(); }
    void linksExist();
    void filesNamedInTheReadmeExist();
    void roomsHaveShortDoorPlates_data();
    void roomsHaveShortDoorPlates();

private:
    void rows();
};

void ReadmeTest::rows()
{
    QTest::addColumn<QString>("document");
    for (const QString &document : documents())
        QTest::newRow(qPrintable(document)) << document;
}

void ReadmeTest::linksExist()
{
    QFETCH(QString, document);
    const QDir folder = QFileInfo(root.filePath(document)).dir();
    static const QRegularExpression link(R"(\]\(([^)#\s]+)[^)]*\))");

    for (const QRegularExpressionMatch &match : link.globalMatch(contents(document))) {
        const QString target = match.captured(1);
        if (target.contains("://") || target.startsWith("mailto:"))
            continue;
        QVERIFY2(QFileInfo::exists(folder.filePath(target)), qPrintable(target));
    }
}

void ReadmeTest::filesNamedInTheReadmeExist()
{
    // `engine/gpu/device.h` in running text; names with a placeholder (<kernel>, NNNN, …) are patterns.
    static const QRegularExpression path(
        R"(`((?:app|engine|media|packaging|shaders|tests|ui|\.ci)/[\w./-]+)`)");
    int seen = 0;

    for (const QRegularExpressionMatch &match : path.globalMatch(contents("README.md"))) {
        const QString target = match.captured(1);
        if (target.contains("NNNN") || target.contains("NAME"))
            continue;
        ++seen;
        QVERIFY2(QFileInfo::exists(root.filePath(target)), qPrintable(target));
    }
    QVERIFY(seen > 10);
}

void ReadmeTest::roomsHaveShortDoorPlates_data()
{
    QTest::addColumn<QString>("room");
    for (const char *room : {"app", "engine", "media", "packaging", "shaders", "tests", "ui"})
        QTest::newRow(room) << room;
}

void ReadmeTest::roomsHaveShortDoorPlates()
{
    QFETCH(QString, room);
    const QString plate = contents(room + "/README.md");

    QVERIFY2(!plate.isEmpty(), "a room has a README.md that says what lives here");
    QVERIFY2(plate.count('\n') <= longestDoorPlate, "a door plate has at most 60 lines");
}

QTEST_GUILESS_MAIN(ReadmeTest)
#include "readme_test.moc"
