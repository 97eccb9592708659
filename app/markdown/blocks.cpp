#include "app/markdown/blocks.h"

#include "app/markdown/line_scanner.h"
#include "app/markdown/line_shapes.h"

#include <algorithm>

namespace perilune {

namespace {

/// The lines of `text`, without their ends.
std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// `line` without up to `columns` columns of indent; a tab cut in two leaves its rest as spaces.
std::string dedented(std::string_view line, std::size_t columns)
{
    std::size_t column = 0;
    while (column < columns && !line.empty() && (line.front() == ' ' || line.front() == '\t')) {
        column += line.front() == '\t' ? 4 - column % 4 : 1;
        line.remove_prefix(1);
    }
    return std::string(column > columns ? column - columns : 0, ' ') + std::string(line);
}

} // namespace

struct MarkdownBlocks::Impl {
    std::string text;
    std::size_t lineBegin = 0; // of the unfinished line
    LineScanner scanner;
    std::vector<MarkdownBlock> closed;
};

MarkdownBlocks::MarkdownBlocks() : m_impl(std::make_unique<Impl>()) {}
MarkdownBlocks::~MarkdownBlocks() = default;
MarkdownBlocks::MarkdownBlocks(MarkdownBlocks &&) noexcept = default;
MarkdownBlocks &MarkdownBlocks::operator=(MarkdownBlocks &&) noexcept = default;

void MarkdownBlocks::feed(std::string_view piece)
{
    Impl &impl = *m_impl;
    std::size_t search = impl.text.size();
    impl.text += piece;
    for (;;) {
        const std::size_t end = impl.text.find('\n', search);
        if (end == std::string::npos)
            return;
        const std::string_view line =
            std::string_view(impl.text).substr(impl.lineBegin, end - impl.lineBegin);
        impl.scanner.take(line, impl.lineBegin, impl.closed);
        impl.lineBegin = end + 1;
        search = end + 1;
    }
}

const std::string &MarkdownBlocks::text() const
{
    return m_impl->text;
}

const std::vector<MarkdownBlock> &MarkdownBlocks::closed() const
{
    return m_impl->closed;
}

std::vector<MarkdownBlock> MarkdownBlocks::open() const
{
    std::vector<MarkdownBlock> blocks;
    LineScanner scanner = m_impl->scanner;
    const std::string_view unfinished = std::string_view(m_impl->text).substr(m_impl->lineBegin);
    if (!unfinished.empty())
        scanner.take(unfinished, m_impl->lineBegin, blocks);
    if (const MarkdownBlock *top = scanner.top())
        blocks.push_back(*top);
    return blocks;
}

std::string_view MarkdownBlocks::source(const MarkdownBlock &block) const
{
    return std::string_view(m_impl->text).substr(block.begin, block.end - block.begin);
}

std::vector<MarkdownBlock> markdownBlocks(std::string_view text)
{
    MarkdownBlocks blocks;
    blocks.feed(text);
    std::vector<MarkdownBlock> all = blocks.closed();
    const std::vector<MarkdownBlock> open = blocks.open();
    all.insert(all.end(), open.begin(), open.end());
    return all;
}

std::string codeText(std::string_view source)
{
    std::vector<std::string_view> lines = linesOf(source);
    const LineCursor head(lines.front());
    const std::optional<Fence> fence = openingFence(head);
    const std::size_t columns = fence ? head.indent() : 4;
    if (fence) {
        if (lines.size() > 1 && closesFence(LineCursor(lines.back()), fence->mark, fence->length))
            lines.pop_back();
        lines.erase(lines.begin());
    }
    std::string code;
    for (const std::string_view line : lines) {
        code += dedented(line, columns);
        code += '\n';
    }
    return code;
}

std::string mathText(std::string_view source)
{
    const std::size_t begin = source.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    source.remove_prefix(begin);
    const std::string_view end = mathOpener(source);
    if (end.empty())
        return std::string(source);
    source.remove_prefix(2);
    source = source.substr(0, source.find(end));
    const std::size_t first = source.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return {};
    return std::string(source.substr(first, source.find_last_not_of(" \t\r\n") + 1 - first));
}

} // namespace perilune
