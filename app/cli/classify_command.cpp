#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/model_input.h"
#include "engine/session/classification.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string input;
    bool halfActivations = false;
};

int runClassify(const Options &options)
{
    Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
    const Result<ModelConfig> config = readConfig(open->folder);
    if (!config)
        return fail(config.error());
    if (config->numLabels == 0)
        return fail({ErrorCode::Unsupported,
                     open->folder + " is a " + config->architecture + ", which has no classification head"});
    const Result<TokenRows> input = readTokenRows(options.input, *config);
    if (!input)
        return fail(input.error());
    if (!config->padTokenId && input->rows.size() > 1)
        return fail({ErrorCode::InvalidInput,
                     options.input + " has " + std::to_string(input->rows.size()) +
                         " rows, but without pad_token_id in config.json only one can be classified"});
    if (open->context == 0)
        open->context = static_cast<std::uint32_t>(input->columns);
    if (input->columns > open->context)
        return fail({ErrorCode::OutOfMemory,
                     options.input + " has rows of " + std::to_string(input->columns) +
                         " tokens, but the context has room for " + std::to_string(open->context)});
    open->allLogits = true;

    ProgressLine line;
    const auto progress = [&](const Progress &now) { line.show(now); };
    Result<OpenedModel> opened = openModel(*open, progress, interrupted());
    if (!opened)
        return fail(opened.error());
    line.clear();
    printNotes(*opened);
    nlohmann::json logits = nlohmann::json::array();
    for (const std::vector<std::uint32_t> &row : input->rows) {
        const Result<std::vector<float>> scores = classifyRow(*opened, row, interrupted());
        if (!scores)
            return fail(scores.error());
        logits.push_back(*scores);
    }
    if (options.common.json) {
        std::cout << nlohmann::json{{"logits", logits}}.dump() << '\n';
    } else {
        for (const nlohmann::json &row : logits)
            std::cout << row.dump() << '\n';
    }
    return kDone;
}

} // namespace

void addClassifyCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("classify", "Class logits of a checkpoint with a classification head");
    addCommonOptions(*command, options->common);
    command
        ->add_option("--input", options->input,
                     "safetensors file with input_ids (rows, tokens), padded at the right")
        ->required();
    addActivationsOption(*command, options->halfActivations);
    command->callback([options, &run] { run = [options] { return runClassify(*options); }; });
}

} // namespace perilune::cli
