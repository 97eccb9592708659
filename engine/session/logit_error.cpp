#include "engine/session/logit_error.h"

#include "engine/base/check.h"

#include <algorithm>
#include <cmath>

namespace perilune {

namespace {

/// log Σ e^x, without overflow.
double logSum(std::span<const float> values)
{
    const double most = *std::max_element(values.begin(), values.end());
    double sum = 0;
    for (const float value : values)
        sum += std::exp(double{value} - most);
    return most + std::log(sum);
}

double mean(double sum, std::uint64_t count)
{
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

} // namespace

void LogitError::add(std::span<const float> reference, std::span<const float> logits)
{
    CHECK(reference.size() == logits.size() && !reference.empty());
    const double referenceSum = logSum(reference), sum = logSum(logits);
    double divergence = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double difference = double{logits[i]} - double{reference[i]};
        m_squares += difference * difference;
        m_largest = std::isfinite(difference) ? std::max(m_largest, std::abs(difference)) : INFINITY;
        const double logProbability = double{reference[i]} - referenceSum;
        divergence += std::exp(logProbability) * (logProbability - (double{logits[i]} - sum));
    }
    divergence = std::max(divergence, 0.0); // rounding may make it slightly negative
    const auto best = [](std::span<const float> values) {
        return std::max_element(values.begin(), values.end()) - values.begin();
    };
    m_agreeing += best(reference) == best(logits) ? 1 : 0;
    m_divergence += divergence;
    m_largestDivergence = std::max(m_largestDivergence, divergence);
    m_values += reference.size();
    ++m_positions;
}

double LogitError::rms() const
{
    return std::sqrt(mean(m_squares, m_values));
}

double LogitError::divergence() const
{
    return mean(m_divergence, m_positions);
}

double LogitError::agreement() const
{
    return mean(static_cast<double>(m_agreeing), m_positions);
}

} // namespace perilune
