#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/model_input.h"
#include "app/cli/text_lines.h"
#include "engine/session/logit_error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    CommonOptions common;
    std::vector<std::string> inputs, texts;
    bool halfActivations = false;
};

struct Prompts {
    std::vector<std::unique_ptr<ModelInput>> inputs;
    std::uint32_t longest = 0; ///< tokens
};

/// What opening and running one of the two took.
struct Cost {
    double loadSeconds = 0;
    std::uint64_t allocated = 0, planned = 0; ///< device memory, in bytes
    bool kept = false;                        ///< quantized weights came from the cache
};

/// Gets the logits of position `position` of prompt `prompt`.
using TakeLogits = std::function<void(std::size_t prompt, std::size_t position, std::span<const float>)>;

Result<Prompts> readPrompts(const Options &options, const ModelConfig &config)
{
    Prompts prompts;
    for (const std::string &path : options.inputs) {
        auto input = readModelInput(path, config);
        if (!input)
            return std::move(input).error();
        prompts.inputs.push_back(*std::move(input));
    }
    if (!options.texts.empty()) {
        const Result<Tokenizer> tokenizer = chosenTokenizer(options.common);
        if (!tokenizer)
            return tokenizer.error();
        for (const std::string &text : options.texts) {
            auto input = std::make_unique<ModelInput>();
            input->prompt.tokens = tokenizer->encode(text, /*allowSpecial=*/true);
            if (input->prompt.tokens.empty())
                return Error{ErrorCode::InvalidInput, "an empty text gives no position to compare"};
            const std::uint32_t most =
                *std::max_element(input->prompt.tokens.begin(), input->prompt.tokens.end());
            if (most >= config.decoder.vocabSize)
                return Error{ErrorCode::Corrupt, "the tokenizer gave the token " + std::to_string(most) +
                                                     ", but the model knows only " +
                                                     std::to_string(config.decoder.vocabSize)};
            prompts.inputs.push_back(std::move(input));
        }
    }
    for (const std::unique_ptr<ModelInput> &input : prompts.inputs)
        prompts.longest = std::max(prompts.longest, static_cast<std::uint32_t>(input->prompt.tokens.size()));
    return prompts;
}

/// Opens the model, passes all prompts through it and closes it again: two of them need not fit beside each
/// other.
Result<Cost> runAll(const OpenOptions &open, const Prompts &prompts, const TakeLogits &take)
{
    ProgressLine line;
    const auto progress = [&](const Progress &now) { line.show(now); };
    const auto start = std::chrono::steady_clock::now();
    Result<OpenedModel> opened = openModel(open, progress, interrupted());
    if (!opened)
        return std::move(opened).error();
    line.clear();
    printNotes(*opened);
    Cost cost;
    cost.loadSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    cost.allocated = opened->device->allocated(MemoryKind::Device);
    cost.planned = opened->plan.device() - opened->plan.vision;
    cost.kept = opened->model->tookKept();
    for (std::size_t i = 0; i < prompts.inputs.size(); ++i) {
        Session session(*opened->device, *opened->decoder, opened->tower.get(),
                        opened->model->config().decoder.hiddenSize);
        std::size_t position = 0;
        SyncHooks hooks;
        hooks.chunkDone = [&](std::uint32_t, std::uint32_t count) -> Status {
            std::vector<float> logits;
            if (Status done = opened->decoder->logitsOf(0, count, logits, interrupted()); !done)
                return done;
            const std::size_t width = logits.size() / count;
            for (std::uint32_t row = 0; row < count; ++row)
                take(i, position++, std::span(logits).subspan(row * width, width));
            return Done{};
        };
        if (const auto synced = session.sync(prompts.inputs[i]->prompt, hooks, interrupted()); !synced)
            return synced.error();
    }
    return cost;
}

Json jsonOf(const Cost &cost)
{
    return {
        {"load_s",        cost.loadSeconds},
        {"device_bytes",  cost.allocated  },
        {"planned_bytes", cost.planned    },
        {"from_cache",    cost.kept       }
    };
}

Json report(const OpenOptions &open, const Prompts &prompts, const LogitError &error, const Cost &reference,
            const Cost &quantized)
{
    return {
        {"quantize",         open.quantize.text()     },
        {"prompts",          prompts.inputs.size()    },
        {"positions",        error.positions()        },
        {"rms",              error.rms()              },
        {"max",              error.largest()          },
        {"kl",               error.divergence()       },
        {"kl_max",           error.largestDivergence()},
        {"greedy_agreement", error.agreement()        },
        {"reference",        jsonOf(reference)        },
        {"quantized",        jsonOf(quantized)        }
    };
}

void print(const Json &json)
{
    std::cout << json["quantize"].get<std::string>() << " over " << json["positions"] << " positions of "
              << json["prompts"] << " prompts\n  logits differ by " << json["rms"] << " (rms), at most "
              << json["max"] << "\n  KL divergence " << json["kl"] << " nats a position, at most "
              << json["kl_max"] << "\n  the same best token at "
              << json["greedy_agreement"].get<double>() * 100 << " % of the positions\n";
    for (const char *which : {"reference", "quantized"})
        std::cout << "  " << which << ": loaded in " << json[which]["load_s"] << " s, "
                  << json[which]["device_bytes"] << " bytes on the device, planned "
                  << json[which]["planned_bytes"] << '\n';
}

int runCompare(const Options &options)
{
    Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
    if (!open->quantize.any() || (options.inputs.empty() && options.texts.empty())) {
        std::cerr << "perilune-cli: compare needs --quantize, and prompts: texts, or files by --input\n";
        return kUsage;
    }
    const Result<ModelConfig> config = readConfig(open->folder);
    if (!config)
        return fail(config.error());
    const Result<Prompts> prompts = readPrompts(options, *config);
    if (!prompts)
        return fail(prompts.error());
    if (open->context == 0)
        open->context = prompts->longest;

    open->allLogits = true;
    for (const std::unique_ptr<ModelInput> &input : prompts->inputs)
        open->mediaTokens = std::max(open->mediaTokens, input->prompt.mediaTokens());
    OpenOptions unquantized = *open;
    unquantized.quantize = {};
    std::vector<std::vector<std::vector<float>>> expected(prompts->inputs.size()); // by prompt and position
    const auto keep = [&](std::size_t prompt, std::size_t, std::span<const float> logits) {
        expected[prompt].emplace_back(logits.begin(), logits.end());
    };
    const Result<Cost> reference = runAll(unquantized, *prompts, keep);
    if (!reference)
        return fail(reference.error());
    LogitError error;
    const auto compare = [&](std::size_t prompt, std::size_t position, std::span<const float> logits) {
        error.add(expected[prompt][position], logits);
    };
    const Result<Cost> quantized = runAll(*open, *prompts, compare);
    if (!quantized)
        return fail(quantized.error());

    const Json json = report(*open, *prompts, error, *reference, *quantized);
    if (options.common.json)
        std::cout << json.dump() << '\n';
    else
        print(json);
    return kDone;
}

} // namespace

void addCompareCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand(
        "compare", "How far --quantize moves the logits of a model: on texts, or on token ids by --input");
    addCommonOptions(*command, options->common);
    command->add_option("TEXT", options->texts, "texts, taken as they are, each a prompt of its own");
    command->add_option(
        "--input", options->inputs,
        "safetensors file with input_ids and, for media, pixel_values and grid_thws; may be repeated");
    addActivationsOption(*command, options->halfActivations);
    command->callback([options, &run] { run = [options] { return runCompare(*options); }; });
}

} // namespace perilune::cli
