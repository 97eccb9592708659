#include "media/helper/channel.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sys/uio.h>
#include <unistd.h>

namespace perilune::helper {

namespace {

[[noreturn]] void partnerIsGone()
{
    _exit(0);
}

bool readExactly(int input, char *bytes, std::size_t size)
{
    while (size > 0) {
        const ssize_t n = read(input, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace

std::optional<std::string> Channel::receive(protocol::Type type)
{
    protocol::Header header;
    if (!readExactly(m_input, reinterpret_cast<char *>(&header), sizeof header))
        return std::nullopt;
    if (header.type != type || header.bytes > protocol::kMaxPayload)
        return std::nullopt;
    std::string payload(header.bytes, '\0');
    if (!readExactly(m_input, payload.data(), payload.size()))
        return std::nullopt;
    return payload;
}

void Channel::send(protocol::Type type, std::string_view payload)
{
    protocol::Header header{type, static_cast<std::uint32_t>(payload.size())};
    iovec parts[] = {
        {&header,                            sizeof header },
        {const_cast<char *>(payload.data()), payload.size()}
    };
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        const ssize_t n = writev(m_output, parts, 2);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            partnerIsGone();
        auto written = static_cast<std::size_t>(n);
        for (iovec &part : parts) {
            const std::size_t taken = std::min(written, part.iov_len);
            part.iov_base = static_cast<char *>(part.iov_base) + taken;
            part.iov_len -= taken;
            written -= taken;
        }
    }
}

void Channel::sendRows(std::span<const std::uint8_t> rows, std::size_t rowBytes)
{
    const std::size_t step = std::max<std::size_t>(protocol::kRowsPayload / rowBytes, 1) * rowBytes;
    while (!rows.empty()) {
        const auto part = rows.first(std::min(step, rows.size()));
        send(protocol::Type::Rows, {reinterpret_cast<const char *>(part.data()), part.size()});
        rows = rows.subspan(part.size());
    }
}

void Channel::progress(double fraction)
{
    const double now =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    if (now - m_lastProgress < 0.05)
        return;
    m_lastProgress = now;
    send(protocol::Type::Progress, protocol::packProgress(std::clamp(fraction, 0.0, 1.0)));
}

} // namespace perilune::helper
