#include <csignal>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

/// The program as a script sees it: exit statuses, what is printed where, and signals. Needs no device.
class CommandsTest : public QObject {
    Q_OBJECT

private slots:
    void storedWordsDoNothingToTheTerminal();
    void interruptEndsTheWaitForInput_data();
    void interruptEndsTheWaitForInput();
    void linesOfEveryKindAreAnswered();
    void toolsAreNotRunInAFilesConversation();
    void lostOutputIsAFailure();
    void exportIntoADeviceLeavesIt();
    void errorsAreOneLine();
    void wrongUsageIsStatusTwo_data();
    void wrongUsageIsStatusTwo();
    void aPipeInPlaceOfAFileIsSaid();
    void helpSaysWhatIsRefused();
    void budgetBelowNothingIsWrongUsage();
    void whatCanNotBeQuantizedIsWrongUsage();
    void whatMayNotBeWrittenIsRead();
    void searchForTooMuchIsBadInput();
    void unknownTemplatesArePointedOut();
    void mediaOptionsAreSaidInWords_data();
    void mediaOptionsAreSaidInWords();
    void pipesAreNotWaitedFor();
    void partsThatNobodyReadsAreNamed();
    void aFolderIsNoInput();
    void aSignalEndsWorkOnText();
    void picturesAreLocalFiles();
};

namespace {

constexpr int kPatience = 60'000; // ms, on a busy machine

struct Ran {
    int status = -1;
    QByteArray out, error;
};

Ran run(const QStringList &arguments, const QByteArray &input = {}, const QString &outFile = {})
{
    QProcess process;
    if (!outFile.isEmpty())
        process.setStandardOutputFile(outFile);
    process.start(PERILUNE_CLI, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(kPatience) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// Whether the program has got so far as to take signals for requests.
bool takesSignals(qint64 process)
{
    QFile status(QString("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("SigBlk:"))
            return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (SIGTERM - 1)) & 1;
    }
    return false;
}

} // namespace

void CommandsTest::interruptEndsTheWaitForInput_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("signal");
    QTest::newRow("tokenize") << QStringList{"tokenize"} << QByteArray("begun, ") << SIGINT;
    QTest::newRow("detokenize") << QStringList{"detokenize"} << QByteArray() << SIGTERM;
    QTest::newRow("render") << QStringList{"render", "-"} << QByteArray() << SIGINT;
    QTest::newRow("lines") << QStringList{"tokenize", "--lines"} << QByteArray("{\"text\":\"a\"}\n{")
                           << SIGTERM;
}

void CommandsTest::interruptEndsTheWaitForInput()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, input);
    QFETCH(const int, signal);
    QProcess process;
    process.start(PERILUNE_CLI, arguments);
    QVERIFY(process.waitForStarted(kPatience));
    process.write(input);
    QTRY_VERIFY_WITH_TIMEOUT(takesSignals(process.processId()), kPatience);
    if (input.endsWith('{'))
        QTRY_VERIFY_WITH_TIMEOUT(process.bytesAvailable() > 0, kPatience);

    QCOMPARE(::kill(pid_t(process.processId()), signal), 0);

    QVERIFY(process.waitForFinished(kPatience)); // its input is still open
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
}

void CommandsTest::linesOfEveryKindAreAnswered()
{
    const QByteArray longLine = R"({"text":")" + QByteArray(200'000, 'a') + "\"}";

    const Ran ran = run({"tokenize", "--lines"}, "\n{\"text\":\"\"}\n\r\n" + longLine + "\n{\"text\":\"\"}");

    QCOMPARE(ran.status, 0);
    const QList<QByteArray> lines = ran.out.split('\n');
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[0], QByteArray(R"({"ids": []})"));
    QVERIFY(lines[1].size() > 1000);
    QCOMPARE(lines[2], lines[0]);
}

void CommandsTest::toolsAreNotRunInAFilesConversation()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("chat.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) &&
            file.write(R"({"messages":[{"role":"user","content":"Hi"}]})") > 0);
    file.close();
    const Ran ran = run({"chat", "--conversation", file.fileName(), "--tools", "builtin"});
    QCOMPARE(ran.status, 2);
    QVERIFY2(ran.error.contains("--conversation never runs a tool"), ran.error.constData());
}

