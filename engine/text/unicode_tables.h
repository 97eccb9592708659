#pragma once

#include <cstdint>
#include <span>

namespace perilune {

/// What the pre-tokenization pattern asks of a code point; bits of CharClassRange::classes. Script Han by the
/// Script property; Upper is Lu, Lt, Lm, Lo and M without Han, Lower is Ll, Lm, Lo and M without Han.
enum CharClass : std::uint8_t {
    kHan = 1,
    kUpper = 2,
    kLower = 4,
    kLetter = 8,
    kNumber = 16,
    kSpace = 32,        ///< property White_Space
    kLineBreak = 64,    ///< CR and LF
    kPythonSpace = 128, ///< str.isspace of Python: White_Space and U+001C to U+001F
};

/// The classes of the code points from `first` to `last`.
struct CharClassRange {
    std::uint32_t first, last;
    std::uint8_t classes;
};

/// Of Unicode 16.0, in rising order without overlap; a code point in no range has no class.
extern const std::span<const CharClassRange> kCharClassRanges;

} // namespace perilune
