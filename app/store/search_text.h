#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune {

/// Text as search compares it: case, accents, vowel marks, width and forms of letters make no difference,
/// white space is one space for each. `origin` gives for each byte of `text` where its character begins in
/// the source, and one more entry for the end; empty where every byte stands where it stood.
struct FoldedText {
    std::string text;
    std::vector<std::uint32_t> origin;
};
FoldedText foldText(std::string_view source);

/// What is looked for: words, all of which must be there, folded. "Quoted words" are one, spaces included.
std::vector<std::string> searchTerms(std::string_view query);

/// What the index keeps of a text, folded: every run of one to three characters without space, each once, as
/// tokens for FTS5 with spaces between.
std::string gramsOf(std::string_view folded);

/// An expression for MATCH that holds for every text with all of `terms` (and for some without them). Empty
/// where the index can't help.
std::string matchFor(const std::vector<std::string> &terms);

using ByteRange = std::pair<std::size_t, std::size_t>; ///< begin and end

/// Where `terms` stand in `source`, as byte ranges of it, in order and without overlap.
std::vector<ByteRange> findTerms(std::string_view source, const std::vector<std::string> &terms);

/// A line of `source` around the first of `marks`, and the marks in it as byte ranges of the line.
struct Excerpt {
    std::string text;
    std::vector<ByteRange> marks;
};
Excerpt excerptAround(std::string_view source, const std::vector<ByteRange> &marks);

} // namespace perilune
