#pragma once

#include "engine/api/sampling.h"

namespace CLI {
class App;
}

namespace perilune::cli {

/// --temperature, --top-p, --min-p, --top-k and --seed.
void addSamplingOptions(CLI::App &command, SamplingWishes &wishes);

} // namespace perilune::cli
