#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/model_input.h"
#include "engine/weights/safetensors_writer.h"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string input, dump;
    bool layers = false, vision = false, halfActivations = false;
};

/// Gathers what chunks hand over piece by piece.
class Dump {
public:
    explicit Dump(const ModelConfig &config) : m_config(config)
    {
        m_tap.floats = [this](const std::string &name, std::span<const float> values) {
            std::vector<float> &all = m_floats[name];
            all.insert(all.end(), values.begin(), values.end());
        };
        m_tap.router = [this](std::uint32_t layer, std::span<const std::uint32_t> ids,
                              std::span<const float> weights) {
            Router &router = m_routers[layer];
            router.ids.insert(router.ids.end(), ids.begin(), ids.end());
            router.weights.insert(router.weights.end(), weights.begin(), weights.end());
        };
    }

    SyncHooks hooks(const Options &options, Decoder &decoder, const std::stop_token &stop)
    {
        SyncHooks hooks;
        if (options.layers)
            hooks.decoderTap = &m_tap;
        if (options.vision && m_config.vision)
            hooks.visionTap = [this, &vision = *m_config.vision](const VisionTap &tap) {
                addVision(vision, tap);
            };
        hooks.chunkDone = [this, &decoder, stop](std::uint32_t, std::uint32_t count) {
            return decoder.logitsOf(0, count, m_logits, stop);
        };
        return hooks;
    }

    Status write(OutputFile file, std::uint64_t positions)
    {
        const DecoderConfig &c = m_config.decoder;
        m_writer.add("logits", {positions, m_logits.size() / positions}, std::span<const float>(m_logits));
        for (const auto &[name, values] : m_floats)
            m_writer.add(name, {positions, c.hiddenSize}, std::span<const float>(values));
        for (const auto &[layer, router] : m_routers) {
            const std::string name = "router." + std::to_string(layer);
            m_writer.add(name + ".ids", {positions, c.numExpertsPerTok},
                         std::span<const std::int64_t>(router.ids));
            m_writer.add(name + ".weights", {positions, c.numExpertsPerTok},
                         std::span<const float>(router.weights));
        }
        return m_writer.write(std::move(file));
    }

private:
    struct Router {
        std::vector<std::int64_t> ids;
        std::vector<float> weights;
    };

    void addVision(const VisionConfig &vision, const VisionTap &tap)
    {
        std::vector<std::uint64_t> shape{tap.rows, tap.columns};
        if (tap.stage == "merged")
            shape = {tap.rows, vision.merge(), vision.hiddenSize};
        m_writer.add("vision." + std::to_string(tap.medium) + "." + tap.stage, shape,
                     std::span<const float>(tap.values));
    }

    const ModelConfig &m_config;
    DecoderTap m_tap;
    std::vector<float> m_logits;
    std::map<std::string, std::vector<float>> m_floats;
    std::map<std::uint32_t, Router> m_routers;
    SafetensorsWriter m_writer;
};

int runForward(const Options &options)
{
    Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
    const Result<ModelConfig> config = readConfig(open->folder);
    if (!config)
        return fail(config.error());
    const auto input = readModelInput(options.input, *config);
    if (!input)
        return fail(input.error());
    Result<OutputFile> place = OutputFile::create(options.dump);
    if (!place)
        return fail(place.error());
    if (open->context == 0)
        open->context = static_cast<std::uint32_t>((*input)->prompt.tokens.size());
    open->allLogits = true;
    open->mediaTokens = (*input)->prompt.mediaTokens();

    ProgressLine line;
    const auto progress = [&](const Progress &now) { line.show(now); };
    Result<OpenedModel> opened = openModel(*open, progress, interrupted());
    if (!opened)
        return fail(opened.error());
    line.clear();
    printNotes(*opened);
    Dump dump(opened->model->config());
    Session session(*opened->device, *opened->decoder, opened->tower.get(), config->decoder.hiddenSize);
    const SyncHooks hooks = dump.hooks(options, *opened->decoder, interrupted());
    const Result<SyncReport> done = session.sync((*input)->prompt, hooks, interrupted());
    if (!done)
        return fail(done.error());
    if (Status written = dump.write(*std::move(place), (*input)->prompt.tokens.size()); !written)
        return fail(written.error());
    return kDone;
}

} // namespace

void addForwardCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("forward", "One pass over a whole prompt, with what every stage made");
    addCommonOptions(*command, options->common);
    command
        ->add_option("--input", options->input,
                     "safetensors file with input_ids and, for media, pixel_values and grid_thws")
        ->required();
    command->add_option("--dump", options->dump, "safetensors file to write")->required();
    command->add_flag("--layers", options->layers, "also the residual stream and the router of every block");
    command->add_flag("--vision", options->vision, "also every stage of the vision tower");
    addActivationsOption(*command, options->halfActivations);
    command->callback([options, &run] { run = [options] { return runForward(*options); }; });
}

} // namespace perilune::cli
