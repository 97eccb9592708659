// The scripts that people and continuous integration call: they parse, stop at the first failure, can be
// executed, and name no folder of one person's machine.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

namespace {

const QDir root(SOURCE_DIR);

/// Files below packaging/ and .ci/ that begin with a bash line, relative to the root.
QStringList scripts()
{
    QStringList found;
    for (const char *folder : {"packaging", ".ci"}) {
        QDirIterator it(root.filePath(folder), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (file.open(QIODevice::ReadOnly) && file.readLine().startsWith("#!/usr/bin/env bash"))
                found += root.relativeFilePath(file.fileName());
        }
    }
    found.sort();
    return found;
}

QByteArray contents(const QString &script)
{
    QFile file(root.filePath(script));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ScriptsTest : public QObject {
    Q_OBJECT

private slots:
    void everyCommandIsThere();
    void parses_data() { rows(); }
    void parses();
    void stopsAtTheFirstFailure_data() { rows(); }
    void stopsAtTheFirstFailure();
    void canBeExecuted_data() { rows(); }
    void canBeExecuted();
    void namesNoPersonalFolder_data() { rows(); }
    void namesNoPersonalFolder();
    void satisfiesShellcheck();
    void depsListsPackagesWithoutRights();
    void unknownArgumentsAreRefused();

private:
    void rows();
};

void ScriptsTest::rows()
{
    QTest::addColumn<QString>("script");
    for (const QString &script : scripts())
        QTest::newRow(qPrintable(script)) << script;
}

void ScriptsTest::everyCommandIsThere()
{
    for (const char *name : {"packaging/run", "packaging/test", "packaging/deps", "packaging/build",
                             "packaging/ci/tidy", ".ci/run"})
        QVERIFY2(scripts().contains(name), name);
}

void ScriptsTest::parses()
{
    QFETCH(QString, script);
    QProcess bash;
    bash.start("bash", {"-n", root.filePath(script)});

    QVERIFY(bash.waitForFinished());

    QVERIFY2(bash.exitCode() == 0, bash.readAllStandardError());
}

void ScriptsTest::stopsAtTheFirstFailure()
{
    QFETCH(QString, script);

    QVERIFY(contents(script).contains("\nset -euo pipefail\n"));
}

void ScriptsTest::canBeExecuted()
{
    QFETCH(QString, script);

    QVERIFY(QFile::permissions(root.filePath(script)).testFlag(QFile::ExeOwner));
}

void ScriptsTest::namesNoPersonalFolder()
{
    QFETCH(QString, script);
    static const QRegularExpression personal(R"((^|[\s"'=:])/(home|work|root|Users)/)");

    const QRegularExpressionMatch found = personal.match(contents(script));

    QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
}

void ScriptsTest::satisfiesShellcheck()
{
    if (QStandardPaths::findExecutable("shellcheck").isEmpty())
        QSKIP("shellcheck is not installed");
    QProcess shellcheck;
    shellcheck.setWorkingDirectory(root.path());
    shellcheck.start("shellcheck", scripts());

    QVERIFY(shellcheck.waitForFinished());

    QVERIFY2(shellcheck.exitCode() == 0, shellcheck.readAllStandardOutput());
}

void ScriptsTest::depsListsPackagesWithoutRights()
{
    QProcess deps;
    deps.setWorkingDirectory("/");
    deps.start(root.filePath("packaging/deps"), {"--list", "test"});

    QVERIFY(deps.waitForFinished());

    QCOMPARE(deps.exitCode(), 0);
    const QList<QByteArray> names = deps.readAllStandardOutput().trimmed().split('\n');
    QVERIFY(names.contains("vulkan-validationlayers"));
    QVERIFY(!names.contains("g++")); // of the set `run`, which was not asked for
}

void ScriptsTest::unknownArgumentsAreRefused()
{
    QProcess deps;
    deps.start(root.filePath("packaging/deps"), {"everything"});

    QVERIFY(deps.waitForFinished());

    QVERIFY(deps.exitCode() != 0);
    QVERIFY(deps.readAllStandardError().contains("unknown argument 'everything'"));
}

QTEST_GUILESS_MAIN(ScriptsTest)
#include "scripts_test.moc"
