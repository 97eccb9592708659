#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/model_input.h"
#include "app/cli/number_checks.h"
#include "app/cli/sampling_options.h"
#include "engine/session/sampler.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string input;
    std::uint32_t maxTokens = 0;
    bool ignoreEos = false, halfActivations = false;
    SamplingWishes sampling;
};

/// What was generated before the end, the limit, or a failure.
struct Generated {
    std::vector<std::uint32_t> ids;
    Status status = Done{};
};

/// How long loading and compiling take.
class OpeningClock {
public:
    void see(const Progress &now)
    {
        if (now.stage == Progress::Stage::Loading)
            m_loaded = Clock::now();
    }
    void stop() { m_opened = Clock::now(); }
    double loadSeconds() const { return seconds(m_loaded - m_start); }
    double compileSeconds() const { return seconds(m_opened - m_loaded); }

private:
    using Clock = std::chrono::steady_clock;
    static double seconds(Clock::duration duration)
    {
        return std::chrono::duration<double>(duration).count();
    }
    Clock::time_point m_start = Clock::now(), m_loaded = m_start, m_opened = m_start;
};

/// The ids, and what loading took.
nlohmann::json report(const Generated &generated, const OpenedModel &opened, const OpeningClock &clock)
{
    return {
        {"ids",    generated.ids                                                           },
        {"timing", {{"load_s", clock.loadSeconds()}, {"compile_s", clock.compileSeconds()}}},
        {"memory",
         {{"device_bytes", opened.device->allocated(MemoryKind::Device)},
          {"planned_bytes", opened.plan.device() - (opened.tower ? opened.plan.vision : 0)},
          {"quantized_from_cache", opened.model->tookKept()}}                              }
    };
}

Generated generate(const Options &options, const Prompt &prompt, OpenedModel &opened)
{
    Generated result;
    Session session(*opened.device, *opened.decoder, opened.tower.get(),
                    opened.model->config().decoder.hiddenSize);
    const Result<SyncReport> synced = session.sync(prompt, {}, interrupted());
    if (!synced) {
        result.status = synced.error();
        return result;
    }
    SamplingOptions greedy;
    greedy.temperature = 0;
    Sampler sampler(options.sampling.over(greedy));
    const std::vector<std::uint32_t> &ends = opened.model->config().eosTokenIds;
    while (result.ids.size() < options.maxTokens) {
        const Result<std::uint32_t> token = sampler.choose(session.logits());
        if (!token) {
            result.status = token.error();
            break;
        }
        if (!options.ignoreEos && std::find(ends.begin(), ends.end(), *token) != ends.end())
            break;
        result.ids.push_back(*token);
        if (result.ids.size() == options.maxTokens)
            break;
        result.status = session.append(*token, interrupted());
        if (!result.status)
            break;
    }
    return result;
}

int runGenerate(const Options &options)
{
    Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
    const Result<ModelConfig> config = readConfig(open->folder);
    if (!config)
        return fail(config.error());
    if (config->numLabels > 0)
        return fail(
            {ErrorCode::Unsupported, open->folder + " is a " + config->architecture +
                                         ", which sorts texts into classes and can't go on with one"});
    const auto input = readModelInput(options.input, *config);
    if (!input)
        return fail(input.error());
    if (open->context == 0)
        open->context = static_cast<std::uint32_t>((*input)->prompt.tokens.size()) + options.maxTokens;
    open->mediaTokens = (*input)->prompt.mediaTokens();

    ProgressLine line;
    OpeningClock clock;
    const auto progress = [&](const Progress &now) {
        line.show(now);
        clock.see(now);
    };
    Result<OpenedModel> opened = openModel(*open, progress, interrupted());
    if (!opened)
        return fail(opened.error());
    clock.stop();
    line.clear();
    printNotes(*opened);
    const Generated generated = generate(options, (*input)->prompt, *opened);
    if (!generated.status && generated.status.error().code != ErrorCode::Cancelled)
        return fail(generated.status.error());
    if (options.common.json) {
        std::cout << report(generated, *opened, clock).dump() << '\n';
    } else {
        for (std::size_t i = 0; i < generated.ids.size(); ++i)
            std::cout << (i ? " " : "") << generated.ids[i];
        std::cout << '\n';
    }
    return generated.status ? kDone : kInterrupted;
}

} // namespace

void addGenerateCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("generate", "Continues token ids; greedy unless sampling options say otherwise");
    addCommonOptions(*command, options->common);
    command
        ->add_option("--input", options->input,
                     "safetensors file with input_ids and, for media, pixel_values and grid_thws")
        ->required();
    command->add_option("--max-tokens", options->maxTokens, "most tokens to generate")
        ->required()
        ->check(wholeNumber())
        ->check(CLI::Range(1u, 1u << 24));
    command->add_flag("--ignore-eos", options->ignoreEos, "go on after an end token");
    addSamplingOptions(*command, options->sampling);
    addActivationsOption(*command, options->halfActivations);
    command->callback([options, &run] { run = [options] { return runGenerate(*options); }; });
}

} // namespace perilune::cli
