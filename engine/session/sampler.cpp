#include "engine/session/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perilune {

namespace {

std::uint64_t freshSeed()
{
    std::random_device device;
    return (std::uint64_t{device()} << 32 | device()) >> 11; // 53 bits: exact in every JSON reader
}

} // namespace

Sampler::Sampler(const SamplingOptions &options) : m_options(options), m_seed(options.seed.value_or(0))
{
    if (!options.seed)
        m_seed = freshSeed();
    m_random.seed(m_seed);
}

Result<std::uint32_t> Sampler::choose(std::span<const float> logits)
{
    CHECK(!logits.empty());
    std::size_t best = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (std::isnan(logits[i]))
            return Error{ErrorCode::Corrupt,
                         "the model's output for token " + std::to_string(i) + " is not a number"};
        if (logits[i] > logits[best])
            best = i;
    }
    if (!(m_options.temperature > 0) || std::isinf(logits[best]))
        return static_cast<std::uint32_t>(best);
    return draw(logits, logits[best]);
}

std::uint32_t Sampler::draw(std::span<const float> logits, float largest)
{
    m_weights.resize(logits.size()); // relative to the most likely token's
    for (std::size_t i = 0; i < logits.size(); ++i)
        m_weights[i] = std::exp((double{logits[i]} - largest) / m_options.temperature);
    m_order.resize(logits.size());
    std::iota(m_order.begin(), m_order.end(), 0u);
    const auto likelier = [&](std::uint32_t a, std::uint32_t b) {
        return m_weights[a] > m_weights[b] || (m_weights[a] == m_weights[b] && a < b);
    };
    std::size_t kept = m_order.size();
    if (m_options.topK > 0 && m_options.topK < kept) {
        kept = m_options.topK;
        std::partial_sort(m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(kept), m_order.end(),
                          likelier);
        m_order.resize(kept);
    } else {
        std::sort(m_order.begin(), m_order.end(), likelier);
    }

    const auto sumOf = [&](std::size_t count) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i)
            sum += m_weights[m_order[i]];
        return sum;
    };
    if (m_options.topP < 1) {
        const double wanted = sumOf(kept) * std::max(m_options.topP, 0.0f);
        double sum = 0;
        std::size_t count = 0;
        while (count < kept && (count == 0 || sum < wanted))
            sum += m_weights[m_order[count++]];
        kept = count;
    }
    while (kept > 1 && m_weights[m_order[kept - 1]] < m_options.minP)
        --kept;

    const double point = static_cast<double>(m_random() >> 11) * 0x1p-53 * sumOf(kept);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < kept; ++i) {
        sum += m_weights[m_order[i]];
        if (point < sum)
            return m_order[i];
    }
    return m_order[kept - 1];
}

} // namespace perilune
