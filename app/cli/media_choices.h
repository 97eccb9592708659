#pragma once

#include "media/prepare.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace perilune::cli {

/// How much of pictures and clips the model is to see, as the command line says it.
struct MediaChoices {
    std::string detail = "full";
    std::optional<double> from, to;
    std::optional<std::uint32_t> maxFrames;
    std::string fit = "thin";
};

/// The options --detail, --from, --to, --max-frames and --fit.
void addMediaChoices(CLI::App &command, MediaChoices &choices);

void apply(const MediaChoices &choices, PrepareOptions &options);

} // namespace perilune::cli
