// A whole text of code, coloured; for documents. The window colours line by line, with code_lexer.h.
#pragma once

#include "app/highlight/code_lexer.h"

#include <optional>
#include <string_view>
#include <vector>

namespace perilune {

/// Bytes of a line that are coloured alike; none: plain.
struct ColouredPiece {
    std::string_view text;
    std::optional<CodeKind> kind{};

    bool operator==(const ColouredPiece &) const = default;
};

/// The lines of `code` (UTF-8, without their ends) in pieces that view into it; together they are the line.
/// A language that we don't know, or a line of more than 20,000 bytes, stays plain.
std::vector<std::vector<ColouredPiece>> colouredLines(std::string_view code, std::string_view language);

} // namespace perilune
