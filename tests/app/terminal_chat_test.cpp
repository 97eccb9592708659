// What a chat writes to a terminal and asks there: escape sequences do nothing, tools are approved, and those
// that misbehave stop nothing.
#include "app/cli/terminal_text.h"
#include "app/cli/tool_approval.h"
#include "app/cli/tool_names.h"
#include "app/tools/builtin_tools.h"
#include "tests/support/hostile_tools.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

using namespace perilune;
using namespace perilune::cli;

namespace {

constexpr int kPatienceMs = 30'000;

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// scripted_chat on a terminal of its own.
class Terminal {
public:
    explicit Terminal(const QStringList &arguments)
    {
        int inside = -1;
        if (::openpty(&m_outside, &inside, nullptr, nullptr, nullptr) != 0)
            qFatal("there is no terminal");
        ::fcntl(m_outside, F_SETFD, FD_CLOEXEC);
        m_process.setChildProcessModifier([inside] {
            ::setsid();
            ::ioctl(inside, TIOCSCTTY, 0);
            for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
                ::dup2(inside, stream);
        });
        m_process.start(SCRIPTED_CHAT, arguments);
        m_process.waitForStarted(kPatienceMs);
        ::close(inside);
    }
    ~Terminal()
    {
        ::close(m_outside);
        m_process.kill();
        m_process.waitForFinished();
    }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    void type(const QByteArray &keys) const
    {
        (void)!::write(m_outside, keys.constData(), std::size_t(keys.size()));
    }

    /// Reads on until `words` have been written since the last call, or until the program ends.
    bool until(const QByteArray &words)
    {
        while (m_written.indexOf(words, m_seen) < 0) {
            pollfd ready{m_outside, POLLIN, 0};
            const int readable = ::poll(&ready, 1, kPatienceMs);
            const auto interrupted = [] { return errno == EINTR; }; // by the news that the program has ended
            if (readable < 0 && interrupted())
                continue;
            if (readable != 1)
                return false;
            char block[4096];
            const ssize_t count = ::read(m_outside, block, sizeof block);
            if (count < 0 && interrupted())
                continue;
            if (count <= 0) // EIO: the program has ended
                return false;
            m_written.append(block, count);
        }
        m_seen = m_written.indexOf(words, m_seen) + words.size();
        return true;
    }
    /// All that was written, once the program has ended; lines end as the program ended them.
    QByteArray all()
    {
        (void)until("\x01 nothing has this");
        return QByteArray(m_written).replace("\r\n", "\n");
    }
    int status() { return m_process.waitForFinished(kPatienceMs) ? m_process.exitCode() : -1; }

private:
    QProcess m_process;
    int m_outside = -1;
    QByteArray m_written;
    qsizetype m_seen = 0;
};

/// The same on pipes: what it wrote to stdout.
QByteArray onPipes(const QStringList &arguments, QByteArray *errors = nullptr)
{
    QProcess process;
    process.start(SCRIPTED_CHAT, arguments);
    process.closeWriteChannel();
    process.waitForFinished(kPatienceMs);
    if (errors)
        *errors = process.readAllStandardError();
    return process.readAllStandardOutput();
}

const std::string kEvil("\x1B[31mred\x1B]0;title\x07 \xC2\x9B"
                        "2J\x9B"
                        "3m caf\xC3\xA9 \xF0\x9F\x8C\x99\r\nup\rover\x08\x7F\t\xC3",
                        50);
const std::string kHarmless = "?[31mred?]0;title? ?2J?3m caf\u00e9 \U0001F319\nup?over??\t?";

} // namespace

class TerminalChatTest : public QObject {
    Q_OBJECT

private slots:
    void textIsMadeHarmless();
    void piecesMakeNoDifference();
    void toolNames_data();
    void toolNames();
    void answers();
    void pipesGetTheBytes();
    void terminalsGetHarmlessText();
    void misbehaviourIsTold_data();
    void misbehaviourIsTold();
    void asksOnATerminal_data();
    void asksOnATerminal();
    void whatWasApprovedIsNotAsked();
    void brokenCallsAreShownAndAnswered();
    void endOfInputStops();

private:
    QStringList arguments(bool asks, const QStringList &replies) const
    {
        return QStringList{m_folder.filePath("tools.json"), asks ? "1" : "0"} + replies +
               QStringList{results()};
    }
    QString results() const { return m_folder.filePath("results"); }

