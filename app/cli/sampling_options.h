#pragma once

#include "engine/api/chat_engine.h"

#include <optional>

namespace CLI {
class App;
}

namespace perilune::cli {

/// --temperature, --top-p, --min-p, --top-k and --seed as given.
struct SamplingArguments {
    std::optional<float> temperature, topP, minP;
    std::optional<std::uint32_t> topK;
    std::optional<std::uint64_t> seed;

    /// `defaults` where nothing was given. An option that only means something when sampling turns greedy
    /// defaults into temperature 1.
    SamplingOptions over(SamplingOptions defaults) const;
};

void addSamplingOptions(CLI::App &command, SamplingArguments &arguments);

} // namespace perilune::cli
