#include "app/cli/standard_input.h"

#include "app/cli/command.h"

#include <cerrno>
#include <poll.h>
#include <system_error>
#include <termios.h>
#include <unistd.h>

namespace perilune::cli {

bool StandardInput::line(std::string &line)
{
    std::size_t from = m_at; // what has been searched already
    while (!interrupted().stop_requested()) {
        const std::size_t end = m_buffer.find('\n', from);
        if (end != std::string::npos) {
            line.assign(m_buffer, m_at, end - m_at);
            m_at = end + 1;
            return true;
        }
        m_buffer.erase(0, m_at);
        m_at = 0;
        from = m_buffer.size();
        if (!more())
            break;
    }
    line = interrupted().stop_requested() ? std::string() : m_buffer.substr(m_at);
    m_buffer.clear();
    m_at = 0;
    return !line.empty();
}

Status StandardInput::whole() const
{
    if (m_fault == 0)
        return Done{};
    return Error{ErrorCode::InvalidInput,
                 "standard input can't be read: " + std::generic_category().message(m_fault)};
}

void StandardInput::discard()
{
    m_buffer.clear();
    m_at = 0;
    if (isatty(STDIN_FILENO) != 0)
        tcflush(STDIN_FILENO, TCIFLUSH);
}

std::string StandardInput::rest()
{
    while (more()) {
    }
    std::string rest = m_buffer.substr(m_at);
    m_buffer.clear();
    m_at = 0;
    return rest;
}

/// Waits until there is more; false at the end of the input, or where it was interrupted.
bool StandardInput::more()
{
    pollfd ready[] = {
        {STDIN_FILENO,          POLLIN, 0},
        {interruptDescriptor(), POLLIN, 0}
    };
    while (!interrupted().stop_requested()) {
        if (poll(ready, 2, -1) < 0 && errno != EINTR)
            return false;
        if (ready[1].revents != 0 || ready[0].revents == 0)
            continue;
        char block[1 << 16];
        const ssize_t n = read(STDIN_FILENO, block, sizeof block);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            m_fault = errno;
        if (n > 0)
            m_buffer.append(block, static_cast<std::size_t>(n));
        return n > 0;
    }
    return false;
}

} // namespace perilune::cli