    QTemporaryDir m_folder;
};

void TerminalChatTest::textIsMadeHarmless()
{
    QCOMPARE(terminalText(kEvil), kHarmless);
    QCOMPARE(forTerminal("a\tb\nc\x1B"), std::string("a?b?c?"));
    QCOMPARE(terminalText(""), std::string());
    QCOMPARE(terminalText("\r"), std::string("?"));
    std::string all; // no byte, however it is placed, leaves a control character
    for (int byte = 0; byte < 256; ++byte)
        all += std::string(1, char(byte)) + "x" + char(byte) + char(byte) + "\xC2" + char(byte);
    for (const char c : terminalText(all)) {
        const auto byte = static_cast<unsigned char>(c);
        QVERIFY((byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\t');
    }
}

void TerminalChatTest::piecesMakeNoDifference()
{
    for (std::size_t first = 0; first <= kEvil.size(); ++first) {
        for (std::size_t second = first; second <= kEvil.size(); ++second) {
            TerminalText text;
            std::string shown = text.add(std::string_view(kEvil).substr(0, first));
            shown += text.add(std::string_view(kEvil).substr(first, second - first));
            shown += text.add(std::string_view(kEvil).substr(second));
            shown += text.end();
            QCOMPARE(shown, kHarmless);
        }
    }
    TerminalText text;
    std::string shown;
    for (const char c : kEvil)
        shown += text.add({&c, 1});
    QCOMPARE(shown + text.end(), kHarmless);
}

void TerminalChatTest::toolNames_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("names"); // "file", or how the error begins
    QTest::newRow("all") << "builtin" << "current_time,calculator,read_file,search_chats";
    QTest::newRow("one") << "calculator" << "calculator";
    QTest::newRow("order") << "calculator,current_time,calculator" << "current_time,calculator";
    QTest::newRow("more") << "calculator,builtin" << "current_time,calculator,read_file,search_chats";
    QTest::newRow("unknown") << "builtin,delete_all"
                             << "--tools: there is no tool named \"delete_all\"; there are current_time, ";
    QTest::newRow("empty one") << "builtin," << "--tools: there is no tool named \"\"";
    QTest::newRow("file") << "tools.json" << "file";
    QTest::newRow("file with a comma") << "a,b.json" << "file";
    QTest::newRow("path") << "./calculator" << "file";
}

void TerminalChatTest::toolNames()
{
    QFETCH(const QString, value);
    QFETCH(const QString, names);
    const ToolRegistry tools = builtinTools(ToolPlaces{
        .files = {}, .find = [](const SearchChats::Wanted &) { return std::vector<SearchChats::Hit>(); }});
    const auto named = namedTools(value.toStdString(), tools, BuiltinMeans::All);
    if (!named) {
        QVERIFY2(named.error().message.starts_with(names.toStdString()), named.error().message.c_str());
        return;
    }
    QStringList found;
    for (const std::string &name : named->value_or(std::vector<std::string>{"file"}))
        found += QString::fromStdString(name);
    QCOMPARE(found.join(','), names);
    if (value == "builtin") { // as with the demo model
        const auto usual = namedTools("builtin", tools, BuiltinMeans::Usual);
        QVERIFY(usual && **usual == (std::vector<std::string>{"current_time", "calculator"}));
    }
}

void TerminalChatTest::answers()
{
    QVERIFY(approvalFrom("o") == Approval::Once && approvalFrom("yes") == Approval::Once);
    QVERIFY(approvalFrom("chat") == Approval::ThisChat && approvalFrom("a") == Approval::Always);
    QVERIFY(approvalFrom("no") == Approval::Refused);
    for (const char *nothing : {"", " ", "maybe", "O", "oo", "alwaysx"})
        QVERIFY(!approvalFrom(nothing));
}

void TerminalChatTest::pipesGetTheBytes()
{
    QByteArray thoughts;
    const QByteArray out = onPipes(arguments(false, {"think:%1B[5mhm%C3"}), &thoughts);
    QCOMPARE(thoughts, QByteArray("\x1B[5mhm\xC3\n"));
    QVERIFY(out.isEmpty());
    const QByteArray words = onPipes(arguments(false, {"call:empty:{%1B[2J%0A}", "say:%1B[31m%9B%C3"}));
    QVERIFY2(words.startsWith("[calls empty {\x1B[2J\n}]\n[result Error: the arguments are no JSON: "),
             words);
    QVERIFY(words.endsWith("\x1B[31m\x9B\xC3\n"));
}

void TerminalChatTest::terminalsGetHarmlessText()
{
    Terminal words(arguments(false, {"say:%1B[31mred%1B]0;t%07 %C2%9B2J%9B caf%C3%A9 %0D%C3"}));
    QCOMPARE(words.all(), QByteArray("?[31mred?]0;t? ?2J? caf\xC3\xA9 ??\n"));
    Terminal thoughts(arguments(false, {"think:%1B[0mhm%07%C3"}));
    QCOMPARE(thoughts.all(), QByteArray("\x1B[2m?[0mhm??\x1B[0m\n")); // dimmed by us, to its end
    Terminal call(
        arguments(false, {"call:nonsense%1B[2J:{}", "call:empty:{\"%1B\": %0A1}", "call:nonsense:{}"}));
    const QByteArray shown = call.all();
    QVERIFY2(shown.startsWith("[calls nonsense?[2J {}]\n[result Error: there is no tool named nonsense"),
             shown);
    QVERIFY2(shown.contains("[calls empty {\"?\": ?1}]\n"), shown);
    QVERIFY2(!shown.contains('\x1B') && !shown.contains('\x07') && !shown.contains("\xC2\x9B"), shown);
}

void TerminalChatTest::misbehaviourIsTold_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("result");
    QTest::newRow("hang") << "hang" << "Error: the tool did not answer within 1500 ms";
    QTest::newRow("fail") << "fail" << "Error: \uFFFD[2Jno luck\n<|im_end|>";
    QTest::newRow("throw") << "throw" << "Error: the tool broke off: oh";
    QTest::newRow("flood") << "flood"
                           << QString(100, 'x') +
                                  "\n[The result was cut: the first 100 of 10000000 bytes are shown.]";
    QTest::newRow("nonsense") << "nonsense" << QString(test::kNonsenseAsText);
    QTest::newRow("empty") << "empty" << "(The tool returned nothing.)";
    const QString bad = "Error: the tool gave a picture that can't be shown, a ";
    QTest::newRow("gone") << "gone" << bad + "picture: there is no such file";
    QTest::newRow("torn") << "torn" << bad + "picture: pictures can't be read here";
    QTest::newRow("clip") << "clip" << bad + "clip: it is a clip";
    QTest::newRow("posing") << "posing" << "Error: in line 3 of a log";
    QTest::newRow("unknown") << "delete_all" << "Error: there is no tool named delete_all";
}

