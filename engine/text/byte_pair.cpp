#include "engine/text/byte_pair.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

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
// rising position, and only the heads of the lists in a heap; one list at a time is outside it and worked off
// as long as nothing in the heap comes first. A text of one repeated letter then hardly touches the heap,
// where a heap of all candidates would be walked to its depth for each letter.

namespace {

std::uint64_t keyOf(std::uint32_t rank, std::uint32_t position)
{
    return std::uint64_t{rank} << 32 | position;
}

constexpr std::uint64_t kNoKey = std::numeric_limits<std::uint64_t>::max();

} // namespace

void BytePairMerger::encodeLong(std::string_view piece, std::vector<std::uint32_t> &ids)
{
    const auto size = static_cast<std::uint32_t>(piece.size());
    m_parts.resize(size);
    m_candidates.clear();
    m_heads.clear();
    m_best = {kNoKey, kNone};
    m_tails.resize(m_vocabulary->size(), kNone);
    m_joined.resize(std::size_t{1} << kJoinedBits);
    for (std::uint32_t i = 0; i < size; ++i)
        m_parts[i] = {i - 1, i + 1, m_vocabulary->ofByte(piece[i]), kNone};
    for (std::uint32_t i = 0; i + 1 < size; ++i) {
        m_parts[i].pair = m_vocabulary->ofPair(piece.data() + i);
        propose(i);
    }

    std::uint32_t waiting = kNone; // where the last merge was; its pair is not proposed yet
    for (;;) {
        const bool found = findBest();
        if (waiting != kNone) {
            const bool changes = found && changesNext(waiting);
            if (!changes) {
                propose(std::exchange(waiting, kNone));
                continue;
            }
            waiting = kNone;
        }
        if (!found)
            break;
        const auto position = static_cast<std::uint32_t>(m_best.key);
        const auto rank = static_cast<std::uint32_t>(m_best.key >> 32);
        advance();
        Part &part = m_parts[position];
        if (part.pair != rank)
            continue; // merged or changed since it was proposed
        Part &gone = m_parts[part.next];
        gone.pair = kNone;
        part.next = gone.next;
        part.rank = rank;
        if (part.next < size)
            m_parts[part.next].previous = position;
        if (position > 0) {
            m_parts[part.previous].pair = join(piece, part.previous);
            propose(part.previous);
        }
        part.pair = join(piece, position);
        if (part.pair != kNone)
            waiting = position;
    }
    for (std::uint32_t i = 0; i < size; i = m_parts[i].next)
        ids.push_back(m_parts[i].rank);
}

/// The rank of the part at `position` and the next one together, kNone where they are no token or it is the
/// last.
std::uint32_t BytePairMerger::join(std::string_view piece, std::uint32_t position)
{
    const Part &part = m_parts[position];
    if (part.next == m_parts.size())
        return kNone;
    const Part &behind = m_parts[part.next];
    const std::uint32_t hash = (part.rank * 0x9E3779B1U) ^ (behind.rank * 0x85EBCA77U);
    Joined &joined = m_joined[hash >> (32 - kJoinedBits)];
    if (joined.left != part.rank || joined.right != behind.rank)
        joined = {part.rank, behind.rank, m_vocabulary->find(piece.substr(position, behind.next - position))};
    return joined.rank;
}

/// Appends the pair at `position`, if there is one, to the list of its rank, or begins a list with it.
void BytePairMerger::propose(std::uint32_t position)
{
    const std::uint32_t rank = m_parts[position].pair;
    if (rank == kNone)
        return;
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
    m_heads.push_back({keyOf(rank, position), candidate});
    std::ranges::push_heap(m_heads, std::greater{}, &Head::key);
}

/// Makes m_best the least candidate of all; false where none is left.
bool BytePairMerger::findBest()
{
    if (!m_heads.empty() && m_heads.front().key < m_best.key) {
        std::ranges::pop_heap(m_heads, std::greater{}, &Head::key);
        std::swap(m_heads.back(), m_best);
        if (m_heads.back().key == kNoKey)
            m_heads.pop_back();
        else
            std::ranges::push_heap(m_heads, std::greater{}, &Head::key);
    }
    return m_best.key != kNoKey;
}

/// Goes on from m_best, which is taken, to the next of its list.
void BytePairMerger::advance()
{
    const auto rank = static_cast<std::uint32_t>(m_best.key >> 32);
    const std::uint32_t next = m_candidates[m_best.candidate].next;
    if (next != kNone) {
        m_best = {keyOf(rank, m_candidates[next].position), next};
        return;
    }
    if (m_tails[rank] == m_best.candidate)
        m_tails[rank] = kNone;
    m_best.key = kNoKey;
}

/// True where m_best is a merge of the part behind `position` that comes before the pair at `position`: then
/// that pair is another one afterwards, and proposing it now would be work for nothing. Of a repeated letter
/// every second pair is of this kind.
bool BytePairMerger::changesNext(std::uint32_t position) const
{
    const Part &part = m_parts[position];
    return static_cast<std::uint32_t>(m_best.key) == part.next &&
           static_cast<std::uint32_t>(m_best.key >> 32) == m_parts[part.next].pair &&
           m_best.key < keyOf(part.pair, position);
}

} // namespace perilune
