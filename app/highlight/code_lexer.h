// Divides code into what is coloured alike, a line at a time, so that code that is still being written costs
// its new lines only.
#pragma once

#include "app/highlight/language.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace perilune {

enum class CodeKind : std::uint8_t {
    Keyword,
    Type,
    Literal,
    Number,
    String,
    Comment,
    Meta,
    Name,
    Added,
    Removed
};

/// `length` UTF-16 units from `begin` on. What is in no span is plain.
struct CodeSpan {
    std::uint32_t begin = 0, length = 0;
    CodeKind kind = CodeKind::Keyword;

    bool operator==(const CodeSpan &) const = default;
};

/// Appends the spans of `line` (without its end), in order and without overlap. `state` is what the line
/// before it left open: 0 before the first line. Returns what this line leaves open. Any text is fine, also
/// none of the language.
int lexLine(const Language &language, std::u16string_view line, int state, std::vector<CodeSpan> &spans);

} // namespace perilune
