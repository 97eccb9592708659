#pragma once

#include "engine/api/chat_engine.h"
#include "engine/base/result.h"

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace perilune {

/// Chooses tokens. The same options, seed and logits give the same tokens on every machine.
class Sampler {
public:
    /// Without a seed in `options` a fresh one is drawn; seed() tells it.
    explicit Sampler(const SamplingOptions &options);

    /// The next token. Temperature 0 takes the largest logit, the lowest index among equals. Otherwise
    /// softmax(logits / temperature), cut to the topK most likely, then to the fewest whose sum reaches topP,
    /// then to those of at least minP times the most likely. Corrupt where a logit is not a number.
    Result<std::uint32_t> choose(std::span<const float> logits);

    std::uint64_t seed() const { return m_seed; }

private:
    std::uint32_t draw(std::span<const float> logits, float largest);

    SamplingOptions m_options;
    std::uint64_t m_seed = 0;
    std::mt19937_64 m_random;
    std::vector<std::uint32_t> m_order;
    std::vector<double> m_weights;
};

} // namespace perilune
