#include "engine/session/opened_model.h"

#include "engine/session/dispatch_collector.h"
#include "engine/session/smaller_model.h"

#include <algorithm>

namespace perilune {

namespace {

DecoderOptions decoderOptions(const OpenOptions &options, std::uint32_t context)
{
    return {.context = context,
            .chunk = std::min(options.chunk, context),
            .cacheType = options.halfCache ? DType::F16 : DType::F32};
}

/// Runs the model on a device that only listens, once for every shape of work, and has the real one compile
/// what was asked for.
Status compilePipelines(const OpenedModel &opened, const DecoderOptions &options,
                        const std::function<void(Progress)> &progress, const std::stop_token &stop)
{
    DispatchCollector collector(opened.device->info());
    const ModelConfig &config = opened.model->config();
    auto decoder = Decoder::create(collector, config, opened.model->decoder(), options);
    if (!decoder)
        return std::move(decoder).error();
    // Kernels choose their shapes by the number of rows; most of the choices lie among the small ones.
    for (const std::uint32_t rows :
         {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 16u, 32u, 64u, 128u, options.chunk}) {
        const std::vector<std::uint32_t> tokens(std::clamp(rows, 1u, options.chunk), 0);
        const std::uint32_t last = options.context - static_cast<std::uint32_t>(tokens.size());
        for (const std::uint32_t position : {0u, last}) {
            if (Status done = (*decoder)->forward({tokens, {}, position}, Decoder::Logits::Last, stop); !done)
                return done;
        }
    }
    if (config.vision) {
        VisionTower tower(collector, *config.vision, opened.model->vision());
        const PatchGrid grid{1, 4, 4};
        const std::vector<float> pixels(
            grid.patches() * 3 * config.vision->patchSize * config.vision->patchSize, 0.0f);
        const Tensor out{collector.somewhere(), static_cast<std::uint32_t>(grid.tokens()),
                         config.decoder.hiddenSize, DType::F32};
        if (Status done = tower.encode(
                {
                    {&grid, 1},
                    pixels
        },
                out, {}, stop);
            !done)
            return done;
    }
    const auto report = [&](std::uint64_t done, std::uint64_t total) {
        if (progress)
            progress({Progress::Stage::Compiling, done, total});
    };
    return opened.device->compile(collector.dispatches(), report, stop);
}

} // namespace

MemoryWishes memoryWishes(const OpenOptions &options)
{
    return {.budget = options.budget,
            .hostBudget = options.hostBudget,
            .context = options.context,
            .chunk = options.chunk,
            .cacheType = options.halfCache ? DType::F16 : DType::F32,
            .allLogits = options.allLogits,
            .mediaTokens = options.mediaTokens};
}

Result<OpenedModel> openModel(const OpenOptions &options, const std::function<void(Progress)> &progress,
                              const std::stop_token &stop)
{
    OpenedModel opened;
    const DeviceOptions wanted{.choice = options.device, .cacheFolder = options.cacheFolder};
    auto device = options.openDevice ? options.openDevice(wanted) : openDevice(wanted);
    if (!device)
        return std::move(device).error();
    opened.device = *std::move(device);
    opened.device->setBudget(options.budget, options.hostBudget);

    const auto loading = [&](std::uint64_t done, std::uint64_t total) {
        if (progress)
            progress({Progress::Stage::Loading, done, total});
    };
    const auto approve = [&](const ModelConfig &config, const WeightBytes &weights) -> Result<std::size_t> {
        const DeviceInfo &info = opened.device->info();
        opened.plan = planMemory(config, weights, memoryWishes(options), info);
        if (opened.plan.fits())
            return opened.plan.groupsOnHost;
        return Error{ErrorCode::OutOfMemory,
                     opened.plan.refusal(info.name) + quantizationThatFits(options.folder, options.quantize,
                                                                           memoryWishes(options), info,
                                                                           opened.plan)};
    };
    auto model = LoadedModel::open(
        *opened.device,
        {.folder = options.folder, .quantize = options.quantize, .cacheFolder = options.cacheFolder}, approve,
        loading, stop);
    if (!model)
        return std::move(model).error();
    opened.model = *std::move(model);
    const ModelConfig &config = opened.model->config();
    const std::uint32_t context = opened.plan.context;

    auto decoder =
        Decoder::create(*opened.device, config, opened.model->decoder(), decoderOptions(options, context));
    if (!decoder)
        return std::move(decoder).error();
    opened.decoder = *std::move(decoder);
    if (config.vision) {
        if (Status supported = VisionTower::supports(*config.vision); !supported)
            return std::move(supported).error();
        opened.tower = std::make_unique<VisionTower>(*opened.device, *config.vision, opened.model->vision());
    }
    if (Status compiled = compilePipelines(opened, decoderOptions(options, context), progress, stop);
        !compiled)
        return std::move(compiled).error();
    return opened;
}

} // namespace perilune
