// Keeps the map in README.md true: who may include whom, how long a file may be, and that every
// shader has its test.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

struct Room {
    const char *folder;
    QStringList mayInclude; // prefixes of root-relative includes
    bool qtAllowed;
};

// The longest folder that matches a file is its room. A room may always include itself.
const QList<Room> rooms = {
    {"shaders/",         {},                                                                                false},
    {"engine/base/",     {},                                                                                false},
    {"engine/api/",      {"engine/base/"},                                                                  false},
    {"engine/gpu/",      {"engine/base/"},                                                                  false},
    {"engine/kernels/",  {"engine/base/", "engine/gpu/", "shaders/"},                                       false},
    {"engine/weights/",  {"engine/base/", "engine/gpu/"},                                                   false},
    {"engine/text/",     {"engine/base/", "engine/api/"},                                                   false},
    {"engine/model/",
     {"engine/base/", "engine/api/", "engine/gpu/", "engine/kernels/", "engine/weights/"},
     false                                                                                                       },
    {"engine/session/",  {"engine/"},                                                                       false},
    {"media/",           {"engine/base/", "engine/api/vision_patches.h", "engine/api/media_choice.h"},      false},
    {"media/helper/",    {"engine/base/", "media/protocol.h"},                                              false},
    {"app/concurrency/", {"engine/base/"},                                                                  false},
    {"app/store/",       {"engine/base/", "engine/api/"},                                                   false},
    {"app/export/",
     {"engine/base/", "engine/api/", "app/store/stored_types.h", "app/highlight/", "app/markdown/"},
     false                                                                                                       },
    {"app/highlight/",   {"engine/base/"},                                                                  false},
    {"app/markdown/",    {"engine/base/"},                                                                  false},
    {"app/pdf/",
     {"engine/base/", "engine/api/", "app/store/stored_types.h", "app/export/", "app/highlight/",
      "app/markdown/"},
     false                                                                                                       },
    {"app/publish/",
     {"engine/base/", "engine/api/", "media/thumbnail.h", "app/store/", "app/export/", "app/pdf/"},
     false                                                                                                       },
    {"app/tools/",       {"engine/base/", "engine/api/", "engine/text/json_value.h", "engine/text/utf8.h"}, false},
    {"app/typeset/",     {"engine/base/", "app/export/drawn_formula.h"},                                    true },
    {"app/turn/",
     {"engine/base/", "engine/api/", "media/", "app/store/", "app/tools/", "app/concurrency/"},
     false                                                                                                       },
    {"app/cli/",         {"engine/", "media/", "app/"},                                                     false},
    {"app/",             {"app/", "engine/", "media/", "ui/window.h"},                                      true },
    {"ui/",              {"app/", "engine/base/", "engine/api/", "media/"},                                 true },
};

const int longestFile = 600;

const Room *roomOf(const QString &file)
{
    const Room *best = nullptr;
    for (const Room &room : rooms) {
        if (file.startsWith(room.folder) && (!best || qstrlen(room.folder) > qstrlen(best->folder)))
            best = &room;
    }
    return best;
}

QStringList sources(const QString &folder, const QStringList &patterns)
{
    QStringList found;
    const QDir root(SOURCE_DIR);
    QDirIterator it(root.filePath(folder), patterns, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext())
        found += root.relativeFilePath(it.next());
    found.sort();
    return found;
}

} // namespace

class ArchitectureTest : public QObject {
    Q_OBJECT

private slots:
    void includesFollowTheMap_data();
    void includesFollowTheMap();
    void filesStayReadable();
    void everyShaderHasItsTest();
};

void ArchitectureTest::includesFollowTheMap_data()
{
    QTest::addColumn<QString>("file");
    for (const char *top : {"app", "engine", "media", "shaders", "ui"}) {
        for (const QString &file : sources(top, {"*.h", "*.cpp"}))
            QTest::newRow(qPrintable(file)) << file;
    }
}

void ArchitectureTest::includesFollowTheMap()
{
    QFETCH(QString, file);
    const Room *room = roomOf(file);
    QVERIFY2(room, "this file is in no room of the map");

    QFile source(QDir(SOURCE_DIR).filePath(file));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(source.readAll());
    QVERIFY2(text.count('\n') <= longestFile, "split it: the limit is 600 lines");

    static const QRegularExpression include(R"(^\s*#include\s+([<"])([^>"]+))",
                                            QRegularExpression::MultilineOption);
    for (const QRegularExpressionMatch &match : include.globalMatch(text)) {
        const QString target = match.captured(2);
        if (match.captured(1) == "<") {
            QVERIFY2(room->qtAllowed || !target.startsWith('Q'), qPrintable("no Qt here: " + target));
            continue;
        }
        // A room's own folder, but not the rooms in it: those stand in the table where they are allowed.
        bool allowed = target.startsWith(room->folder) && roomOf(target) == room;
        for (const QString &prefix : room->mayInclude)
            allowed |= target.startsWith(prefix);
        QVERIFY2(allowed, qPrintable(QString("%1 may not include %2").arg(room->folder, target)));
    }
}

void ArchitectureTest::filesStayReadable()
{
    const struct {
        const char *folder;
        QStringList patterns;
        int lines;
    } limits[] = {
        {"tests",   {"*.h", "*.cpp"},     longestFile},
        {"ui",      {"*.qml"},            250        },
        {"shaders", {"*.comp", "*.glsl"}, 200        },
    };
    for (const auto &[folder, patterns, lines] : limits) {
        const QStringList files = sources(folder, patterns);
        QVERIFY(!files.isEmpty());
        for (const QString &name : files) {
            QFile file(QDir(SOURCE_DIR).filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto found = file.readAll().count('\n');
            QVERIFY2(found <= lines, qPrintable(QString("split %1: %2 lines").arg(name).arg(found)));
        }
    }
}

// A test names the kernels it covers, in quotes, and fails at its end where one of them never ran.
void ArchitectureTest::everyShaderHasItsTest()
{
    QString tests;
    for (const QString &test : sources("tests/shaders", {"*_test.cpp"})) {
        QFile file(QDir(SOURCE_DIR).filePath(test));
        QVERIFY(file.open(QIODevice::ReadOnly));
        tests += QString::fromUtf8(file.readAll());
    }
    for (const QString &shader : sources("shaders", {"*.comp"})) {
        const QString name = "\"" + QFileInfo(shader).baseName() + "\"";
        QVERIFY2(tests.contains(name), qPrintable("no test in tests/shaders names " + name));
    }
}

QTEST_GUILESS_MAIN(ArchitectureTest)
#include "architecture_test.moc"
