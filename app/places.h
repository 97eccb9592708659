// Where the programs find and keep things: the folders of the XDG base directory specification, and the demo
// model.
#pragma once

#include <filesystem>

namespace perilune::places {

/// $XDG_CONFIG_HOME/perilune, or that under ~/.config.
std::filesystem::path configFolder();

/// $XDG_DATA_HOME/perilune, or that under ~/.local/share.
std::filesystem::path dataFolder();

/// $XDG_CACHE_HOME/perilune, or that under ~/.cache. Empty without a home: then nothing is kept.
std::filesystem::path cacheFolder();

/// $HOME; empty where there is none.
std::filesystem::path home();

/// The demo model: installed beside the program, or in the source tree that it was built from. Empty where
/// neither is there.
std::filesystem::path demoModel();

} // namespace perilune::places
