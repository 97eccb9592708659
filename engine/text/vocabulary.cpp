#include "engine/text/vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

namespace perilune {

namespace {

constexpr std::uint32_t kMostTokens = 1u << 22; // the merger packs a rank and a place into 31 bits

constexpr std::array<std::int8_t, 256> base64Values()
{
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i)
        values[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
    return values;
}
constexpr std::array<std::int8_t, 256> kBase64 = base64Values();

/// Appends the bytes of standard base64 with padding; false where `text` is not that.
bool appendBase64(std::string_view text, std::string &out)
{
    if (text.empty() || text.size() % 4 != 0)
        return false;
    std::size_t padding = 0;
    while (padding < 2 && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool pad = i >= text.size() - padding;
        const int value = pad ? 0 : kBase64[static_cast<unsigned char>(text[i])];
        if (value < 0)
            return false;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if (i % 4 != 3)
            continue;
        const std::size_t count = i + 1 == text.size() ? 3 - padding : 3;
        for (std::size_t byte = 0; byte < count; ++byte)
            out += static_cast<char>(bits >> (16 - 8 * byte));
        bits = 0;
    }
    return true;
}

struct Line {
    std::uint32_t rank;
    std::size_t begin, end; // of its bytes in a common string
};

/// Why a line is not a token, or nothing.
std::optional<std::string> parseLine(std::string_view line, std::string &bytes, std::vector<Line> &lines)
{
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos)
        return "is not base64, a space and a rank";
    const std::size_t begin = bytes.size();
    if (!appendBase64(line.substr(0, space), bytes))
        return "does not begin with base64";
    const std::string_view number = line.substr(space + 1);
    std::uint32_t rank = 0;
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), rank);
    if (fault != std::errc() || end != number.data() + number.size())
        return "does not end with a rank";
    if (rank >= kMostTokens)
        return "has a rank beyond 4,194,303";
    lines.push_back({rank, begin, bytes.size()});
    return std::nullopt;
}

} // namespace

Result<Vocabulary> Vocabulary::parse(std::string_view file, const std::string &name)
{
    std::string bytes;
    std::vector<Line> lines;
    for (std::size_t number = 1; !file.empty(); ++number) {
        const std::size_t length = std::min(file.find('\n'), file.size());
        std::string_view line = file.substr(0, length);
        file.remove_prefix(std::min(length + 1, file.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty())
            continue;
        if (const std::optional<std::string> fault = parseLine(line, bytes, lines))
            return Error{ErrorCode::Corrupt, name + ": line " + std::to_string(number) + " " + *fault};
    }
    std::ranges::sort(lines, {}, &Line::rank);
    Vocabulary vocabulary;
    vocabulary.m_bytes.reserve(bytes.size());
    vocabulary.m_offsets.push_back(0);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].rank != i) {
            const bool twice = i > 0 && lines[i].rank == lines[i - 1].rank;
            const std::string which = std::to_string(twice ? lines[i].rank : i);
            return Error{ErrorCode::Corrupt,
                         name + ": rank " + which + (twice ? " comes twice" : " is missing")};
        }
        vocabulary.m_bytes.append(bytes, lines[i].begin, lines[i].end - lines[i].begin);
        vocabulary.m_offsets.push_back(static_cast<std::uint32_t>(vocabulary.m_bytes.size()));
        vocabulary.m_longest = std::max(vocabulary.m_longest, lines[i].end - lines[i].begin);
    }
    if (const Status indexed = vocabulary.index(name); !indexed)
        return indexed.error();
    return vocabulary;
}

