#include "engine/base/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

namespace perilune {

namespace fs = std::filesystem;

namespace {

/// What the operating system said, as a sentence about the file.
Error fileError(const fs::path &place, int why)
{
    const std::string name = place.string();
    if (why == ENOSPC || why == EDQUOT)
        return {ErrorCode::NoSpace, "the disk is full: " + name + " can't be written"};
    if (why == ENOENT)
        return {ErrorCode::NotFound, "there is no folder " + place.parent_path().string()};
    if (why == EACCES || why == EPERM || why == EROFS)
        return {ErrorCode::InvalidInput, name + " may not be written: there is no permission"};
    if (why == ENXIO)
        return {ErrorCode::InvalidInput, name + " is a pipe that nobody reads, or a socket"};
    if (why == EISDIR)
        return {ErrorCode::InvalidInput, name + " is a folder"};
    return {ErrorCode::Io, "the file " + name + " can't be written: " + std::generic_category().message(why)};
}

/// Where writing to `place` ends: links are followed, also those that lead to nothing yet. Empty where they
/// lead round.
fs::path behindLinks(fs::path place)
{
    constexpr int most = 40; // as the kernel's own limit
    std::error_code failed;
    for (int i = 0; i < most; ++i) {
        if (!fs::is_symlink(fs::symlink_status(place, failed)))
            return place;
        const fs::path next = fs::read_symlink(place, failed);
        if (failed)
            return place;
        place = next.is_absolute() ? next : place.parent_path() / next;
    }
    return {};
}

std::string unfinishedPrefix(const fs::path &target)
{
    return target.filename().string() + ".unfinished-";
}

/// Several threads and several programs may write to one place at once.
fs::path unfinishedName(const fs::path &target)
{
    static std::atomic<unsigned> counter{0};
    return target.parent_path() /
           (unfinishedPrefix(target) + std::to_string(getpid()) + "-" + std::to_string(counter++));
}

/// Removes what killed programs left beside `target`: the living hold a lock on theirs.
void removeAbandoned(const fs::path &target)
{
    const std::string prefix = unfinishedPrefix(target);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
         at.increment(failed)) {
        const std::string name = at->path().filename().string();
        const bool ours = name.starts_with(prefix) &&
                          name.find_first_not_of("0123456789-", prefix.size()) == std::string::npos;
        std::error_code ignored;
        if (!ours || !at->is_regular_file(ignored) || at->is_symlink(ignored))
            continue;
        const int file = open(at->path().c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
        if (file < 0)
            continue;
        if (flock(file, LOCK_EX | LOCK_NB) == 0)
            unlink(at->path().c_str());
        close(file);
    }
}

/// Makes `path` and locks it. -1 with errno where that can't be done, EEXIST where another had it first.
int makeLocked(const fs::path &path)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    struct stat about = {};
    // Some file systems have no locks: there nothing is taken for abandoned.
    const bool taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && fstat(file, &about) == 0 && about.st_nlink > 0)
        return file;
    close(file);
    unlink(path.c_str());
    errno = EEXIST;
    return -1;
}

} // namespace

OutputFile::OutputFile(fs::path place, fs::path unfinished, int descriptor)
    : m_place(std::move(place)),
      m_unfinished(std::move(unfinished)),
      m_descriptor(descriptor)
{
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : m_place(std::move(other.m_place)),
      m_unfinished(std::exchange(other.m_unfinished, {})),
      m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

OutputFile::~OutputFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
    if (!m_unfinished.empty())
        unlink(m_unfinished.c_str());
}

Error OutputFile::failure(int why) const
{
    return fileError(m_place, why);
}

Result<OutputFile> OutputFile::create(const fs::path &place)
{
    const fs::path target = behindLinks(place);
    if (target.empty())
        return fileError(place, ELOOP);
    std::error_code failed;
    const fs::file_status there = fs::status(target, failed);
    if (fs::is_directory(there))
        return fileError(place, EISDIR);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        // Without O_NONBLOCK opening a pipe waits for who reads it, and can't be stopped.
        const int device = open(target.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (device < 0)
            return fileError(place, errno);
        fcntl(device, F_SETFL, O_WRONLY); // writing may wait
        return OutputFile(target, {}, device);
    }
    removeAbandoned(target);
    fs::path unfinished = unfinishedName(target);
    int file = makeLocked(unfinished);
    while (file < 0 && errno == EEXIST) {
        unfinished = unfinishedName(target);
        file = makeLocked(unfinished);
    }
    if (file < 0)
        return fileError(target, errno);
    // What replaces a file may be read by those who could read that one. Where it can't be set, nothing is
    // lost.
    if (fs::exists(there) && fchmod(file, static_cast<mode_t>(there.permissions()) & 0777) != 0)
        errno = 0;
    return OutputFile(target, unfinished, file);
}

Status OutputFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return failure(errno);
        if (written > 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
}

Status OutputFile::commit()
{
    if (m_unfinished.empty()) {
        const bool closed = close(std::exchange(m_descriptor, -1)) == 0;
        return closed ? Status(Done{}) : failure(errno);
    }
    if (fsync(m_descriptor) != 0)
        return failure(errno);
    if (std::rename(m_unfinished.c_str(), m_place.c_str()) != 0)
        return failure(errno);
    m_unfinished.clear();
    close(std::exchange(m_descriptor, -1)); // not before: the lock says that somebody is writing
    const fs::path folder = m_place.has_parent_path() ? m_place.parent_path() : fs::path(".");
    if (const int directory = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
        fsync(directory); // the new name; some file systems have no such thing
        close(directory);
    }
    return Done{};
}

Status checkIsPlaceForFile(const fs::path &place)
{
    std::error_code failed;
    const fs::file_status there = fs::status(place, failed);
    if (fs::exists(there) && !fs::is_regular_file(there) && !fs::is_directory(there))
        return Error{ErrorCode::InvalidInput, place.string() + " is a pipe or a device, not a file"};
    return Done{};
}

Status replaceFile(const fs::path &place, std::string_view bytes)
{
    if (Status good = checkIsPlaceForFile(place); !good)
        return good;
    std::error_code failed;
    fs::create_directories(place.parent_path(), failed);
    Result<OutputFile> file = OutputFile::create(place);
    if (!file)
        return std::move(file).error();
    if (Status written = file->write(bytes); !written)
        return written;
    return file->commit();
}

} // namespace perilune
