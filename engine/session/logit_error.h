#pragma once

#include <cstdint>
#include <span>

namespace perilune {

/// How far logits are from those of a reference, over positions.
class LogitError {
public:
    /// The logits of one position: both have the vocabulary's size.
    void add(std::span<const float> reference, std::span<const float> logits);

    std::uint64_t positions() const { return m_positions; }
    double rms() const;                          ///< of all differences
    double largest() const { return m_largest; } ///< difference; infinite where a logit is not a number
    /// Mean over positions of KL(softmax(reference) || softmax(logits)), in nats.
    double divergence() const;
    double largestDivergence() const { return m_largestDivergence; }
    /// The share of positions where both have their largest logit at the same token.
    double agreement() const;

private:
    std::uint64_t m_positions = 0, m_values = 0, m_agreeing = 0;
    double m_squares = 0, m_largest = 0, m_divergence = 0, m_largestDivergence = 0;
};

} // namespace perilune
