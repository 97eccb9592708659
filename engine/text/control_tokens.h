#pragma once

#include "engine/text/chat_family.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// How many control tokens follow the ranks of any vocabulary of the family.
constexpr std::uint32_t kControlTokens = 256;

/// One of the tokens behind the ranks.
struct ControlToken {
    std::string name;
    bool named = false;  ///< has a name of its own, not <|reserved_token_N|>
    bool hidden = false; ///< never shown; false for the markers of thinking and tool calls
};

/// The names of all 256 control tokens.
class ControlTokenTable {
public:
    /// The family's own table, for a vocabulary of `baseSize` ranks: what holds where a model folder has no
    /// tokenizer_config.json.
    ControlTokenTable(ChatFamily family, std::uint32_t baseSize);

    /// Replaces all names by those of tokenizer_config.json: `id` is absolute. Call clear() first.
    void clear();
    void set(std::uint32_t offset, std::string name, bool hidden);

    const ControlToken &operator[](std::size_t offset) const { return m_tokens[offset]; }
    std::optional<std::uint32_t> offsetOf(std::string_view name) const;

private:
    std::array<ControlToken, kControlTokens> m_tokens;
    std::uint32_t m_baseSize;
};

/// Finds control-token names in text.
class ControlTokenSearch {
public:
    struct Found {
        std::size_t begin = 0, length = 0;
        std::uint32_t offset = 0; ///< of the control token
    };

    /// Looks for the named tokens only, or for all 256.
    ControlTokenSearch(const ControlTokenTable &table, bool namedOnly);

    /// The leftmost name at or behind `from`, the longest where several begin there.
    std::optional<Found> next(std::string_view text, std::size_t from) const;

private:
    struct Node {
        char byte = 0;
        std::uint32_t child = 0, sibling = 0;  // 0: none
        std::uint32_t offset = kControlTokens; // of the token that ends here
    };

    void add(std::string_view name, std::uint32_t offset);
    std::optional<Found> at(std::string_view text, std::size_t begin) const;

    std::vector<Node> m_nodes; // a tree of all names; node 0 is the root
    std::array<bool, 256> m_begins{};
};

} // namespace perilune
