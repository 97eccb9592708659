#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// The byte strings of tiktoken.model: one for each rank, all single bytes among them.
class Vocabulary {
public:
    static constexpr std::uint32_t kNone = 0x7FFFFFFF; ///< above all ranks, also as a signed number

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
        if (bytes.size() == 2)
            return m_pairs[pairIndex(bytes[0], bytes[1])];
        if (bytes.size() <= kShort)
            return lookUpShort(packed(bytes));
        return bytes.size() <= m_longest ? lookUp(bytes) : kNone;
    }

    std::uint32_t ofByte(char byte) const { return m_singles[static_cast<unsigned char>(byte)]; }
    std::uint32_t ofPair(const char *two) const { return m_pairs[pairIndex(two[0], two[1])]; }

private:
    struct Slot {
        std::uint32_t tag = 0;      // of the hash, so that most misses end here
        std::uint32_t rank = kNone; // kNone: free
    };

    struct ShortSlot {
        std::uint64_t key = 0;
        std::uint32_t rank = kNone; // kNone: free
    };

    static constexpr std::size_t kShort = 7;
    static constexpr unsigned kFilterBits = 20;
    static constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15u;

    static std::size_t pairIndex(char first, char second)
    {
        return static_cast<std::size_t>(static_cast<unsigned char>(first)) << 8 |
               static_cast<unsigned char>(second);
    }
    /// Up to kShort bytes and their number as one word: short tokens are compared without going to m_bytes.
    static std::uint64_t packed(std::string_view bytes);
    static std::uint64_t hash(std::string_view bytes);

    std::uint32_t lookUpShort(std::uint64_t key) const
    {
        const std::uint64_t code = key * kMix;
        // Most lookups find nothing; this small table answers most of those without leaving the cache.
        if (!(m_filter[code >> (64 - kFilterBits) >> 6] >> (code >> (64 - kFilterBits) & 63) & 1))
            return kNone;
        for (std::size_t slot = code >> m_shortShift;; slot = (slot + 1) & (m_shortSlots.size() - 1)) {
            if (m_shortSlots[slot].key == key)
                return m_shortSlots[slot].rank;
            if (m_shortSlots[slot].rank == kNone)
                return kNone;
        }
    }
    std::uint32_t lookUp(std::string_view bytes) const;
    void insertShort(std::uint64_t key, std::uint32_t rank);
    void insert(std::string_view bytes, std::uint32_t rank);
    Status index(const std::string &name);

    std::string m_bytes;                  // of all tokens, by rank
    std::vector<std::uint32_t> m_offsets; // size() + 1 places in m_bytes
    std::vector<Slot> m_slots;            // of tokens beyond kShort bytes; a power of two, at most half full
    std::vector<ShortSlot> m_shortSlots;  // of the others, likewise
    std::vector<std::uint64_t> m_filter;  // a bit for each hash that a short token has
    unsigned m_shortShift = 0;            // takes a hash to a place in m_shortSlots
    std::vector<std::uint32_t> m_pairs;   // rank of each two bytes
    std::vector<std::uint32_t> m_singles; // rank of each byte
    std::size_t m_longest = 0;
};

inline std::uint64_t Vocabulary::packed(std::string_view bytes)
{
    const char *data = bytes.data();
    const std::size_t size = bytes.size();
    const auto load = [](const char *from) {
        std::uint32_t word = 0;
        std::memcpy(&word, from, 4);
        return std::uint64_t{word};
    };
    const auto byte = [data](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(data[i])}; };
    const std::uint64_t length = std::uint64_t{size} << 56;
    if (size >= 4)
        return length | load(data) | load(data + size - 4) << (8 * (size - 4));
    if (size == 0)
        return length;
    return length | byte(0) | byte(size / 2) << (8 * (size / 2)) | byte(size - 1) << (8 * (size - 1));
}

} // namespace perilune
