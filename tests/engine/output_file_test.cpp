// Files that are put into their place whole.
#include "engine/base/output_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace perilune;

class OutputFileTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void theOldOneStaysUntilTheEnd();
    void linksStayLinks_data();
    void linksStayLinks();
    void linksThatLeadRoundAreRefused();
    void whatAKilledProgramLeftGoes();
    void manyWritersLeaveOneWholeFile();
    void pipesAreNotReplaced();

private:
    QString at(const char *name) const { return m_folder->filePath(name); }
    QStringList files() const
    {
        return QDir(m_folder->path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    }
    static QByteArray bytesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void OutputFileTest::theOldOneStaysUntilTheEnd()
{
    const std::string place = at("file").toStdString();
    QVERIFY(replaceFile(place, "old"));
    {
        Result<OutputFile> left = OutputFile::create(place);
        QVERIFY(left && left->write("new"));
        QCOMPARE(bytesOf(at("file")), QByteArray("old"));
    }
    QCOMPARE(files(), QStringList{"file"});
    QVERIFY(chmod(place.c_str(), 0600) == 0);
    Result<OutputFile> file = OutputFile::create(place);
    QVERIFY(file && file->write("new") && file->commit());
    QCOMPARE(bytesOf(at("file")), QByteArray("new"));
    struct stat about = {};
    QVERIFY(stat(place.c_str(), &about) == 0);
    QCOMPARE(about.st_mode & 0777U, 0600U); // no more people may read it than before
    QCOMPARE(files(), QStringList{"file"});
}

void OutputFileTest::linksStayLinks_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("there");
    QTest::newRow("relative") << "real" << true;
    QTest::newRow("relative, to nothing") << "real" << false;
    QTest::newRow("through a folder, to nothing") << "sub/../real" << false;
}

void OutputFileTest::linksStayLinks()
{
    QFETCH(QString, target);
    QFETCH(bool, there);
    QVERIFY(QDir(m_folder->path()).mkdir("sub"));
    if (there)
        QVERIFY(replaceFile(at("real").toStdString(), "old"));
    QCOMPARE(symlink(target.toUtf8().constData(), at("second").toUtf8().constData()), 0);
    QCOMPARE(symlink(at("second").toUtf8().constData(), at("first").toUtf8().constData()), 0);

    QVERIFY(replaceFile(at("first").toStdString(), "new"));

    QVERIFY(QFileInfo(at("first")).isSymLink() && QFileInfo(at("second")).isSymLink());
    QVERIFY(!QFileInfo(at("real")).isSymLink());
    QCOMPARE(bytesOf(at("real")), QByteArray("new"));
    QCOMPARE(files(), (QStringList{"first", "real", "second", "sub"}));
}

void OutputFileTest::linksThatLeadRoundAreRefused()
{
    QCOMPARE(symlink("b", at("a").toUtf8().constData()), 0);
    QCOMPARE(symlink("a", at("b").toUtf8().constData()), 0);

    const Status done = replaceFile(at("a").toStdString(), "new");

    QVERIFY(!done);
    QVERIFY2(done.error().message.starts_with("the file " + at("a").toStdString() + " can't be written: "),
             done.error().message.c_str());
}

void OutputFileTest::whatAKilledProgramLeftGoes()
{
    const std::string place = at("chat.pdf").toStdString();
    const pid_t child = fork();
    if (child == 0) {
        const Result<OutputFile> file = OutputFile::create(place);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(files().size(), 1); // and nothing under the name itself
    QVERIFY(!files().contains("chat.pdf"));
    // Neither the living one's nor a person's own file is taken for such a one.
    QVERIFY(replaceFile(at("chat.pdf.unfinished-notes").toStdString(), "mine"));
    Result<OutputFile> living = OutputFile::create(place);
    QVERIFY(living && living->write("whole"));

    QVERIFY(replaceFile(place, "another"));

    QCOMPARE(files().size(), 3); // the person's, the living one's, the file
    QVERIFY(living->commit());
    QCOMPARE(bytesOf(at("chat.pdf")), QByteArray("whole"));
    QCOMPARE(files(), (QStringList{"chat.pdf", "chat.pdf.unfinished-notes"}));
}

void OutputFileTest::manyWritersLeaveOneWholeFile()
{
    const std::string place = at("tools.json").toStdString();
    std::vector<std::thread> writers;
    for (char letter = 'a'; letter < 'i'; ++letter)
        writers.emplace_back([place, letter] {
            for (int i = 0; i < 20; ++i) {
                if (!replaceFile(place, std::string(10'000, letter)))
                    abort();
            }
        });
    for (std::thread &writer : writers)
        writer.join();

    const QByteArray bytes = bytesOf(at("tools.json"));
    QCOMPARE(bytes, QByteArray(10'000, bytes[0]));
    QCOMPARE(files(), QStringList{"tools.json"});
}

void OutputFileTest::pipesAreNotReplaced()
{
    QCOMPARE(mkfifo(at("pipe").toUtf8().constData(), 0600), 0);

    const Status done = replaceFile(at("pipe").toStdString(), "new"); // and it doesn't wait for a reader

    QVERIFY(!done);
    QCOMPARE(QString::fromStdString(done.error().message), at("pipe") + " is a pipe or a device, not a file");
    struct stat about = {};
    QVERIFY(lstat(at("pipe").toUtf8().constData(), &about) == 0 && S_ISFIFO(about.st_mode));
}

QTEST_GUILESS_MAIN(OutputFileTest)
#include "output_file_test.moc"
