#include "app/export/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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
    std::error_code failed;
    const fs::file_status there = fs::status(place, failed);
    if (fs::is_directory(there))
        return fileError(place, EISDIR);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        // Without O_NONBLOCK opening a pipe waits for who reads it, and can't be stopped.
        const int device = open(place.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (device < 0)
            return fileError(place, errno);
        fcntl(device, F_SETFL, O_WRONLY); // writing may wait
        return OutputFile(place, {}, device);
    }
    // A link stays a link: the file behind it is replaced.
    const fs::path target = fs::exists(there) ? fs::canonical(place, failed) : place;
    fs::path unfinished = target;
    unfinished += ".unfinished-" + std::to_string(getpid());
    const int file = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST && unlink(unfinished.c_str()) == 0)
        return create(place); // left by a dead program of our number
    if (file < 0)
        return fileError(place, errno);
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
    if (!m_unfinished.empty() && fsync(m_descriptor) != 0)
        return failure(errno);
    if (close(std::exchange(m_descriptor, -1)) != 0)
        return failure(errno);
    if (m_unfinished.empty())
        return Done{};
    if (std::rename(m_unfinished.c_str(), m_place.c_str()) != 0)
        return failure(errno);
    m_unfinished.clear();
    const fs::path folder = m_place.has_parent_path() ? m_place.parent_path() : fs::path(".");
    if (const int directory = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
        fsync(directory); // the new name; some file systems have no such thing
        close(directory);
    }
    return Done{};
}

} // namespace perilune
