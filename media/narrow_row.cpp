#include "media/narrow_row.h"

#include "media/resample.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace perilune {

namespace {

constexpr int kFractionBits = 22;
constexpr std::int32_t kHalf = 1 << (kFractionBits - 1);

std::uint8_t rounded(std::int32_t sum)
{
    return static_cast<std::uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
}

void narrowPlainly(const std::uint8_t *row, const ResampleAxis &axis, std::uint8_t *out)
{
    for (std::size_t i = 0; i < axis.first.size(); ++i, out += 3) {
        const std::uint8_t *pixel = row + std::size_t{axis.first[i]} * 3;
        const std::int32_t *weight = &axis.weight[i * axis.taps];
        std::int32_t red = kHalf, green = kHalf, blue = kHalf;
        for (std::uint32_t j = 0; j < axis.count[i]; ++j, pixel += 3) {
            red += weight[j] * pixel[0];
            green += weight[j] * pixel[1];
            blue += weight[j] * pixel[2];
        }
        out[0] = rounded(red);
        out[1] = rounded(green);
        out[2] = rounded(blue);
    }
}

#if defined(__x86_64__)

constexpr int kLowBits = 11;

bool hasAvx2()
{
    return __builtin_cpu_supports("avx2") != 0;
}

/// `row` can be read up to 32 bytes beyond its end.
__attribute__((target("avx2"))) void narrowByAvx2(const std::uint8_t *row, const ResampleAxis &axis,
                                                  const std::int16_t *quads, std::uint32_t groups,
                                                  std::uint8_t *out)
{
    // Of four pixels (12 bytes, the same in both halves), pairs of one channel as 16-bit numbers: the first
    // two in the lower half, the other two in the upper.
    const __m256i pairs = _mm256_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1, //
                                           6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1);
    const __m256i highPairs = _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, //
                                               4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7);
    const __m256i lowPairs = _mm256_add_epi8(highPairs, _mm256_set1_epi8(8));
    const std::size_t outputs = axis.first.size();
    for (std::size_t i = 0; i < outputs; ++i, out += 3) {
        const std::uint8_t *pixel = row + std::size_t{axis.first[i]} * 3;
        __m256i high = _mm256_setzero_si256(), low = _mm256_setzero_si256();
        for (std::uint32_t group = 0; group < groups; ++group, pixel += 12, quads += 8) {
            const __m256i pixels = _mm256_shuffle_epi8(
                _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(pixel))),
                pairs);
            const __m256i weights =
                _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(quads)));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(pixels, _mm256_shuffle_epi8(weights, highPairs)));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(pixels, _mm256_shuffle_epi8(weights, lowPairs)));
        }
        const __m256i both = _mm256_add_epi32(_mm256_slli_epi32(high, kLowBits), low);
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
        sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(kHalf)), kFractionBits);
        sum = _mm_packus_epi16(_mm_packs_epi32(sum, sum), sum);
        const int rgb = _mm_cvtsi128_si32(sum);
        std::memcpy(out, &rgb, 3);
    }
}

#endif

} // namespace

RowNarrower::RowNarrower(const ResampleAxis &axis, std::uint32_t width) : m_width(width)
{
#if defined(__x86_64__)
    if (!hasAvx2())
        return;
    const std::uint32_t most = *std::max_element(axis.count.begin(), axis.count.end());
    m_groups = (most + 3) / 4;
    const std::size_t outputs = axis.first.size();
    m_quads.resize(outputs * m_groups * 8);
    for (std::size_t i = 0; i < outputs; ++i) {
        for (std::uint32_t j = 0; j < axis.count[i]; ++j) {
            const std::int32_t weight = axis.weight[i * axis.taps + j];
            std::int16_t *quad = &m_quads[(i * m_groups + j / 4) * 8];
            quad[j % 4] = static_cast<std::int16_t>(weight >> kLowBits);
            quad[4 + j % 4] = static_cast<std::int16_t>(weight & ((1 << kLowBits) - 1));
        }
    }
    // An output near the end has zero weights for inputs beyond the row.
    m_row.resize((std::size_t{width} + std::size_t{m_groups} * 4) * 3 + 32);
#endif
}

void RowNarrower::narrow(const ResampleAxis &axis, const std::uint8_t *row, std::uint8_t *out)
{
#if defined(__x86_64__)
    if (m_groups > 0) {
        std::memcpy(m_row.data(), row, std::size_t{m_width} * 3);
        narrowByAvx2(m_row.data(), axis, m_quads.data(), m_groups, out);
        return;
    }
#endif
    narrowPlainly(row, axis, out);
}

} // namespace perilune
