#include "engine/text/byte_pair.h"

#include <algorithm>
#include <array>
#include <limits>

namespace perilune {

namespace {

constexpr std::uint32_t kNone = Vocabulary::kNone;
constexpr std::size_t kShort = 96; // bytes up to which looking at all pairs beats keeping order

} // namespace

void BytePairMerger::encode(std::string_view piece, std::vector<std::uint32_t> &ids)
{
    if (piece.size() == 1) {
        ids.push_back(m_vocabulary->ofByte(piece[0]));
        return;
    }
    if (const std::uint32_t rank = m_vocabulary->find(piece); rank != kNone)
        ids.push_back(rank);
    else if (piece.size() <= kShort)
        encodeShort(piece, ids);
    else
        encodeLong(piece, ids);
}

// Parts keep their place, where they begin; a part that was merged into the one before leaves a hole. The
// pair that begins at a place has the key rank · 128 + place, so that the least key is the leftmost of lowest
// rank, and finding it is one loop without branches.

void BytePairMerger::encodeShort(std::string_view piece, std::vector<std::uint32_t> &ids) const
{
    constexpr std::int32_t noPair = std::numeric_limits<std::int32_t>::max();
    const auto size = static_cast<std::uint32_t>(piece.size());
    std::array<std::int32_t, kShort> key;      // signed: older vector units have no unsigned minimum
    std::array<std::uint32_t, kShort> rank;    // of the part that begins here
    std::array<std::uint8_t, kShort> previous; // where the neighbours begin; next is `size` at the end
    std::array<std::uint8_t, kShort> next;
    const auto keyOf = [](std::uint32_t pair, std::uint32_t at) {
        return pair == kNone ? noPair : static_cast<std::int32_t>(pair << 7 | at);
    };
    for (std::uint32_t i = 0; i < size; ++i) {
        rank[i] = m_vocabulary->ofByte(piece[i]);
        previous[i] = static_cast<std::uint8_t>(i - 1);
        next[i] = static_cast<std::uint8_t>(i + 1);
        key[i] = i + 1 < size ? keyOf(m_vocabulary->ofPair(piece.data() + i), i) : noPair;
    }
    const std::uint32_t padded = (size + 3) / 4 * 4;
    for (std::uint32_t i = size; i < padded; ++i)
        key[i] = noPair;

    const auto refresh = [&](std::uint32_t at) {
        const std::uint32_t behind = next[at];
        key[at] =
            behind == size ? noPair : keyOf(m_vocabulary->find(piece.substr(at, next[behind] - at)), at);
    };
    for (;;) {
        std::int32_t least = noPair;
        for (std::uint32_t i = 0; i < padded; ++i)
            least = std::min(least, key[i]);
        if (least == noPair)
            break;
        const auto at = static_cast<std::uint32_t>(least) & 127;
        const std::uint32_t gone = next[at];
        rank[at] = static_cast<std::uint32_t>(least) >> 7;
        key[gone] = noPair;
        next[at] = next[gone];
        if (next[at] < size)
            previous[next[at]] = static_cast<std::uint8_t>(at);
        refresh(at);
        if (at > 0)
            refresh(previous[at]);
    }
    for (std::uint32_t i = 0; i < size; i = next[i])
        ids.push_back(rank[i]);
}

// Candidates of one rank are proposed mostly from left to right, so they are kept as lists of equal rank and
// rising position, and only the heads of the lists in a heap. A text of one repeated letter then needs a heap
// of one or two heads, where a heap of all candidates would be walked to its depth for each letter.

void BytePairMerger::encodeLong(std::string_view piece, std::vector<std::uint32_t> &ids)
{
    const auto size = static_cast<std::uint32_t>(piece.size());
    m_parts.resize(size);
    m_candidates.clear();
    m_heads.clear();
    m_tails.resize(m_vocabulary->size(), kNone);
    for (std::uint32_t i = 0; i < size; ++i)
        m_parts[i] = {i - 1, i + 1, m_vocabulary->ofByte(piece[i]), kNone, true};
    for (std::uint32_t i = 0; i < size; ++i)
        setPair(piece, i);

    std::uint32_t rank = 0, position = 0;
    while (takeBest(rank, position)) {
        Part &part = m_parts[position];
        if (!part.alive || part.pair != rank)
            continue; // merged or changed since it was proposed
        Part &next = m_parts[part.next];
        next.alive = false;
        part.next = next.next;
        part.rank = rank;
        if (part.next < size)
            m_parts[part.next].previous = position;
        if (position > 0)
            setPair(piece, part.previous);
        setPair(piece, position);
    }
    for (std::uint32_t i = 0; i < size; i = m_parts[i].next)
        ids.push_back(m_parts[i].rank);
}

void BytePairMerger::setPair(std::string_view piece, std::uint32_t position)
{
    Part &part = m_parts[position];
    const auto size = static_cast<std::uint32_t>(piece.size());
    part.pair = kNone;
    if (part.next == size)
        return;
    part.pair = m_vocabulary->find(piece.substr(position, m_parts[part.next].next - position));
    if (part.pair != kNone)
        propose(part.pair, position);
}

void BytePairMerger::propose(std::uint32_t rank, std::uint32_t position)
{
    const auto candidate = static_cast<std::uint32_t>(m_candidates.size());
    m_candidates.push_back({position, kNone});
    std::uint32_t &tail = m_tails[rank];
    if (tail != kNone && m_candidates[tail].position < position) {
        m_candidates[tail].next = candidate;
        tail = candidate;
        return;
    }
    if (tail == kNone)
        tail = candidate;
    m_heads.push_back({std::uint64_t{rank} << 32 | position, candidate});
    std::ranges::push_heap(m_heads, std::greater{}, &Head::key);
}

bool BytePairMerger::takeBest(std::uint32_t &rank, std::uint32_t &position)
{
    if (m_heads.empty())
        return false;
    const Head best = m_heads.front();
    rank = static_cast<std::uint32_t>(best.key >> 32);
    position = static_cast<std::uint32_t>(best.key);
    const std::uint32_t next = m_candidates[best.candidate].next;
    if (next == kNone) {
        if (m_tails[rank] == best.candidate)
            m_tails[rank] = kNone;
        std::ranges::pop_heap(m_heads, std::greater{}, &Head::key);
        m_heads.pop_back();
        return true;
    }
    const Head moved{std::uint64_t{rank} << 32 | m_candidates[next].position, next};
    std::size_t hole = 0; // sift the list's next candidate down from the top; mostly it stays there
    for (;;) {
        std::size_t child = 2 * hole + 1;
        if (child + 1 < m_heads.size() && m_heads[child + 1].key < m_heads[child].key)
            ++child;
        if (child >= m_heads.size() || m_heads[child].key >= moved.key)
            break;
        m_heads[hole] = m_heads[child];
        hole = child;
    }
    m_heads[hole] = moved;
    return true;
}

} // namespace perilune
