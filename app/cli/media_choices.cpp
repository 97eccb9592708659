#include "app/cli/media_choices.h"

#include "app/cli/number_checks.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>

namespace perilune::cli {

namespace {

/// Which of `names` it is; a check has seen to it that it is one.
template <typename Enum, typename Names>
Enum named(const Names &names, const std::string &name)
{
    return static_cast<Enum>(std::ranges::find(names, name) - names.begin());
}

} // namespace

void addMediaChoices(CLI::App &command, MediaChoice &choice)
{
    command
        .add_option_function<std::string>(
            "--detail",
            [&choice](const std::string &name) {
                choice.detail = named<MediaChoice::Detail>(kDetailNames, name);
            },
            "how finely pictures and frames are seen: full, or with about a quarter (medium) or a "
            "sixteenth (low) of the tokens")
        ->check(CLI::IsMember(std::vector<std::string>(kDetailNames.begin(), kDetailNames.end())));
    command.add_option("--from", choice.fromSeconds, "only the part of a clip from this second on")
        ->check(timeInClip());
    command.add_option("--to", choice.toSeconds, "only the part of a clip before this second")
        ->check(timeInClip());
    command.add_option("--max-frames", choice.maxFrames, "take at most this many frames of a clip")
        ->check(CLI::Range(1u, 1u << 24));
    command
        .add_option_function<std::string>(
            "--fit",
            [&choice](const std::string &name) { choice.fit = named<MediaChoice::Fit>(kFitNames, name); },
            "how a clip of more frames is made to fit: thin takes fewer, spread evenly; trim takes only its "
            "beginning")
        ->check(CLI::IsMember(std::vector<std::string>(kFitNames.begin(), kFitNames.end())));
}

} // namespace perilune::cli
