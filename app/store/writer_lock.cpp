#include "app/store/writer_lock.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace fs = std::filesystem;

namespace {

/// Opens the writer's file and tries to lock it. -1 where it is missing or held.
int tryLock(const fs::path &path)
{
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return descriptor;
    ::close(descriptor);
    return -1;
}

} // namespace

WriterLock::WriterLock(WriterLock &&other) noexcept
    : m_folder(std::move(other.m_folder)),
      m_name(std::exchange(other.m_name, {})),
      m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

WriterLock &WriterLock::operator=(WriterLock &&other) noexcept
{
    std::swap(m_folder, other.m_folder);
    std::swap(m_name, other.m_name);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

WriterLock::~WriterLock()
{
    if (m_descriptor < 0)
        return;
    std::error_code ignored;
    fs::remove(m_folder / m_name, ignored);
    ::close(m_descriptor);
}

Result<WriterLock> WriterLock::take(const fs::path &folder)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    static std::atomic<unsigned> counter{0};
    for (;;) {
        WriterLock lock;
        lock.m_folder = folder;
        lock.m_name = std::to_string(::getpid()) + "-" + std::to_string(counter++);
        const fs::path path = folder / lock.m_name;
        lock.m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (lock.m_descriptor < 0 && errno == EEXIST)
            continue; // of a dead program that had our process number
        if (lock.m_descriptor < 0) {
            const int code = errno;
            return Error{code == ENOSPC ? ErrorCode::NoSpace : ErrorCode::Io,
                         "making " + path.string() + ": " +
                             (code == ENOSPC ? "the disk is full"
                                             : std::error_code(code, std::generic_category()).message())};
        }
        // Between the two calls a sweep of another program may take the file for one of the dead.
        if (::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) == 0 && fs::exists(path, failed))
            return lock;
    }
}

bool WriterLock::alive(const fs::path &folder, const std::string &name)
{
    if (name.empty() || name.find('/') != std::string::npos)
        return false;
    std::error_code ignored;
    if (!fs::exists(folder / name, ignored))
        return false;
    const int descriptor = tryLock(folder / name);
    if (descriptor < 0)
        return fs::exists(folder / name, ignored); // it may have ended normally just now
    ::close(descriptor);
    return false;
}

void WriterLock::sweep(const fs::path &folder)
{
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
         at.increment(failed)) {
        const int descriptor = tryLock(at->path());
        if (descriptor < 0)
            continue;
        std::error_code ignored;
        fs::remove(at->path(), ignored);
        ::close(descriptor);
    }
}

} // namespace perilune