void CommandsTest::lostOutputIsAFailure()
{
    for (const QStringList &arguments :
         {QStringList{"--help"}, QStringList{"tokenize"}, QStringList{"devices"}}) {
        const Ran ran = run(arguments, "text", "/dev/full");
        if (arguments[0] == "devices" && ran.status == 4)
            continue; // none here
        QCOMPARE(ran.status, 4);
        QVERIFY2(ran.error.contains("can't be written to the standard output"), ran.error.constData());
    }
}

void CommandsTest::exportIntoADeviceLeavesIt()
{
    const QTemporaryDir folder;
    const QString document = folder.filePath("a.json"), link = folder.filePath("device"),
                  data = folder.filePath("data");
    QFile file(document);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format":"perilune-conversation","version":1,"title":"t","system":"","messages":[]})");
    file.close();
    QVERIFY(QFile::link("/dev/null", link));
    const Ran imported = run({"conversations", "import", document, "--data", data});
    QVERIFY2(imported.status == 0, imported.error.constData());

    const Ran exported = run({"conversations", "export", "1", "--out", link, "--data", data});

    QVERIFY2(exported.status == 0, exported.error.constData());
    QCOMPARE(QFile::symLinkTarget(link), QString("/dev/null"));
    QVERIFY(!QFile::exists(link + ".unfinished"));
}

void CommandsTest::errorsAreOneLine()
{
    const Ran ran = run({"render", "/no/such\nfolder\x1b[31m/\u009b31m"});

    QCOMPARE(ran.status, 3);
    QCOMPARE(ran.error, QByteArray("perilune-cli: there is no file /no/such?folder?[31m/?31m\n"));
}

void CommandsTest::aFolderIsNoInput()
{
    const QTemporaryDir folder;
    for (const char *command : {"tokenize", "parse", "detokenize"}) {
        QProcess process;
        process.start("/bin/sh",
                      {"-c", QString("exec %1 %2 < %3").arg(PERILUNE_CLI, command, folder.path())});
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 3);
        QCOMPARE(process.readAllStandardError(),
                 "perilune-cli: standard input can't be read: Is a directory\n");
    }
}

// Work that hears no stop request, 30 MB of it, ends at the first signal all the same.
void CommandsTest::aSignalEndsWorkOnText()
{
    QProcess process;
    process.start(PERILUNE_CLI, {"tokenize", "--json"});
    process.write(QByteArray(30 << 20, 'a'));
    process.closeWriteChannel();
    QVERIFY(process.waitForBytesWritten(kPatience));
    while (process.state() == QProcess::Running && process.bytesToWrite() > 0)
        QTest::qWait(10);
    QTest::qWait(100);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(kill(pid_t(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 130);
    QVERIFY2(timer.elapsed() < 5000, "a signal was heard after more than five seconds");
}

void CommandsTest::picturesAreLocalFiles()
{
    const auto sentence = [](const char *url) {
        const QByteArray chat =
            R"({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": )"
            R"({"url": ")" +
            QByteArray(url) + R"("}}]}]})";
        const Ran ran = run({"prompt", "-"}, chat);
        return ran.status == 3 ? ran.error : QByteArray("another status: ") + ran.error;
    };
    QCOMPARE(sentence("https://example.org/a.png"),
             "perilune-cli: https://example.org/a.png is no file of this computer, and nothing is fetched\n");
    QVERIFY(sentence("data:image/png;base64,AAAA")
                .endsWith("is no file of this computer, and nothing is fetched\n"));
    QVERIFY(sentence(SAMPLE_PICTURE "\\u0000.txt").contains("there is a zero character in it"));
    QCOMPARE(sentence(""), "perilune-cli: a picture or clip names no file\n");
}

