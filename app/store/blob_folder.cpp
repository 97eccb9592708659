#include "app/store/blob_folder.h"

#include "engine/base/sha256.h"
#include "engine/base/shown_name.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20; // bytes read at a time

/// A file descriptor that closes itself.
class File {
public:
    File(const fs::path &path, int flags) : m_descriptor(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
    ~File()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    bool isOpen() const { return m_descriptor >= 0; }
    int descriptor() const { return m_descriptor; }
    /// What is no plain file may have no end, and nothing may ever come from it.
    bool isPlain() const
    {
        struct stat about{};
        return ::fstat(m_descriptor, &about) == 0 && S_ISREG(about.st_mode);
    }

private:
    int m_descriptor;
};

Error systemError(const std::string &doing)
{
    const int code = errno;
    if (code == ENOSPC || code == EDQUOT)
        return {ErrorCode::NoSpace, doing + ": the disk is full"};
    return {code == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
            doing + ": " + std::error_code(code, std::generic_category()).message()};
}

Error noPlainFile(const fs::path &file)
{
    std::error_code failed;
    const bool folder = fs::is_directory(file, failed);
    return {ErrorCode::InvalidInput,
            shownName(file.string()) +
                (folder ? " is a folder, not a file" : " is a pipe or a device, not a file")};
}

Status writeAll(const File &file, const char *bytes, std::size_t size)
{
    while (size > 0) {
        const ssize_t written = ::write(file.descriptor(), bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return systemError("copying a file");
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return Done{};
}

/// Reads `from` to its end, hashing, and copies it to `to` where that is given.
Result<BlobFolder::Blob> readWhole(const fs::path &path, const File &from, const File *to)
{
    BlobFolder::Blob blob;
    Sha256 hash;
    std::vector<char> piece(kPiece);
    for (;;) {
        const ssize_t got = ::read(from.descriptor(), piece.data(), piece.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError("reading " + shownName(path.string()));
        if (got == 0)
            break;
        const auto size = static_cast<std::size_t>(got);
        hash.add(std::string_view(piece.data(), size));
        blob.bytes += size;
        if (to) {
            if (Status written = writeAll(*to, piece.data(), size); !written)
                return std::move(written).error();
        }
    }
    blob.sha256 = hash.finishHex();
    return blob;
}

/// Makes a rename in `folder` durable.
void syncFolder(const fs::path &folder)
{
    const File handle(folder, O_RDONLY | O_DIRECTORY);
    if (handle.isOpen())
        ::fsync(handle.descriptor());
}

bool isName(const std::string &name)
{
    return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// A name for a copy under way; several stores of one program may copy at once.
fs::path unfinishedName(const fs::path &folder)
{
    static std::atomic<unsigned> counter{0};
    return folder / (".copy-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
}

/// Removes the file where it still has its unfinished name.
struct Unfinished {
    fs::path path;
    ~Unfinished()
    {
        std::error_code ignored;
        if (!path.empty())
            fs::remove(path, ignored);
    }
};

} // namespace

Result<BlobFolder::Blob> hashFile(const fs::path &file)
{
    const File from(file, O_RDONLY | O_NONBLOCK);
    if (!from.isOpen())
        return systemError("opening " + shownName(file.string()));
    if (!from.isPlain())
        return noPlainFile(file);
    Result<BlobFolder::Blob> blob = readWhole(file, from, nullptr);
    if (blob)
        blob->path = file;
    return blob;
}

fs::path BlobFolder::pathOf(const std::string &sha256) const
{
    return m_folder / sha256.substr(0, 2) / sha256;
}

Result<BlobFolder::Blob> BlobFolder::add(const fs::path &file) const
{
    std::error_code failed;
    const std::string name = file.filename().string();
    if (isName(name) && pathOf(name) == file && fs::is_regular_file(file, failed))
        return Blob{name, fs::file_size(file, failed), file};

    const fs::file_status kind = fs::status(file, failed);
    if (fs::exists(kind) && !fs::is_regular_file(kind)) // opening a device may do something
        return noPlainFile(file);
    const File from(file, O_RDONLY | O_NONBLOCK);
    if (!from.isOpen() && errno == EACCES)
        return Error{ErrorCode::InvalidInput,
                     shownName(file.string()) + " may not be read: there is no permission"};
    if (!from.isOpen())
        return systemError("opening " + shownName(file.string()));
    if (!from.isPlain()) // the name means something else by now
        return noPlainFile(file);
    fs::create_directories(m_folder, failed);
    const Unfinished unfinished{unfinishedName(m_folder)};
    const File to(unfinished.path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!to.isOpen())
        return systemError("making " + unfinished.path.string());

    Result<Blob> blob = readWhole(file, from, &to);
    if (!blob)
        return blob;
    blob->path = pathOf(blob->sha256);
    if (fs::is_regular_file(blob->path, failed) && fs::file_size(blob->path, failed) == blob->bytes)
        return blob;
    if (::fsync(to.descriptor()) != 0)
        return systemError("copying " + shownName(file.string()));
    const fs::path folder = blob->path.parent_path();
    fs::create_directories(folder, failed);
    fs::rename(unfinished.path, blob->path, failed);
    if (failed)
        return Error{ErrorCode::Io, "naming " + blob->path.string() + ": " + failed.message()};
    syncFolder(folder);
    syncFolder(m_folder);
    return blob;
}

Result<BlobFolder::Blob> BlobFolder::addBytes(std::string_view bytes) const
{
    std::error_code failed;
    fs::create_directories(m_folder, failed);
    const Unfinished unfinished{unfinishedName(m_folder)};
    const File file(unfinished.path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.isOpen())
        return systemError("making " + unfinished.path.string());
    if (Status written = writeAll(file, bytes.data(), bytes.size()); !written)
        return std::move(written).error();
    return add(unfinished.path);
}

Status BlobFolder::hasRoom(std::uint64_t bytes) const
{
    std::error_code ignored;
    fs::create_directories(m_folder, ignored);
    const Unfinished probe{unfinishedName(m_folder)};
    const File file(probe.path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.isOpen())
        return systemError("looking for space in " + m_folder.string());
    // Written, not only asked for: quotas and file systems that compress tell no other way.
    const std::vector<char> piece(kPiece);
    for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
        if (Status written = writeAll(file, piece.data(), piece.size()); !written)
            return written;
    }
    if (::fsync(file.descriptor()) != 0)
        return systemError("looking for space in " + m_folder.string());
    return Done{};
}

Status BlobFolder::verify(const std::string &sha256) const
{
    const Result<Blob> blob = hashFile(pathOf(sha256));
    if (!blob)
        return blob.error();
    if (blob->sha256 != sha256)
        return Error{ErrorCode::Corrupt, pathOf(sha256).string() + " holds other bytes than were put in"};
    return Done{};
}

Status BlobFolder::remove(const std::string &sha256) const
{
    std::error_code failed;
    fs::remove(pathOf(sha256), failed);
    if (failed)
        return Error{ErrorCode::Io, "removing " + pathOf(sha256).string() + ": " + failed.message()};
    return Done{};
}

Result<std::vector<std::string>> BlobFolder::all() const
{
    std::vector<std::string> names;
    std::error_code failed;
    fs::recursive_directory_iterator at(m_folder, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
        const std::string name = at->path().filename().string();
        if (isName(name) && at->is_regular_file(failed))
            names.push_back(name);
    }
    if (failed && failed != std::errc::no_such_file_or_directory)
        return Error{ErrorCode::Io, "reading the folder " + m_folder.string() + ": " + failed.message()};
    return names;
}

} // namespace perilune
