// How the next token is chosen: what is used, and what somebody wishes.
#pragma once

#include <cstdint>
#include <optional>

namespace perilune {

struct SamplingOptions {
    float temperature = 0.6f;
    float topP = 1.0f;                 ///< 1 keeps all
    float minP = 0.0f;                 ///< 0 keeps all
    std::uint32_t topK = 0;            ///< 0 keeps all
    std::optional<std::uint64_t> seed; ///< none: a fresh one, reported in the summary
};

/// What a person has asked for; what is left open follows the model.
struct SamplingWishes {
    std::optional<float> temperature, topP, minP;
    std::optional<std::uint32_t> topK;
    std::optional<std::uint64_t> seed;

    /// `suggested` where nothing is wished. A wish that only means something when sampling turns a greedy
    /// suggestion into temperature 1.
    SamplingOptions over(SamplingOptions suggested) const
    {
        if ((topP || minP || topK) && suggested.temperature <= 0)
            suggested.temperature = 1.0f;
        suggested.temperature = temperature.value_or(suggested.temperature);
        suggested.topP = topP.value_or(suggested.topP);
        suggested.minP = minP.value_or(suggested.minP);
        suggested.topK = topK.value_or(suggested.topK);
        if (seed)
            suggested.seed = seed;
        return suggested;
    }
};

} // namespace perilune
