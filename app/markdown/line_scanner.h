#pragma once

#include "app/markdown/blocks.h"

#include <optional>
#include <string_view>
#include <vector>

namespace perilune {

/// Divides lines into top-level blocks, as CommonMark's block structure has it: containers (quotes, list
/// items) around at most one leaf. Small enough to be copied for every look at an unfinished line.
class LineScanner {
public:
    /// Takes the line in bytes [begin, begin + line.size()) of the text, without its end. Blocks that can't
    /// change any more go to `closed`.
    void take(std::string_view line, std::size_t begin, std::vector<MarkdownBlock> &closed);

    /// The block that may still grow.
    const MarkdownBlock *top() const { return m_hasTop ? &m_top : nullptr; }

private:
    enum class Leaf { None, Paragraph, Fence, Indented, Table, Math };

    struct Container {
        bool quote = false;
        std::size_t indent = 0; // of an item: columns its content is indented by
        char marker = 0;        // of an item: - + * . )
        bool empty = false;     // of an item: nothing has come after its marker
    };

    struct Line; // a line and how far it is read

    std::size_t matchContainers(Line &line) const;
    bool continueLeaf(Line &line, bool allMatched);
    bool openContainers(Line &line, std::size_t &matched);
    bool openQuote(Line &line, std::size_t &matched);
    bool openItem(Line &line, std::size_t &matched);
    bool openLeaf(Line &line, std::size_t matched);
    bool openFence(Line &line, std::size_t matched);
    bool openMath(Line &line, std::size_t matched);
    void takeText(Line &line, std::size_t matched, bool opened);
    void startTable(const Line &line);
    void takeBlank(std::size_t matched);

    void closeTo(std::size_t depth);
    void start(MarkdownBlock::Kind kind, const Line &line);
    void close();

    std::vector<Container> m_containers;
    Leaf m_leaf = Leaf::None;
    // Of a paragraph's last line, were it the head of a table:
    std::size_t m_headCells = 0;
    std::size_t m_headBegin = 0;
    std::size_t m_endBeforeHead = 0;
    char m_fenceMark = 0;
    std::size_t m_fenceLength = 0;
    std::string_view m_mathEnd;

    bool m_hasTop = false;
    MarkdownBlock m_top;                            // valid where there is one
    char m_topMarker = 0;                           // of a list
    std::vector<MarkdownBlock> *m_closed = nullptr; // during take()
};

} // namespace perilune
