#include "engine/base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace perilune {

namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor()
    {
        if (m_number >= 0)
            close(m_number);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int number() const { return m_number; }

private:
    int m_number;
};

Error failure(const std::string &path, int why)
{
    return {why == ENOENT || why == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io,
            path + " can't be read: " + std::generic_category().message(why)};
}

} // namespace

Result<std::string> readFile(const std::string &path, std::uint64_t longest)
{
    // Without O_NONBLOCK opening a pipe waits for a writer.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat about = {};
    if (file.number() < 0 || fstat(file.number(), &about) != 0)
        return failure(path, errno);
    if (!S_ISREG(about.st_mode))
        return Error{ErrorCode::InvalidInput,
                     path + (S_ISDIR(about.st_mode) ? " is a folder" : " is a pipe or a device") +
                         ", not a file"};
    std::string bytes;
    std::string block(1 << 16, '\0'); // not by its size: files of the kernel have none, and any may grow
    for (;;) {
        const ssize_t count = read(file.number(), block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure(path, errno);
        if (count == 0)
            return bytes;
        bytes.append(block, 0, static_cast<std::size_t>(count));
        if (bytes.size() > longest)
            return Error{ErrorCode::Corrupt,
                         path + " has more than the " + std::to_string(longest) + " bytes expected at most"};
    }
}

} // namespace perilune
