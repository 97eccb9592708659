#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// The byte strings of tiktoken.model: one for each rank, all single bytes among them.
class Vocabulary {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// Parses the file's text: a line for each token, base64 of its bytes, a space, its rank. `name` names
    /// the file in messages. Corrupt where a line is malformed, a rank or a byte string comes twice, a rank
    /// is missing, or a single byte has no token.
    static Result<Vocabulary> parse(std::string_view file, const std::string &name);

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_offsets.size() - 1); }
    std::size_t longest() const { return m_longest; } ///< bytes of the longest token

    /// The bytes of a rank below size().
    std::string_view bytes(std::uint32_t rank) const
    {
        return std::string_view(m_bytes).substr(m_offsets[rank], m_offsets[rank + 1] - m_offsets[rank]);
    }

    /// The rank of a byte string, kNone where it is no token.
    std::uint32_t find(std::string_view bytes) const
    {
        if (bytes.size() > m_longest)
            return kNone;
        if (bytes.size() == 2)
            return m_pairs[pairIndex(bytes.data())];
        return lookUp(bytes);
    }

    std::uint32_t ofByte(char byte) const { return m_singles[static_cast<unsigned char>(byte)]; }
    std::uint32_t ofPair(const char *two) const { return m_pairs[pairIndex(two)]; }

private:
    struct Slot {
        std::uint32_t tag = 0;      // of the hash, so that most misses end here
        std::uint32_t rank = kNone; // kNone: free
    };

    static std::size_t pairIndex(const char *two)
    {
        return static_cast<std::size_t>(static_cast<unsigned char>(two[0])) << 8 |
               static_cast<unsigned char>(two[1]);
    }
    static std::uint64_t hash(std::string_view bytes);

    std::uint32_t lookUp(std::string_view bytes) const;
    Status index(const std::string &name);

    std::string m_bytes;                  // of all tokens, by rank
    std::vector<std::uint32_t> m_offsets; // size() + 1 places in m_bytes
    std::vector<Slot> m_slots;            // a power of two, at most half full
    std::vector<std::uint32_t> m_pairs;   // rank of each two bytes
    std::vector<std::uint32_t> m_singles; // rank of each byte
    std::size_t m_longest = 0;
};

} // namespace perilune