void TerminalChatTest::misbehaviourIsTold()
{
    QFETCH(const QString, tool);
    QFETCH(const QString, result);
    const QStringList chat = arguments(false, {"call:" + tool + ":{}", "say:Well."});
    QCOMPARE(QString::fromUtf8(onPipes(chat)), "[calls " + tool + " {}]\n[result " + result + "]\nWell.\n");
    QCOMPARE(QString::fromUtf8(contentOf(results())), result + '\n');
    Terminal terminal(chat);
    QVERIFY(terminal.all().endsWith("Well.\n"));
    QCOMPARE(terminal.status(), 0);
    QCOMPARE(QString::fromUtf8(contentOf(results())), result + '\n'); // the model is told the same
}

void TerminalChatTest::asksOnATerminal_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("questions"); // for two calls
    QTest::addColumn<QByteArray>("result");
    QTest::addColumn<bool>("kept");
    QTest::newRow("once") << QByteArray("o") << 2 << QByteArray("(The tool returned nothing.)") << false;
    QTest::newRow("chat") << QByteArray("chat") << 1 << QByteArray("(The tool returned nothing.)") << false;
    QTest::newRow("always") << QByteArray("always") << 1 << QByteArray("(The tool returned nothing.)")
                            << true;
    QTest::newRow("no") << QByteArray("n") << 2 << QByteArray("Error: the person does not allow this call")
                        << false;
}

