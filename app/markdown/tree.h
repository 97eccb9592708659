#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A run of text that looks alike. '\n' is a line end that the writer meant.
struct MarkdownSpan {
    std::string text;
    bool bold = false, italic = false, struck = false, code = false;
    bool formula = false; ///< LaTeX, with its delimiters
    std::string link{};   ///< where it leads: http, https or mailto; else empty

    bool operator==(const MarkdownSpan &) const = default;
};

/// A block of Markdown with what is in it.
struct MarkdownNode {
    enum class Kind {
        Paragraph,
        Heading,
        Code,    ///< one span: the code
        Formula, ///< one span: the LaTeX, without delimiters
        Quote,
        List,
        Item,
        Table,
        Row,
        Cell,
        Rule,
    };
    enum class Align { Start, Center, End };

    Kind kind = Kind::Paragraph;
    std::uint32_t number = 0;             ///< level of a heading; the first number of an ordered list
    bool ordered = false;                 ///< a list with numbers
    bool header = false;                  ///< a cell of the first row
    Align align = Align::Start;           ///< of a cell
    std::optional<bool> done{};           ///< of an item with a box to tick
    std::string language{};               ///< of code, as written after the fence
    std::vector<MarkdownSpan> spans{};    ///< of Paragraph, Heading, Cell, Code, Formula
    std::vector<MarkdownNode> children{}; ///< of Quote, List, Item, Table, Row

    bool operator==(const MarkdownNode &) const = default;
};

/// A whole text as a tree, divided at the top as markdownBlocks() divides it. HTML is text, pictures are
/// links, nothing is fetched. Containers deeper than 40 are laid out as if they were not there.
std::vector<MarkdownNode> markdownTree(std::string_view text);

/// Whether what a model wrote may lead there: http, https and mailto only.
bool isSafeLink(std::string_view url);

/// The spans' text alone.
std::string plainText(const std::vector<MarkdownSpan> &spans);

} // namespace perilune
