#pragma once

#include <string>

namespace perilune::cli {

/// Standard input, read so that Ctrl-C and SIGTERM end the wait for it at once. Nothing else may read it.
class StandardInput {
public:
    /// The next line, without its end; false where there is none any more, or where the person has
    /// interrupted: look at interrupted().
    bool line(std::string &line);

    /// Drops what came before now: an answer to a question must not have been typed, or pasted, before it.
    void discard();

    /// All that is left.
    std::string rest();

private:
    bool more();

    std::string m_buffer;
    std::size_t m_at = 0; // what lies before has been given away
};

} // namespace perilune::cli
