#include "media/helper_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace {

constexpr int kLoaderFailed = 127; // exit status where a program's libraries can't be loaded
constexpr int kLookMs = 200;       // how often a silent helper is looked at

struct Pipe {
    int read = -1, write = -1;
};

Error noPipe()
{
    return {ErrorCode::Io, std::string("can't make a pipe: ") + std::generic_category().message(errno)};
}

Result<Pipe> makePipe()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return noPipe();
    fcntl(ends[0], F_SETPIPE_SZ, 1 << 20); // fewer turns between the two; nothing is lost where it is refused
    return Pipe{ends[0], ends[1]};
}

/// A socket, because writing to a pipe that nobody reads any more raises SIGPIPE, and here it can be told not
/// to.
Result<Pipe> makeRequestPipe()
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return noPipe();
    return Pipe{ends[0], ends[1]};
}

/// Starts the program with descriptors 0 and 1 as pipes, 2 as nowhere (even its loader complains there when
/// it lacks memory, and that is not for people), 3 as the file, and no others; with no signal blocked, and in
/// a process group of its own so that Ctrl-C reaches only us.
int spawn(const std::string &program, int input, int output, int file, pid_t &process)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // Through high numbers, for one of ours may be among the numbers that we are about to set.
    const int high[] = {fcntl(input, F_DUPFD_CLOEXEC, 100), fcntl(output, F_DUPFD_CLOEXEC, 100),
                        fcntl(file, F_DUPFD_CLOEXEC, 100)};
    posix_spawn_file_actions_adddup2(&actions, high[0], 0);
    posix_spawn_file_actions_adddup2(&actions, high[1], 1);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, high[2], protocol::kFileDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&actions, protocol::kFileDescriptor + 1);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

    std::string name = program;
    char *arguments[] = {name.data(), nullptr};
    std::string language = "LC_ALL=C.UTF-8"; // nothing of our environment either
    char *environment[] = {language.data(), nullptr};
    const int failure = posix_spawn(&process, program.c_str(), &actions, &attributes, arguments, environment);
    for (const int descriptor : high)
        close(descriptor);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

} // namespace

std::string installedHelper()
{
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char *place :
         {"perilune-media", "../libexec/perilune/perilune-media", "../bin/perilune-media"}) {
        if (access((folder / place).c_str(), X_OK) == 0)
            return (folder / place).string();
    }
    return {};
}

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const std::string &program, int file,
                                                            std::string name, std::chrono::seconds patience)
{
    auto request = makeRequestPipe();
    if (!request)
        return std::move(request).error();
    auto reply = makePipe();
    if (!reply) {
        close(request->read);
        close(request->write);
        return std::move(reply).error();
    }
    pid_t process = -1;
    const int failure = spawn(program, request->read, reply->write, file, process);
    close(request->read);
    close(reply->write);
    if (failure != 0) {
        close(request->write);
        close(reply->read);
        return Error{ErrorCode::Io, "the decoder " + program +
                                        " can't be started: " + std::generic_category().message(failure)};
    }
    return std::unique_ptr<HelperProcess>(
        new HelperProcess(process, request->write, reply->read, std::move(name), patience));
}

HelperProcess::HelperProcess(pid_t process, int toHelper, int fromHelper, std::string name,
                             std::chrono::seconds patience)
    : m_process(process),
      m_toHelper(toHelper),
      m_fromHelper(fromHelper),
      m_wake(eventfd(0, EFD_CLOEXEC)),
      m_name(std::move(name)),
      m_patience(patience)
{
}

HelperProcess::~HelperProcess()
{
    close(m_toHelper);
    close(m_fromHelper);
    close(m_wake);
    if (m_process > 0) {
        kill(m_process, SIGKILL);
        while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

Status HelperProcess::send(protocol::Type type, std::string_view payload)
{
    const protocol::Header header{type, static_cast<std::uint32_t>(payload.size())};
    std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
    bytes += payload;
    std::size_t sent = 0;
    bool broken = false;
    while (sent < bytes.size() && !broken) {
        const ssize_t n = ::send(m_toHelper, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n > 0)
            sent += static_cast<std::size_t>(n);
        broken = n < 0 && errno != EINTR;
    }
    if (broken)
        return ended();
    return Done{};
}

/// Processor time, all threads together; nothing where it has ended.
std::chrono::nanoseconds HelperProcess::worked() const
{
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(m_process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return {};
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

HelperProcess::Watch HelperProcess::beginWatch() const
{
    const std::chrono::nanoseconds now = worked();
    return {now, now, std::chrono::steady_clock::now()};
}

/// An error where it has worked too long since its last sign, or stands still.
Status HelperProcess::look(Watch &watch) const
{
    const std::chrono::nanoseconds now = worked();
    const auto time = std::chrono::steady_clock::now();
    if (now - watch.workedAtSign >= m_patience)
        return Error{ErrorCode::Corrupt, m_name + " could not be read: decoding it takes too long"};
    if (now > watch.workedAtLook) {
        watch.workedAtLook = now;
        watch.lastWorked = time;
    }
    if (time - watch.lastWorked >= m_patience) {
        return Error{ErrorCode::Corrupt, m_name + " could not be read: the decoder gave no sign for " +
                                             std::to_string(m_patience.count()) + " seconds"};
    }
    return Done{};
}

Status HelperProcess::readExactly(char *bytes, std::size_t size, const std::stop_token &stop)
{
    std::optional<Watch> watch; // from the first time on that there is nothing
    while (size > 0) {
        pollfd ready[] = {
            {m_fromHelper, POLLIN, 0},
            {m_wake,       POLLIN, 0}
        };
        const int found = poll(ready, 2, kLookMs);
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped"};
        if (found < 0 && errno == EINTR)
            continue;
        if (found == 0) {
            if (!watch)
                watch = beginWatch();
            if (auto good = look(*watch); !good)
                return good;
            continue;
        }
        watch.reset();
        const ssize_t n = read(m_fromHelper, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return ended();
        bytes += n;
        size -= static_cast<std::size_t>(n);
    }
    return Done{};
}

Result<HelperProcess::Message> HelperProcess::receive(const std::stop_token &stop)
{
    const std::stop_callback wakeUp(stop, [this] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(m_wake, &one, sizeof one);
    });
    protocol::Header header;
    if (auto read = readExactly(reinterpret_cast<char *>(&header), sizeof header, stop); !read)
        return std::move(read).error();
    if (header.bytes > protocol::kMaxPayload)
        return nonsense();
    m_payload.resize(header.bytes);
    if (auto read = readExactly(m_payload.data(), m_payload.size(), stop); !read)
        return std::move(read).error();
    return Message{header.type, m_payload};
}

Error HelperProcess::nonsense() const
{
    return {ErrorCode::Corrupt, m_name + " could not be read: the decoder's answer makes no sense"};
}

Error HelperProcess::ended()
{
    int status = 0;
    kill(m_process, SIGKILL);
    while (waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_process = -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return {ErrorCode::Corrupt, m_name + " could not be read: decoding it takes too long"};
    if (WIFEXITED(status) && WEXITSTATUS(status) == kLoaderFailed)
        return {ErrorCode::Io, m_name +
                                   " could not be read: the decoder can't be started; it lacks memory, or a "
                                   "library that it needs"};
    return {ErrorCode::Corrupt, m_name + " could not be read: the decoder stopped working on it"};
}

} // namespace perilune
