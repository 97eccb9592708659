#pragma once

#include "engine/base/result.h"
#include "media/protocol.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perilune::helper {

/// The helper's ends of the two pipes. A main program that is gone ends the helper.
class Channel {
public:
    Channel(int input, int output) : m_input(input), m_output(output) {}

    /// The payload of the next message, which must be of `type`; none at the end of the pipe or where it
    /// isn't.
    std::optional<std::string> receive(protocol::Type type);

    void send(protocol::Type type, std::string_view payload);

    /// Whole rows of `rowBytes`, in as many messages as that takes.
    void sendRows(std::span<const std::uint8_t> rows, std::size_t rowBytes);

    /// A sign of life, and how far the work is. Calling it often costs nothing.
    void progress(double fraction);

private:
    int m_input, m_output;
    double m_lastProgress = 0; // steady clock, seconds
};

} // namespace perilune::helper
