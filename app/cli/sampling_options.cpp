#include "app/cli/sampling_options.h"

#include <CLI/CLI.hpp>

namespace perilune::cli {

SamplingOptions SamplingArguments::over(SamplingOptions defaults) const
{
    if (topP || minP || topK)
        defaults.temperature = defaults.temperature > 0 ? defaults.temperature : 1.0f;
    defaults.temperature = temperature.value_or(defaults.temperature);
    defaults.topP = topP.value_or(defaults.topP);
    defaults.minP = minP.value_or(defaults.minP);
    defaults.topK = topK.value_or(defaults.topK);
    if (seed)
        defaults.seed = seed;
    return defaults;
}

void addSamplingOptions(CLI::App &command, SamplingArguments &arguments)
{
    command.add_option("--temperature", arguments.temperature, "0 takes the most likely token")
        ->check(CLI::Range(0.0, 100.0));
    command.add_option("--top-p", arguments.topP, "the fewest tokens whose probabilities reach this sum")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--min-p", arguments.minP, "tokens of at least this times the most likely")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--top-k", arguments.topK, "the so many most likely tokens; 0 for all");
    command.add_option("--seed", arguments.seed, "the same seed gives the same answer");
}

} // namespace perilune::cli
