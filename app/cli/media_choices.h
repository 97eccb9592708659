#pragma once

#include "engine/api/media_choice.h"

namespace CLI {
class App;
}

namespace perilune::cli {

/// The options --detail, --from, --to, --max-frames and --fit: how much of pictures and clips the model is to
/// see.
void addMediaChoices(CLI::App &command, MediaChoice &choice);

} // namespace perilune::cli
