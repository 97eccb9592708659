// ConversationStore: finding words.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <algorithm>

namespace perilune {

namespace {

constexpr std::size_t kLongestPattern = 50'000; // SQLite's own limit for LIKE

/// SQLite's LIKE without its wildcards: ASCII letters in either case, everything else as it is.
std::string likePattern(std::string_view text)
{
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern + '%';
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool continuesCodePoint(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The hit with some words around it, on one line.
std::string excerptOf(const std::string &text, std::string_view needle)
{
    constexpr std::size_t around = 60; // bytes on each side
    const auto found = std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    const auto at = static_cast<std::size_t>(found - text.begin());
    std::size_t begin = at > around ? at - around : 0;
    std::size_t end = std::min(text.size(), at + needle.size() + around);
    while (begin > 0 && continuesCodePoint(text[begin]))
        --begin;
    while (end < text.size() && continuesCodePoint(text[end]))
        ++end;
    std::string excerpt = text.substr(begin, end - begin);
    std::ranges::replace(excerpt, '\n', ' ');
    return (begin > 0 ? "…" : "") + excerpt + (end < text.size() ? "…" : "");
}

} // namespace

Result<std::vector<ConversationStore::Hit>> ConversationStore::search(std::string_view text,
                                                                      std::uint32_t limit)
{
    std::vector<Hit> hits;
    if (text.empty())
        return hits;
    const std::string pattern = likePattern(text);
    if (pattern.size() > kLongestPattern)
        return Error{ErrorCode::InvalidInput,
                     "the text to search for is too long: " + std::to_string(text.size()) + " bytes, where " +
                         std::to_string(kLongestPattern / 2) + " can be found for certain"};
    Statement query(
        m_database,
        "SELECT c.id, 0, c.title, c.title, c.updated_ms AS t, 0 AS p FROM conversation c"
        " WHERE c.deleted_ms IS NULL AND c.title LIKE ?1 ESCAPE '\\'"
        " UNION ALL SELECT c.id, m.id, c.title, CASE WHEN p.media_name LIKE ?1 ESCAPE '\\' THEN p.media_name"
        " ELSE p.text END, c.updated_ms, p.position FROM part p JOIN message m ON m.id = p.message_id"
        " JOIN conversation c ON c.id = m.conversation_id WHERE c.deleted_ms IS NULL AND m.deleted_ms IS NULL"
        " AND (p.text LIKE ?1 ESCAPE '\\' OR p.media_name LIKE ?1 ESCAPE '\\')"
        " ORDER BY t DESC, 1 DESC, 2, p LIMIT ?2");
    query.bind(pattern, limit);
    while (query.row())
        hits.push_back({query.integer(0), query.integer(1), query.text(2), excerptOf(query.text(3), text)});
    if (Status read = query.status(); !read)
        return std::move(read).error().during("searching");
    return hits;
}

} // namespace perilune