Status Vocabulary::index(const std::string &name)
{
    std::size_t shortTokens = 0;
    for (std::uint32_t rank = 0; rank < size(); ++rank)
        shortTokens += bytes(rank).size() <= kShort ? 1 : 0;
    m_slots.assign(std::bit_ceil((size() - shortTokens) * 2 + 2), Slot{});
    m_shortSlots.assign(std::bit_ceil(shortTokens * 2 + 2), ShortSlot{});
    m_filter.assign(std::size_t{1} << (kFilterBits - 6), 0);
    m_shortShift = 64 - static_cast<unsigned>(std::countr_zero(m_shortSlots.size()));
    m_pairs.assign(65536, kNone);
    m_singles.assign(256, kNone);
    for (std::uint32_t rank = 0; rank < size(); ++rank) {
        const std::string_view token = bytes(rank);
        const bool isShort = token.size() <= kShort;
        const std::uint32_t other = isShort ? lookUpShort(packed(token)) : lookUp(token);
        if (other != kNone)
            return Error{ErrorCode::Corrupt, name + ": ranks " + std::to_string(other) + " and " +
                                                 std::to_string(rank) + " have the same bytes"};
        if (isShort)
            insertShort(packed(token), rank);
        else
            insert(token, rank);
        if (token.size() == 2)
            m_pairs[pairIndex(token[0], token[1])] = rank;
        if (token.size() == 1)
            m_singles[static_cast<unsigned char>(token[0])] = rank;
    }
    for (std::size_t byte = 0; byte < 256; ++byte) {
        if (m_singles[byte] == kNone)
            return Error{ErrorCode::Corrupt,
                         name + ": there is no token for the single byte " + std::to_string(byte)};
    }
    return Done{};
}

void Vocabulary::insertShort(std::uint64_t key, std::uint32_t rank)
{
    const std::uint64_t bit = key * kMix >> (64 - kFilterBits);
    m_filter[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    std::size_t slot = key * kMix >> m_shortShift;
    while (m_shortSlots[slot].rank != kNone)
        slot = (slot + 1) & (m_shortSlots.size() - 1);
    m_shortSlots[slot] = {key, rank};
}

void Vocabulary::insert(std::string_view bytes, std::uint32_t rank)
{
    const std::uint64_t code = hash(bytes);
    std::size_t slot = code & (m_slots.size() - 1);
    while (m_slots[slot].rank != kNone)
        slot = (slot + 1) & (m_slots.size() - 1);
    m_slots[slot] = {static_cast<std::uint32_t>(code >> 32), rank};
}

std::uint64_t Vocabulary::hash(std::string_view bytes)
{
    const auto load = [](const char *from, std::size_t count) {
        std::uint64_t value = 0;
        std::memcpy(&value, from, count);
        return value;
    };
    constexpr std::uint64_t k1 = 0x9E3779B97F4A7C15u, k2 = 0xD6E8FEB86659FD93u;
    const char *data = bytes.data();
    const std::size_t size = bytes.size();
    std::uint64_t code = size * k1;
    std::size_t at = 0;
    for (; size - at > 8; at += 8) {
        code = (code ^ load(data + at, 8)) * k2;
        code ^= code >> 32;
    }
    std::uint64_t last = 0;
    const std::size_t rest = size - at; // 1 to 8, but for the empty string
    if (rest >= 4)
        last = load(data + at, 4) | load(data + size - 4, 4) << 32;
    else if (rest > 0)
        last = load(data + at, 1) | load(data + at + rest / 2, 1) << 8 | load(data + size - 1, 1) << 16;
    code = (code ^ last) * k2;
    code ^= code >> 29;
    code *= k1;
    return code ^ code >> 32;
}

std::uint32_t Vocabulary::lookUp(std::string_view bytes) const
{
    const std::uint64_t code = hash(bytes);
    const auto tag = static_cast<std::uint32_t>(code >> 32);
    for (std::size_t slot = code & (m_slots.size() - 1);; slot = (slot + 1) & (m_slots.size() - 1)) {
        const Slot &here = m_slots[slot];
        if (here.rank == kNone)
            return kNone;
        if (here.tag == tag && this->bytes(here.rank) == bytes)
            return here.rank;
    }
}

} // namespace perilune
