#include "engine/text/control_tokens.h"

#include "engine/base/check.h"

#include <span>
#include <utility>

namespace perilune {

namespace {

struct Name {
    std::uint32_t offset;
    std::string_view name;
    bool hidden;
};

constexpr Name kCommon[] = {
    {0,   "[BOS]",            true},
    {1,   "[EOS]",            true},
    {2,   "<|im_end|>",       true},
    {3,   "<|im_user|>",      true},
    {4,   "<|im_assistant|>", true},
    {9,   "[EOT]",            true},
    {10,  "<|im_system|>",    true},
    {17,  "<|im_middle|>",    true},
    {254, "[UNK]",            true},
    {255, "[PAD]",            true},
};
constexpr Name kHeaders[] = {
    {6, "<|start_header_id|>", true},
    {7, "<|end_header_id|>",   true}
};
constexpr Name kTools[] = {
    {11, "<|tool_calls_section_begin|>", false},
    {12, "<|tool_calls_section_end|>",   false},
    {13, "<|tool_call_begin|>",          false},
    {14, "<|tool_call_argument_begin|>", false},
    {15, "<|tool_call_end|>",            false},
};
constexpr Name kMediaBegin[] = {
    {18, "<|media_begin|>", true}
};
constexpr Name kMediaStart[] = {
    {18, "<|media_start|>", true}
};
constexpr Name kMedia[] = {
    {19, "<|media_content|>", true},
    {20, "<|media_end|>",     true},
    {21, "<|media_pad|>",     true}
};
constexpr Name kThinking[] = {
    {22, "<think>",  false},
    {23, "</think>", false}
};

using Names = std::span<const Name>;

std::vector<Names> namesOf(ChatFamily family)
{
    switch (family) {
    case ChatFamily::K25:
    case ChatFamily::K26: return {kCommon, kHeaders, kTools, kMediaBegin, kMedia, kThinking};
    case ChatFamily::K2: return {kCommon, kHeaders, kTools};
    case ChatFamily::K2Thinking: return {kCommon, kHeaders, kTools, kThinking};
    case ChatFamily::KimiVl: return {kCommon, kHeaders, kMediaStart, kMedia};
    case ChatFamily::Moonlight: return {kCommon};
    }
    return {};
}

} // namespace

ControlTokenTable::ControlTokenTable(ChatFamily family, std::uint32_t baseSize) : m_baseSize(baseSize)
{
    clear();
    for (const Names names : namesOf(family)) {
        for (const Name &name : names)
            set(name.offset, std::string(name.name), name.hidden);
    }
}

void ControlTokenTable::clear()
{
    for (std::uint32_t offset = 0; offset < kControlTokens; ++offset)
        m_tokens[offset] = {"<|reserved_token_" + std::to_string(m_baseSize + offset) + "|>", false, true};
}

void ControlTokenTable::set(std::uint32_t offset, std::string name, bool hidden)
{
    CHECK(offset < kControlTokens && !name.empty());
    m_tokens[offset] = {std::move(name), true, hidden};
}

std::optional<std::uint32_t> ControlTokenTable::offsetOf(std::string_view name) const
{
    for (std::uint32_t offset = 0; offset < kControlTokens; ++offset) {
        if (m_tokens[offset].name == name)
            return offset;
    }
    return std::nullopt;
}

ControlTokenSearch::ControlTokenSearch(const ControlTokenTable &table, bool namedOnly) : m_nodes(1)
{
    for (std::uint32_t offset = 0; offset < kControlTokens; ++offset) {
        if (table[offset].named || !namedOnly)
            add(table[offset].name, offset);
    }
}

void ControlTokenSearch::add(std::string_view name, std::uint32_t offset)
{
    m_begins[static_cast<unsigned char>(name[0])] = true;
    std::uint32_t node = 0;
    for (const char byte : name) {
        std::uint32_t child = m_nodes[node].child;
        while (child != 0 && m_nodes[child].byte != byte)
            child = m_nodes[child].sibling;
        if (child == 0) {
            child = static_cast<std::uint32_t>(m_nodes.size());
            m_nodes.push_back({byte, 0, m_nodes[node].child, kControlTokens});
            m_nodes[node].child = child;
        }
        node = child;
    }
    m_nodes[node].offset = offset;
}

std::optional<ControlTokenSearch::Found> ControlTokenSearch::next(std::string_view text,
                                                                  std::size_t from) const
{
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (!m_begins[static_cast<unsigned char>(text[begin])])
            continue;
        if (const std::optional<Found> found = at(text, begin))
            return found;
    }
    return std::nullopt;
}

std::optional<ControlTokenSearch::Found> ControlTokenSearch::at(std::string_view text,
                                                                std::size_t begin) const
{
    std::optional<Found> longest;
    std::uint32_t node = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        std::uint32_t child = m_nodes[node].child;
        while (child != 0 && m_nodes[child].byte != text[at])
            child = m_nodes[child].sibling;
        if (child == 0)
            break;
        node = child;
        if (m_nodes[node].offset != kControlTokens)
            longest = Found{begin, at + 1 - begin, m_nodes[node].offset};
    }
    return longest;
}

} // namespace perilune
