#include "app/markdown/tree.h"

#include "app/markdown/blocks.h"
#include "app/markdown/entities.h"
#include "app/markdown/inline_math.h"

#include <md4c.h>

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

using Kind = MarkdownNode::Kind;

constexpr std::size_t kDeepest = 40;

std::string attributeText(const MD_ATTRIBUTE &attribute)
{
    return attribute.text ? std::string(attribute.text, attribute.size) : std::string();
}

MarkdownNode::Align alignOf(MD_ALIGN align)
{
    if (align == MD_ALIGN_CENTER)
        return MarkdownNode::Align::Center;
    return align == MD_ALIGN_RIGHT ? MarkdownNode::Align::End : MarkdownNode::Align::Start;
}

/// What md4c begins, as a node; none for what has no node of its own.
std::optional<MarkdownNode> nodeOf(MD_BLOCKTYPE type, void *detail)
{
    MarkdownNode node;
    switch (type) {
    case MD_BLOCK_QUOTE: node.kind = Kind::Quote; break;
    case MD_BLOCK_UL: node.kind = Kind::List; break;
    case MD_BLOCK_OL:
        node.kind = Kind::List;
        node.ordered = true;
        node.number = static_cast<MD_BLOCK_OL_DETAIL *>(detail)->start;
        break;
    case MD_BLOCK_LI:
        node.kind = Kind::Item;
        if (const auto *item = static_cast<MD_BLOCK_LI_DETAIL *>(detail); item->is_task)
            node.done = item->task_mark != ' ';
        break;
    case MD_BLOCK_HR: node.kind = Kind::Rule; break;
    case MD_BLOCK_H:
        node.kind = Kind::Heading;
        node.number = static_cast<MD_BLOCK_H_DETAIL *>(detail)->level;
        break;
    case MD_BLOCK_CODE:
        node.kind = Kind::Code;
        node.language = attributeText(static_cast<MD_BLOCK_CODE_DETAIL *>(detail)->lang);
        node.spans.emplace_back();
        break;
    case MD_BLOCK_P: node.kind = Kind::Paragraph; break;
    case MD_BLOCK_TABLE: node.kind = Kind::Table; break;
    case MD_BLOCK_TR: node.kind = Kind::Row; break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        node.kind = Kind::Cell;
        node.header = type == MD_BLOCK_TH;
        node.align = alignOf(static_cast<MD_BLOCK_TD_DETAIL *>(detail)->align);
        break;
    default: return std::nullopt;
    }
    return node;
}

/// Receives md4c's events and builds the tree.
class Builder {
public:
    Builder() { m_open.emplace_back(); }

    std::vector<MarkdownNode> take()
    {
        closeImplicit();
        return std::move(m_open.front().children);
    }

    void enterBlock(MD_BLOCKTYPE type, void *detail)
    {
        closeImplicit();
        std::optional<MarkdownNode> node = nodeOf(type, detail);
        const bool kept = node && fits(node->kind);
        m_kept.push_back(kept);
        if (kept)
            m_open.push_back(std::move(*node));
    }
    void leaveBlock()
    {
        closeImplicit();
        if (m_kept.back())
            close();
        m_kept.pop_back();
    }
    void enterSpan(MD_SPANTYPE type, void *detail)
    {
        m_outer.push_back(m_style);
        switch (type) {
        case MD_SPAN_EM: m_style.italic = true; break;
        case MD_SPAN_STRONG: m_style.bold = true; break;
        case MD_SPAN_DEL: m_style.struck = true; break;
        case MD_SPAN_CODE: m_style.code = true; break;
        case MD_SPAN_A: enterLink(attributeText(static_cast<MD_SPAN_A_DETAIL *>(detail)->href)); break;
        case MD_SPAN_IMG: enterLink(attributeText(static_cast<MD_SPAN_IMG_DETAIL *>(detail)->src)); break;
        default: break;
        }
    }
    void leaveSpan()
    {
        m_style = std::move(m_outer.back());
        m_outer.pop_back();
    }
    void text(MD_TEXTTYPE type, std::string_view text)
    {
        switch (type) {
        case MD_TEXT_NULLCHAR: addText("\xef\xbf\xbd"); break;
        case MD_TEXT_BR:
        case MD_TEXT_SOFTBR: addText("\n"); break; // a model that ends a line means it
        case MD_TEXT_ENTITY: addText(entityText(text)); break;
        default: addText(text); break;
        }
    }

private:
    /// Whether there is room for the node. A table needs it for its rows and cells too, and those stand
    /// nowhere else.
    bool fits(Kind kind) const
    {
        switch (kind) {
        case Kind::Table: return m_open.size() + 2 < kDeepest;
        case Kind::Row: return m_open.back().kind == Kind::Table;
        case Kind::Cell: return m_open.back().kind == Kind::Row;
        default: return m_open.size() < kDeepest;
        }
    }
    void enterLink(const std::string &target)
    {
        if (isSafeLink(target))
            m_style.link = target;
    }
    /// The paragraph that a tight list leaves out ends with the next block.
    void closeImplicit()
    {
        if (std::exchange(m_implicit, false))
            close();
    }
    void close()
    {
        MarkdownNode done = std::move(m_open.back());
        m_open.pop_back();
        if (done.kind == Kind::Code && done.spans.front().text.ends_with('\n'))
            done.spans.front().text.pop_back();
        m_open.back().children.push_back(std::move(done));
    }
    void addText(std::string_view text)
    {
        const Kind kind = m_open.back().kind;
        if (m_open.size() == 1 || kind == Kind::Item || kind == Kind::Quote || kind == Kind::List) {
            m_open.emplace_back();
            m_implicit = true;
        }
        MarkdownNode &node = m_open.back();
        if (node.kind == Kind::Code) {
            node.spans.front().text += text;
            return;
        }
        m_style.text.clear();
        if (!node.spans.empty()) {
            MarkdownSpan last = node.spans.back();
            last.text.clear();
            if (last == m_style) {
                node.spans.back().text += text;
                return;
            }
        }
        node.spans.push_back(m_style);
        node.spans.back().text = text;
    }

