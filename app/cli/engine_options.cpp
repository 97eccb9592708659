#include "app/cli/engine_options.h"

#include "app/cli/terminal_text.h"
#include "app/places.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <unistd.h>

namespace perilune::cli {

namespace {

const char *nameOf(Progress::Stage stage)
{
    switch (stage) {
    case Progress::Stage::Loading: return "Loading the model";
    case Progress::Stage::Compiling: return "Compiling shaders";
    case Progress::Stage::Vision: return "Looking at the media";
    case Progress::Stage::Prefill: return "Reading the prompt";
    }
    return "";
}

} // namespace

void addActivationsOption(CLI::App &command, bool &half)
{
    command
        .add_option_function<std::string>(
            "--activations", [&half](const std::string &type) { half = type == "f16"; },
            "f16 keeps the cache in half precision; f32 is the default")
        ->check(CLI::IsMember({"f16", "f32"}));
}

Result<OpenOptions> openOptions(const CommonOptions &options, bool halfActivations)
{
    Result<QuantizeOptions> quantize = parseQuantizeOptions(options.quantize);
    if (!quantize)
        return std::move(quantize).error().during("--quantize");
    Result<std::string> folder = modelFolder(options);
    if (!folder)
        return std::move(folder).error();
    return OpenOptions{.folder = *std::move(folder),
                       .device = options.device,
                       .cacheFolder = places::cacheFolder().string(),
                       .budget = options.budget,
                       .hostBudget = options.hostBudget,
                       .context = options.context,
                       .halfCache = halfActivations,
                       .quantize = *std::move(quantize)};
}

void printNotes(const OpenedModel &opened)
{
    for (const std::string &note : opened.model->notes())
        std::cerr << "perilune-cli: " << forTerminal(note) << '\n';
}

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine()
{
    clear();
}

void ProgressLine::show(const Progress &progress)
{
    if (!m_terminal || progress.total == 0)
        return;
    m_shown = true;
    std::cerr << "\r\033[K" << nameOf(progress.stage) << ' ' << progress.done * 100 / progress.total << " %"
              << std::flush;
}

void ProgressLine::showMedium(double fraction)
{
    show({Progress::Stage::Vision, static_cast<std::uint64_t>(fraction * 100), 100});
}

void ProgressLine::clear()
{
    if (m_shown)
        std::cerr << "\r\033[K" << std::flush;
    m_shown = false;
}

} // namespace perilune::cli
