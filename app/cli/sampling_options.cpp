#include "app/cli/sampling_options.h"

#include "app/cli/number_checks.h"

#include <CLI/CLI.hpp>

namespace perilune::cli {

void addSamplingOptions(CLI::App &command, SamplingWishes &wishes)
{
    command.add_option("--temperature", wishes.temperature, "0 takes the most likely token")
        ->check(numberFrom(0, 100));
    command.add_option("--top-p", wishes.topP, "the fewest tokens whose probabilities reach this sum")
        ->check(numberFrom(0, 1));
    command.add_option("--min-p", wishes.minP, "tokens of at least this times the most likely")
        ->check(numberFrom(0, 1));
    command.add_option("--top-k", wishes.topK, "the so many most likely tokens; 0 for all")
        ->check(wholeNumber());
    command.add_option("--seed", wishes.seed, "the same seed gives the same answer")->check(wholeNumber());
}

} // namespace perilune::cli