void CommandsTest::partsThatNobodyReadsAreNamed()
{
    const QByteArray chat = R"({"messages": [{"role": "user", "content": "a"},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}, {"x": 1}, {"text": "b"}]}]})";
    const Ran ran = run({"render", "--family", "k25", "-"}, chat);
    QCOMPARE(ran.status, 0);
    QCOMPARE(ran.error, "perilune-cli: message 2: a part of the type \"input_audio\" is passed over\n"
                        "perilune-cli: message 2: a part without a text is passed over\n");
}

void CommandsTest::wrongUsageIsStatusTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{"\x1b[31mred"};
    QTest::newRow("unknown option") << QStringList{"tokenize", "--\x1b]0;title\x07"};
    QTest::newRow("no number") << QStringList{"conversations", "show", "\x1b[2Jone"};
    QTest::newRow("unknown format") << QStringList{"conversations", "export", "1", "--format", "\u009b31mx"};
    QTest::newRow("no chat to export") << QStringList{"conversations", "export"};
    QTest::newRow("several without a place") << QStringList{"conversations", "export", "1", "2"};
    QTest::newRow("no day") << QStringList{"conversations", "search", "x", "--from", "yester\x1b[1mday"};
    QTest::newRow("compare without texts") << QStringList{"compare"};
    QTest::newRow("temperature nan") << QStringList{"chat", "hi", "--temperature", "nan"};
    QTest::newRow("temperature infinite") << QStringList{"chat", "hi", "--temperature", "inf"};
    QTest::newRow("top-p nan") << QStringList{"chat", "hi", "--top-p=-nan"};
    QTest::newRow("top-p beyond 1") << QStringList{"chat", "hi", "--top-p", "1.01"};
    QTest::newRow("min-p nan") << QStringList{"chat", "hi", "--min-p", "NAN"};
    QTest::newRow("seed below nothing") << QStringList{"chat", "hi", "--seed=-1"};
    QTest::newRow("seed beyond 64 bits") << QStringList{"chat", "hi", "--seed", "18446744073709551616"};
    QTest::newRow("seed with a fraction") << QStringList{"chat", "hi", "--seed", "1.5"};
    QTest::newRow("seed as C would read it") << QStringList{"chat", "hi", "--seed", "010"};
    QTest::newRow("tokens as C would read them") << QStringList{"chat", "hi", "--max-tokens", "0x10"};
    QTest::newRow("context as C would read it") << QStringList{"tokenize", "--context", "010"};
    QTest::newRow("from nan") << QStringList{"media", "--from", "nan", "clip.mp4"};
}

void CommandsTest::wrongUsageIsStatusTwo()
{
    QFETCH(QStringList, arguments);
    const QTemporaryDir folder;

    const Ran ran = run(arguments.isEmpty() || !arguments[0].startsWith("conv")
                            ? arguments
                            : arguments + QStringList{"--data", folder.path()});

    QVERIFY2(ran.status == 2, ran.error.constData());
    QVERIFY(!ran.error.isEmpty() && ran.out.isEmpty());
    for (const QChar c : QString::fromUtf8(ran.error))
        QVERIFY2(c == '\n' || (c.unicode() >= 0x20 && (c.unicode() < 0x7F || c.unicode() >= 0xA0)),
                 ran.error.constData());
}

void CommandsTest::aPipeInPlaceOfAFileIsSaid()
{
    const QTemporaryDir folder;
    const QString pipe = folder.filePath("pipe"), data = folder.filePath("data");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    const Ran imported = run({"conversations", "import", pipe, "--data", data});
    QCOMPARE(imported.status, 3);
    QCOMPARE(imported.error, "perilune-cli: " + pipe.toUtf8() + " is a pipe or a device, not a file\n");

    for (const QStringList &reading : {
             QStringList{"render", "--family", "k25"},
             {"tools"}
    }) {
        const Ran ran = run(reading + QStringList{pipe});
        QCOMPARE(ran.status, 3);
        QCOMPARE(ran.error, "perilune-cli: " + pipe.toUtf8() + " is a pipe or a device, not a file\n");
    }

    QVERIFY(QFile::remove(data + "/conversations.db"));
    QVERIFY(QFile::rename(pipe, data + "/conversations.db"));
    const Ran listed = run({"conversations", "list", "--data", data});
    QCOMPARE(listed.status, 3);
    QVERIFY2(listed.error.contains("is not a file, but a folder, a pipe or a device"),
             listed.error.constData());
}