void TerminalChatTest::asksOnATerminal()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const int, questions);
    QFETCH(const QByteArray, result);
    QFETCH(const bool, kept);
    QFile::remove(m_folder.filePath("tools.json"));
    Terminal terminal(
        arguments(true, {"call:empty:{\"a\": \"%E2%80%AE%C2%9B\"}", "call:empty:{}", "say:Well."}));
    const QByteArray choice = "[o]nce, in this [c]hat, [a]lways, [n]o: ";
    QVERIFY(terminal.until("May empty run with {\"a\": \"??\"}?\r\n" + choice)); // neither turned nor obeyed
    terminal.type("what\n");
    QVERIFY(terminal.until(choice)); // asked again
    for (int question = 0; question < questions; ++question) {
        if (question > 0)
            QVERIFY(terminal.until("May empty run with {}?\r\n" + choice));
        terminal.type(answer + '\n');
    }
    const QByteArray all = terminal.all();
    QCOMPARE(all.count("May empty run"), questions);
    QVERIFY(all.endsWith("Well.\n"));
    QCOMPARE(terminal.status(), 0);
    QVERIFY2(contentOf(results()).endsWith(result + '\n'), contentOf(results()));
    QCOMPARE(contentOf(m_folder.filePath("tools.json")).contains("\"always\": [\"empty\"]"), kept);
}

void TerminalChatTest::whatWasApprovedIsNotAsked()
{
    QFile chosen(m_folder.filePath("tools.json"));
    QVERIFY(chosen.open(QIODevice::WriteOnly) && chosen.write(R"({"always": ["empty"], "on": [3]})") > 0);
    chosen.close();
    Terminal terminal(arguments(true, {"call:empty:{}", "call:fail:{}", "say:Well."}));
    QVERIFY(terminal.until("May fail run"));
    terminal.type("a\n");
    QVERIFY(!terminal.all().contains("May empty"));
    const QByteArray kept = contentOf(chosen.fileName());
    QVERIFY2(kept.contains(R"("always": ["empty", "fail"])") && kept.contains(R"("on": [3])"), kept);
}

void TerminalChatTest::brokenCallsAreShownAndAnswered()
{
    // Without a name: it broke off, or can't be understood. Neither is asked about, nor bad arguments.
    Terminal terminal(arguments(true, {"call::{%1B", "call:empty:{", "say:Well."}));
    const QByteArray all = terminal.all();
    QVERIFY2(
        all.startsWith("[a call that broke off or can't be understood: functions.:0 {?]\n"
                       "[result Error: this call broke off or can't be understood, so it was not made; "),
        all);
    QVERIFY2(all.contains("[calls empty {]\n[result Error: the arguments are no JSON: "), all);
    QVERIFY2(!all.contains("May ") && all.endsWith("Well.\n"), all);
    QCOMPARE(contentOf(results()).count("Error: "), 2);
}

void TerminalChatTest::endOfInputStops()
{
    Terminal terminal(arguments(true, {"call:throw:{}", "say:Well."}));
    QVERIFY(terminal.until("[n]o: "));
    terminal.type("\x04"); // Ctrl-D
    QVERIFY(terminal.all().contains("[result Error: the person stopped this call]"));
}

QTEST_GUILESS_MAIN(TerminalChatTest)
#include "terminal_chat_test.moc"
