// What the decoder may no longer do behind its two fences of system calls. Each try runs in a process of its
// own, which tells by its exit status how it went.
#include "media/helper/limits.h"
#include "media/helper/sandbox.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace perilune;

class SandboxTest : public QObject {
    Q_OBJECT

private slots:
    void forbiddenCallsAreRefused_data();
    void forbiddenCallsAreRefused();
    void whatDecodersNeedStillWorks();
};

/// The call, made by its number so that no library stands between; 0 or more is success.
using Call = std::function<long()>;
Q_DECLARE_METATYPE(Call)

constexpr int kFenceFailed = 200;

/// Of a file or folder that the tries make.
static QString path()
{
    static const QTemporaryDir folder;
    return folder.filePath("made");
}

/// The errno of `call` behind the fences, 0 where it succeeds.
static int inside(bool closed, const Call &call)
{
    const pid_t child = fork();
    if (child == 0) {
        helper::applyLimits();
        if (!helper::fenceIn() || (closed && !helper::closeFence()))
            _exit(kFenceFailed);
        _exit(call() < 0 ? errno : 0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int outside(const Call &call)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(call() < 0 ? errno : 0);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

void SandboxTest::forbiddenCallsAreRefused_data()
{
    QTest::addColumn<Call>("call");
    QTest::addColumn<bool>("evenAtFirst");
    static char *const arguments[] = {nullptr};

    QTest::newRow("network") << Call([] { return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }) << true;
    QTest::newRow("local socket") << Call([] { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); })
                                  << true;
    QTest::newRow("another program") << Call([] {
        return syscall(SYS_execve, "/bin/true", arguments, arguments);
    }) << true;
    const auto clone = [] {
        const long made = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (made == 0)
            _exit(0);
        return made;
    };
    QTest::newRow("a process") << Call(clone) << true;
    QTest::newRow("a new file") << Call([] {
        return syscall(SYS_openat, AT_FDCWD, qPrintable(path()), O_CREAT | O_RDONLY, 0600);
    }) << true;
    QTest::newRow("writing") << Call([] { return syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY); })
                             << true;
    QTest::newRow("a folder") << Call([] { return syscall(SYS_mkdirat, AT_FDCWD, qPrintable(path()), 0700); })
                              << true;
    QTest::newRow("signals to others") << Call([] { return syscall(SYS_kill, getppid(), 0); }) << true;
    QTest::newRow("opening") << Call([] { return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); })
                             << false;
    QTest::newRow("looking up") << Call([] { return syscall(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK); })
                                << false;
    QTest::newRow("machine code") << Call([] {
        return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
                   ? -1
                   : 0;
    }) << false;
}

void SandboxTest::forbiddenCallsAreRefused()
{
    QFETCH(Call, call);
    QFETCH(bool, evenAtFirst);
    QCOMPARE(outside(call), 0); // it would work otherwise
    QVERIFY(!QFileInfo::exists(path()) || QFile::remove(path()) || QDir().rmdir(path()));

    QCOMPARE(inside(false, call), evenAtFirst ? EPERM : 0);
    QVERIFY(inside(true, call) == EPERM || inside(true, call) == EACCES);
}

void SandboxTest::whatDecodersNeedStillWorks()
{
    const Call threads = [] {
        int made = 0;
        std::thread([&] { made = 1; }).join();
        return made == 1 ? 0 : -1;
    };
    const Call memory = [] { return std::vector<char>(std::size_t{64} << 20, 'x').back() == 'x' ? 0 : -1; };

    QCOMPARE(inside(true, threads), 0);
    QCOMPARE(inside(true, memory), 0);
}

QTEST_GUILESS_MAIN(SandboxTest)
#include "sandbox_test.moc"