void CommandsTest::helpSaysWhatIsRefused()
{
    const QByteArray help = run({"chat", "--help"}).out.simplified();

    QVERIFY2(help.contains("what to quantize while loading: int4 or int8"), help.constData());
    QVERIFY2(help.contains("builtin: the tools that come with the program, which are run"), help.constData());
}

void CommandsTest::whatCanNotBeQuantizedIsWrongUsage()
{
    for (const char *choice : {"int5", "experts", "vision=int4", "experts=int4,head", "int8,int8",
                               "head=int4,int8", "head=int4,head=int8", "head=int4,"})
        QCOMPARE(run({"tokenize", "--quantize", choice}, "a").status, 2);
    const Ran ran = run({"compare", "Hello"});
    QCOMPARE(ran.status, 2);
    QVERIFY(ran.error.contains("--quantize"));
}

void CommandsTest::budgetBelowNothingIsWrongUsage()
{
    for (const char *option : {"--budget=-1", "--budget=-1G", "--host-budget=-1", "--context=-1"})
        QCOMPARE(run({"tokenize", option}, "a").status, 2);
    QCOMPARE(run({"tokenize", "--budget", "-1"}, "a").status, 2);
    QCOMPARE(run({"tokenize", "--budget=1G", "--host-budget", "4096"}, "a").status, 0);
}

void CommandsTest::whatMayNotBeWrittenIsRead()
{
    const QTemporaryDir folder;
    const QString data = folder.filePath("a?b#c%d");
    QCOMPARE(run({"conversations", "list", "--data", data}).status, 0);
    const auto others = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup |
                        QFile::ReadOther | QFile::ExeOther;
    QVERIFY(QFile::setPermissions(folder.path(), others) && QFile::setPermissions(data, others));

    QProcess process;
    process.setChildProcessModifier([] {
        if (::getuid() == 0 && ::setuid(65534) != 0) // to root nothing is forbidden
            ::_exit(99);
    });
    process.start(PERILUNE_CLI, {"conversations", "list", "--json", "--data", data});
    const bool began = process.waitForStarted(kPatience);
    const bool ended = began && process.waitForFinished(kPatience);
    QFile::setPermissions(data, others | QFile::WriteOwner);
    QFile::setPermissions(folder.path(), others | QFile::WriteOwner);
    if (!began)
        QSKIP("another user may not run the program here");

    QVERIFY(ended);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 0, said.constData());
    QVERIFY2(said.contains("they can only be read"), said.constData());
}

