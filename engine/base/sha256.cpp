#include "engine/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace perilune {

namespace {

constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#if defined(__x86_64__)

bool hasShaInstructions()
{
    static const bool has = [] {
        unsigned a = 0, b = 0, c = 0, d = 0;
        return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0 &&
               __builtin_cpu_supports("sse4.1");
    }();
    return has;
}

/// Four to six times as fast as the plain rounds; of a clip, hundreds of megabytes are added up. The
/// instructions want the state as (a, b, e, f) and (c, d, g, h).
__attribute__((target("sha,sse4.1"))) void blockByInstructions(std::array<std::uint32_t, 8> &state,
                                                               const std::uint8_t *bytes)
{
    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    auto *words = reinterpret_cast<__m128i *>(state.data());
    const __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
    const __m128i abefBefore = _mm_alignr_epi8(abcd, efgh, 8), cdghBefore = _mm_blend_epi16(efgh, abcd, 0xf0);
    __m128i abef = abefBefore, cdgh = cdghBefore, w[4];
    for (std::size_t i = 0; i < 4; ++i)
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes) + i), bigEndian);
    for (std::size_t i = 0; i < 16; ++i) { // four rounds each
        __m128i &first = w[i % 4], &second = w[(i + 1) % 4], &third = w[(i + 2) % 4], &last = w[(i + 3) % 4];
        const __m128i sum =
            _mm_add_epi32(first, _mm_loadu_si128(reinterpret_cast<const __m128i *>(&kRound[4 * i])));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        first = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(first, second), _mm_alignr_epi8(last, third, 4)), last);
    }
    abef = _mm_shuffle_epi32(_mm_add_epi32(abef, abefBefore), 0x1b);
    cdgh = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdghBefore), 0xb1);
    _mm_storeu_si128(words, _mm_blend_epi16(abef, cdgh, 0xf0));
    _mm_storeu_si128(words + 1, _mm_alignr_epi8(cdgh, abef, 8));
}

#endif

} // namespace

void Sha256::block(const std::uint8_t *bytes)
{
#if defined(__x86_64__)
    if (hasShaInstructions()) {
        blockByInstructions(m_state, bytes);
        return;
    }
#endif
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = std::uint32_t{bytes[4 * i]} << 24 | std::uint32_t{bytes[4 * i + 1]} << 16 |
               std::uint32_t{bytes[4 * i + 2]} << 8 | std::uint32_t{bytes[4 * i + 3]};
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> sums{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i)
        m_state[i] += sums[i];
}

void Sha256::add(std::span<const std::byte> bytes)
{
    const auto *from = reinterpret_cast<const std::uint8_t *>(bytes.data());
    std::size_t left = bytes.size();
    m_total += left;
    if (m_tailSize > 0) {
        const std::size_t taken = std::min(left, m_tail.size() - m_tailSize);
        std::copy_n(from, taken, m_tail.begin() + static_cast<std::ptrdiff_t>(m_tailSize));
        m_tailSize += taken;
        from += taken;
        left -= taken;
        if (m_tailSize < m_tail.size())
            return;
        block(m_tail.data());
        m_tailSize = 0;
    }
    for (; left >= m_tail.size(); from += m_tail.size(), left -= m_tail.size())
        block(from);
    std::copy_n(from, left, m_tail.begin());
    m_tailSize = left;
}

std::string Sha256::finishHex()
{
    const std::uint64_t bits = m_total * 8;
    std::array<std::uint8_t, 72> padding{0x80};
    const std::size_t zeros = (m_tailSize < 56 ? 56 : 120) - m_tailSize;
    for (std::size_t i = 0; i < 8; ++i)
        padding[zeros + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
    add(std::as_bytes(std::span(padding.data(), zeros + 8)));

    std::string hex;
    for (const std::uint32_t word : m_state) {
        for (int shift = 28; shift >= 0; shift -= 4)
            hex += "0123456789abcdef"[word >> shift & 15];
    }
    return hex;
}

} // namespace perilune
