#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace perilune::fuzz {

/// Ends the run with `law` where it doesn't hold; libFuzzer keeps the input.
inline void require(bool holds, const char *law)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

/// The bytes that libFuzzer made: a few choices from the front, the rest is text.
class Input {
public:
    Input(const std::uint8_t *data, std::size_t size) : m_rest(reinterpret_cast<const char *>(data), size) {}

    /// A number below `limit`; 0 where no bytes are left.
    std::size_t below(std::size_t limit)
    {
        if (m_rest.empty())
            return 0;
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        return byte % limit;
    }
    std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
};

/// A file in memory, for readers that take a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : m_descriptor(memfd_create("fuzz", MFD_CLOEXEC))
    {
        require(m_descriptor >= 0, "memory files can be made");
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t written = write(m_descriptor, bytes.data() + at, bytes.size() - at);
            require(written > 0, "memory files can be written");
            at += static_cast<std::size_t>(written);
        }
    }
    ~MemoryFile() { close(m_descriptor); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

/// An error is one sentence on one line that names something.
inline void requireSentence(const std::string &message)
{
    require(!message.empty() && message.size() < 10'000, "an error has a sentence of sensible length");
}

} // namespace perilune::fuzz