    std::vector<MarkdownNode> m_open; ///< from the document to the innermost block
    std::vector<bool> m_kept;         ///< whether each of md4c's open blocks has a node
    bool m_implicit = false;          ///< the innermost is a paragraph that md4c doesn't know of
    MarkdownSpan m_style;
    std::vector<MarkdownSpan> m_outer;
};

void build(std::string_view markdown, Builder &builder)
{
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void *detail, void *to) {
        static_cast<Builder *>(to)->enterBlock(type, detail);
        return 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE, void *, void *to) {
        static_cast<Builder *>(to)->leaveBlock();
        return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void *detail, void *to) {
        static_cast<Builder *>(to)->enterSpan(type, detail);
        return 0;
    };
    parser.leave_span = [](MD_SPANTYPE, void *, void *to) {
        static_cast<Builder *>(to)->leaveSpan();
        return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *to) {
        static_cast<Builder *>(to)->text(type, {text, size});
        return 0;
    };
    md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &builder);
}

/// Formulas as code spans: Markdown would take a backslash before a bracket for an escape, and their stars
/// and underscores for emphasis.
std::string keepFormulas(std::string_view text)
{
    std::string kept;
    std::size_t at = 0;
    for (const InlineFormula &formula : inlineFormulas(text)) {
        const std::string_view source = text.substr(formula.begin, formula.end - formula.begin);
        const char *fence = source.find('`') == std::string_view::npos ? "`" : "";
        kept.append(text.substr(at, formula.begin - at)).append(fence).append(source).append(fence);
        at = formula.end;
    }
    return kept.append(text.substr(at));
}

bool isFormula(const MarkdownSpan &span)
{
    const std::string &text = span.text;
    return span.code && text.size() > 2 &&
           ((text.starts_with("\\(") && text.ends_with("\\)")) ||
            (text.starts_with("\\[") && text.ends_with("\\]")) ||
            (text.starts_with("$") && text.ends_with("$")));
}

void markFormulas(MarkdownNode &node)
{
    for (MarkdownSpan &span : node.spans)
        span.formula = isFormula(span);
    for (MarkdownNode &child : node.children)
        markFormulas(child);
}

} // namespace

std::vector<MarkdownNode> markdownTree(std::string_view text)
{
    std::vector<MarkdownNode> tree;
    for (const MarkdownBlock &block : markdownBlocks(text)) {
        const std::string_view source = text.substr(block.begin, block.end - block.begin);
        MarkdownNode whole;
        if (block.kind == MarkdownBlock::Kind::Code || block.kind == MarkdownBlock::Kind::Math) {
            const bool code = block.kind == MarkdownBlock::Kind::Code;
            whole.kind = code ? Kind::Code : Kind::Formula;
            whole.language = block.language;
            whole.spans.push_back({code ? codeText(source) : mathText(source)});
            if (whole.spans.front().text.ends_with('\n'))
                whole.spans.front().text.pop_back();
            tree.push_back(std::move(whole));
            continue;
        }
        Builder builder;
        build(keepFormulas(source), builder);
        for (MarkdownNode &node : builder.take()) {
            markFormulas(node);
            tree.push_back(std::move(node));
        }
    }
    return tree;
}

bool isSafeLink(std::string_view url)
{
    const auto begins = [url](std::string_view scheme) {
        return url.size() > scheme.size() &&
               std::equal(scheme.begin(), scheme.end(), url.begin(), [](char want, char is) {
                   return want == (is >= 'A' && is <= 'Z' ? static_cast<char>(is + 32) : is);
               });
    };
    const bool plain =
        std::ranges::none_of(url, [](char c) { return static_cast<unsigned char>(c) <= 0x20; });
    return plain && (begins("http:") || begins("https:") || begins("mailto:"));
}

std::string plainText(const std::vector<MarkdownSpan> &spans)
{
    std::string text;
    for (const MarkdownSpan &span : spans)
        text += span.text;
    return text;
}

} // namespace perilune
