// perilune-synthetic KIND FOLDER [--layers N] [--random SEED]: a model folder with the headers of a
// published checkpoint and no weights, for looking at what `perilune-cli inspect` and loading make of it.
#include "tests/support/synthetic_model.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <iostream>

namespace {

int run(int argc, char **argv)
{
    CLI::App app("Writes a model folder with true headers; its data takes no disk unless it is random");
    std::string kind, folder;
    unsigned layers = 0, seed = 0;
    app.add_option("KIND", kind)
        ->required()
        ->check(CLI::IsMember({"k2.5", "k2-instruct", "kimi-vl", "moonlight"}));
    app.add_option("FOLDER", folder)->required();
    app.add_option("--layers", layers, "of the decoder; as published where it is left out");
    app.add_option("--random", seed, "random weights from this seed (moonlight and kimi-vl only)");
    CLI11_PARSE(app, argc, argv);
    if (seed > 0 && (kind == "k2.5" || kind == "k2-instruct")) {
        std::cerr << "random weights are made for BF16 checkpoints only\n";
        return 2;
    }

    const perilune::test::SyntheticModel model = perilune::test::syntheticModel(kind, layers);
    const perilune::Status written = perilune::test::writeSynthetic(model, folder, seed);
    if (!written) {
        std::cerr << written.error().message << '\n';
        return 1;
    }
    std::cout << folder << ": " << model.tensors.size() << " tensors, " << model.bytes() << " bytes\n";
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
