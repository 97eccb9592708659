#include "media/helper/source_file.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace perilune::helper {

namespace {

constexpr std::uint64_t kLargestPicture = std::uint64_t{1} << 30; // bytes of a file

} // namespace

SourceFile::SourceFile(int descriptor) : m_descriptor(descriptor)
{
    struct stat found{};
    if (fstat(descriptor, &found) == 0 && found.st_size > 0)
        m_size = static_cast<std::uint64_t>(found.st_size);
}

std::int64_t SourceFile::read(std::uint64_t offset, std::uint8_t *bytes, std::size_t size) const
{
    for (;;) {
        const ssize_t n = pread(m_descriptor, bytes, size, static_cast<off_t>(offset));
        if (n >= 0 || errno != EINTR)
            return n;
    }
}

std::vector<std::uint8_t> SourceFile::head() const
{
    std::vector<std::uint8_t> bytes(4096);
    const std::int64_t n = read(0, bytes.data(), bytes.size());
    bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return bytes;
}

Result<std::vector<std::uint8_t>> SourceFile::all() const
{
    if (m_size > kLargestPicture)
        return Error{ErrorCode::InvalidInput, "is larger than a picture may be (1 GiB)"};
    std::vector<std::uint8_t> bytes(m_size);
    std::size_t have = 0;
    while (have < bytes.size()) {
        const std::int64_t n = read(have, &bytes[have], bytes.size() - have);
        if (n < 0)
            return Error{ErrorCode::Io, "can't be read to its end"};
        if (n == 0)
            break; // it has become shorter
        have += static_cast<std::size_t>(n);
    }
    bytes.resize(have);
    return bytes;
}

} // namespace perilune::helper
