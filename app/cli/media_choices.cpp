#include "app/cli/media_choices.h"

#include <CLI/CLI.hpp>

namespace perilune::cli {

void addMediaChoices(CLI::App &command, MediaChoices &choices)
{
    command
        .add_option("--detail", choices.detail,
                    "how finely pictures and frames are seen: full, or with about a quarter (medium) or a "
                    "sixteenth (low) of the tokens")
        ->check(CLI::IsMember({"full", "medium", "low"}));
    command.add_option("--from", choices.from, "only the part of a clip from this second on");
    command.add_option("--to", choices.to, "only the part of a clip before this second");
    command.add_option("--max-frames", choices.maxFrames, "take at most this many frames of a clip")
        ->check(CLI::PositiveNumber);
    command
        .add_option("--fit", choices.fit,
                    "how a clip of more frames is made to fit: thin takes fewer, spread evenly; trim takes "
                    "only its beginning")
        ->check(CLI::IsMember({"thin", "trim"}));
}

void apply(const MediaChoices &choices, PrepareOptions &options)
{
    if (choices.detail == "medium")
        options.detail = PrepareOptions::Detail::Medium;
    else if (choices.detail == "low")
        options.detail = PrepareOptions::Detail::Low;
    options.fromSeconds = choices.from;
    options.toSeconds = choices.to;
    options.maxFrames = choices.maxFrames;
    if (choices.fit == "trim")
        options.fit = PrepareOptions::Fit::Trim;
}

} // namespace perilune::cli
