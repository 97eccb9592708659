#pragma once

#include "engine/base/result.h"

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

    /// Whether all of it could be read until now: a folder, or a disk that fails, is no end. InvalidInput.
    Status whole() const;

private:
    bool more();

    std::string m_buffer;
    std::size_t m_at = 0; // what lies before has been given away
    int m_fault = 0;      // errno of the read that ended it; 0 for none
};

} // namespace perilune::cli
