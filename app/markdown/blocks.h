#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A top-level block of a Markdown text.
struct MarkdownBlock {
    enum class Kind {
        Paragraph,
        Heading, ///< level 1 to 6
        List,    ///< all its items
        Quote,
        Code, ///< fenced or indented; see codeText()
        Table,
        Math, ///< a formula of its own, in $$ … $$ or \[ … \]; see mathText()
        Rule,
    };
    Kind kind = Kind::Paragraph;
    std::uint32_t level = 0; ///< of a heading
    std::string language;    ///< of fenced code: the first word of its info string, as written
    std::size_t begin = 0,
                end = 0; ///< bytes of the text; without blank lines around it and the last line's end

    bool operator==(const MarkdownBlock &) const = default;
};

/// Splits an answer that is still growing into blocks that can be drawn apart, as CommonMark with tables
/// divides it (HTML counts as text). A closed block never changes again. Each byte is looked at a bounded
/// number of times, however long the text is.
///
/// The law: feeding a text in pieces gives the same blocks, closed and open, as feeding it whole.
/// Link reference definitions are paragraphs like any other: a block must be drawable alone.
class MarkdownBlocks {
public:
    MarkdownBlocks();
    ~MarkdownBlocks();
    MarkdownBlocks(MarkdownBlocks &&) noexcept;
    MarkdownBlocks &operator=(MarkdownBlocks &&) noexcept;

    void feed(std::string_view piece);

    /// All that was fed.
    const std::string &text() const;

    /// Grows, and never changes otherwise.
    const std::vector<MarkdownBlock> &closed() const;

    /// What the text after the closed blocks looks like now: none, one or two blocks. The next feed may
    /// change all of it.
    std::vector<MarkdownBlock> open() const;

    /// The block's Markdown. Valid until the next feed.
    std::string_view source(const MarkdownBlock &block) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// All blocks of a whole text.
std::vector<MarkdownBlock> markdownBlocks(std::string_view text);

/// The code inside a block of kind Code: without fences and their indent, or without the four columns.
std::string codeText(std::string_view source);

/// The LaTeX inside a block of kind Math.
std::string mathText(std::string_view source);

} // namespace perilune
