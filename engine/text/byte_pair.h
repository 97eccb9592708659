#pragma once

#include "engine/text/vocabulary.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace perilune {

/// Encodes pieces: a piece that is a token is that token; of any other the two neighbours whose concatenation
/// has the lowest rank, the leftmost where ranks tie, are merged until no concatenation is a token.
///
/// Holds only room that it works in, so that a text needs few allocations; one for each thread.
class BytePairMerger {
public:
    explicit BytePairMerger(const Vocabulary &vocabulary) : m_vocabulary(&vocabulary) {}

    /// Appends the ranks of `piece`, which may not be empty. O(n log n) in its bytes.
    void encode(std::string_view piece, std::vector<std::uint32_t> &ids);

private:
    /// One part of a long piece; parts are linked by where they begin.
    struct Part {
        std::uint32_t previous, next; // where the neighbours begin; next is the piece's size at the end
        std::uint32_t rank;           // of the part itself
        std::uint32_t pair;           // of the concatenation with the next part; none in parts merged away
    };
    /// A candidate pair in a list of candidates of equal rank, in rising position.
    struct Candidate {
        std::uint32_t position, next;
    };
    /// The first candidate of such a list.
    struct Head {
        std::uint64_t key; // rank, then position
        std::uint32_t candidate;
    };
    /// What two neighbouring parts, by their ranks, were last found to make. A run of one character makes
    /// tokens of 64 bytes and more; not hashing their bytes for each merge saves it a tenth of the time.
    struct Joined {
        std::uint32_t left = Vocabulary::kNone, right = Vocabulary::kNone;
        std::uint32_t rank = Vocabulary::kNone;
    };
    static constexpr unsigned kJoinedBits = 11; // 24 KiB: stays in the nearest cache

    void encodeShort(std::string_view piece, std::vector<std::uint32_t> &ids) const;
    void encodeLong(std::string_view piece, std::vector<std::uint32_t> &ids);
    std::uint32_t join(std::string_view piece, std::uint32_t position);
    void propose(std::uint32_t position);
    bool findBest();
    void advance();
    bool changesNext(std::uint32_t position) const;

    const Vocabulary *m_vocabulary;
    std::vector<Part> m_parts;
    std::vector<Candidate> m_candidates;
    Head m_best;                        // the head of the list that is being worked off
    std::vector<Head> m_heads;          // of the other lists: a heap, the lowest key on top
    std::vector<std::uint32_t> m_tails; // by rank: the last candidate of a list that may still grow
    std::vector<Joined> m_joined;       // where two ranks hash to; a later pair replaces an earlier one
};

} // namespace perilune
