#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace perilune {

// clang-format off
/// Cuts text into the pieces within which bytes are merged: a matcher, written by hand, for the pattern
///
///       [\p{Han}]+
///     | [^\r\n\p{L}\p{N}]? UPPER* LOWER+ CONTRACTION?
///     | [^\r\n\p{L}\p{N}]? UPPER+ LOWER* CONTRACTION?
///     | \p{N}{1,3}
///     | SPACE? [^\s\p{L}\p{N}]+ [\r\n]*
///     | \s*[\r\n]+
///     | \s+(?!\S)
///     | \s+
///
/// where
///
///     SPACE       = U+0020
///     UPPER       = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]
///     LOWER       = [\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]
///     CONTRACTION = (?i:'s|'t|'re|'ve|'m|'ll|'d)
///
/// The first alternative that matches wins. Time is linear in the text, whatever it holds.
// clang-format on
class Pretokenizer {
public:
    Pretokenizer();

    /// The length in bytes of the first piece of `text`, which must be valid UTF-8 and not empty. The end of
    /// `text` counts as the end of all text for the look-ahead.
    std::size_t pieceLength(std::string_view text) const;

    /// Cuts `text` so that no block has more than 400,000 code points and no run of white-space, or of other
    /// characters, more than 25,000. Each slice is encoded by itself: the cuts are part of the encoding.
    std::vector<std::string_view> slices(std::string_view text) const;

private:
    class Matcher;

    std::vector<std::uint8_t> m_classes; // by code point, bits of CharClass
};

} // namespace perilune