void CommandsTest::searchForTooMuchIsBadInput()
{
    const QTemporaryDir folder;

    const Ran ran = run({"conversations", "search", QString(100'000, 'x'), "--data", folder.path()});

    QCOMPARE(ran.status, 3);
    QVERIFY2(ran.error.contains("too long"), ran.error.constData());
}

void CommandsTest::unknownTemplatesArePointedOut()
{
    const QDir demo(SOURCE_DIR "/packaging/demo-model/model");
    const QTemporaryDir folder;
    for (const QString &name : demo.entryList(QDir::Files))
        QVERIFY(QFile::copy(demo.filePath(name), folder.filePath(name)));
    QFile file(folder.filePath("chat_template.jinja"));
    QVERIFY(file.open(QIODevice::Append) && file.write("{{ 'Be kind.' }}") > 0);
    file.close();

    const Ran known = run({"inspect", demo.path(), "--json"});
    const Ran unknown = run({"inspect", folder.path(), "--json"});

    QCOMPARE(known.status, 0);
    QVERIFY2(known.out.contains("\"family\":\"k25\"") && !known.out.contains("template"), known.out);
    QCOMPARE(unknown.status, 0);
    QVERIFY2(unknown.out.contains("chat_template.jinja is a template that is not known"), unknown.out);
}

void CommandsTest::storedWordsDoNothingToTheTerminal()
{
    const QTemporaryDir folder;
    const QString data = folder.filePath("data");
    QFile document(folder.filePath("chat.json"));
    QVERIFY(document.open(QIODevice::WriteOnly));
    document.write(
        R"({"format":"perilune-conversation","version":1,"title":"a\u001b]0;b","messages":[{"id":1,"parent":null,)"
        R"("role":"tool","state":"complete","parts":[{"type":"text","text":"c\u001b[2J"}]}]})");
    document.close();
    const Ran imported = run({"conversations", "import", document.fileName(), "--data", data});
    QCOMPARE(imported.error, QByteArray());
    const QString id = QString::fromUtf8(imported.out).trimmed();
    run({"conversations", "tag", id, "t\x1b[1m", "--data", data});

    for (const QStringList &words : {
             QStringList{"list"},
             {"tree", id},
             {"search", "c"}
    }) {
        const Ran ran = run(QStringList{"conversations"} + words + QStringList{"--data", data});
        QCOMPARE(ran.status, 0);
        QVERIFY(!ran.out.trimmed().isEmpty());
        QVERIFY2(!ran.out.contains('\x1b'), words.join(' ').toUtf8());
    }
    QVERIFY(run({"conversations", "tree", id, "--data", data}).out.contains("tool"));
}

void CommandsTest::mediaOptionsAreSaidInWords_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("no frames") << QStringList{"--max-frames", "0"};
    QTest::newRow("fewer than none") << QStringList{"--max-frames", "-1"};
    QTest::newRow("no number") << QStringList{"--from", "nan"};
    QTest::newRow("endless") << QStringList{"--to", "inf"};
    QTest::newRow("before the start") << QStringList{"--from=-1"};
    QTest::newRow("detail") << QStringList{"--detail", "huge"};
}

void CommandsTest::mediaOptionsAreSaidInWords()
{
    QFETCH(QStringList, options);
    const Ran ran = run(QStringList{"media"} + options +
                        QStringList{SOURCE_DIR "/packaging/demo-model/samples/moving_circle.mp4"});

    QCOMPARE(ran.status, 2);
    QVERIFY2(ran.error.contains(options[0].section('=', 0, 0).toUtf8()), ran.error);
    for (const QByteArray &line : ran.error.split('\n'))
        QVERIFY2(line.size() < 200, line);
}

/// Whatever a name stands for, nothing waits for it for ever.
void CommandsTest::pipesAreNotWaitedFor()
{
    const QTemporaryDir folder;
    const QString pipe = folder.filePath("pipe"), data = folder.filePath("data");
    QCOMPARE(mkfifo(pipe.toUtf8(), 0600), 0);
    const QString picture = SOURCE_DIR "/packaging/demo-model/samples/two_shapes.png";
    const QList<QStringList> calls = {
        {"media", pipe},
        {"media", "/dev/zero"},
        {"media", "--config", pipe, picture},
        {"media", "--config", "/dev/zero", picture},
        {"media", "--model", folder.path(), picture},
        {"media", "--dump", pipe, picture},
        {"media", "--dump", "/dev/null", picture},
        {"media", "--dump", folder.path(), picture},
        {"media", "--dump", folder.filePath("nowhere/dump"), picture},
        {"forward", "--input", pipe, "--dump", folder.filePath("dump")},
        {"prompt", pipe},
        {"render", pipe},
        {"tools", pipe},
        {"conversations", "export", "1", "--out", pipe, "--data", data},
    };
    for (const QStringList &call : calls) {
        const Ran ran = run(call);
        QVERIFY2(ran.status == 1 || ran.status == 3, qPrintable(call.join(' ')));
        QCOMPARE(ran.error.trimmed().split('\n').size(), 1);
        QVERIFY2(ran.error.startsWith("perilune-cli: ") && ran.error.size() < 400, ran.error);
    }
}

QTEST_GUILESS_MAIN(CommandsTest)
#include "commands_test.moc"
