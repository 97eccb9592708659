#include "engine/model/loaded_model.h"

#include "engine/model/inspection.h"

#include <optional>

namespace perilune {

LoadedModel::LoadedModel(Checkpoint checkpoint, ModelConfig config)
    : m_checkpoint(std::move(checkpoint)),
      m_config(std::move(config))
{
}

Result<std::unique_ptr<LoadedModel>> LoadedModel::open(Device &device, const LoadOptions &options,
                                                       const Approve &approve, const LoadProgress &progress,
                                                       const std::stop_token &stop)
{
    Result<ModelConfig> config = readConfig(options.folder);
    if (!config)
        return std::move(config).error();
    Result<Checkpoint> checkpoint = Checkpoint::open(options.folder);
    if (!checkpoint)
        return std::move(checkpoint).error();
    std::unique_ptr<LoadedModel> model(new LoadedModel(*std::move(checkpoint), *std::move(config)));
    if (Status loaded = model->load(device, options, approve, progress, stop); !loaded)
        return std::move(loaded).error();
    return model;
}

void LoadedModel::bind(WeightLoader &loader)
{
    m_decoder = {};
    m_vision = {};
    bindDecoderWeights(loader, m_config, m_decoder);
    if (const auto &vision = m_config.vision)
        bindVisionWeights(loader, *vision, m_vision);
}

std::shared_ptr<const QuantizedFile> LoadedModel::findKept(const std::string &path, const std::string &source)
{
    if (path.empty())
        return nullptr;
    auto kept = QuantizedFile::open(path, source);
    if (kept)
        return *std::move(kept);
    if (kept.error().code == ErrorCode::Corrupt || kept.error().code == ErrorCode::InvalidInput)
        m_notes.push_back(kept.error().message + "; the weights are quantized anew");
    return nullptr;
}

Status LoadedModel::load(Device &device, const LoadOptions &options, const Approve &approve,
                         const LoadProgress &progress, const std::stop_token &stop)
{
    std::string path, source;
    if (options.quantize.any() && !options.cacheFolder.empty()) {
        path = options.cacheFolder + "/" + quantizedFileName(options.folder, options.quantize);
        source = quantizedSource(m_checkpoint, options.quantize);
    }
    std::shared_ptr<const QuantizedFile> kept = findKept(path, source);
    std::optional<std::size_t> onHost;
    while (true) { // a second time where the kept file turns out damaged
        WeightLoader loader(m_checkpoint, options.quantize, kept);
        bind(loader);
        // A checkpoint that contradicts its config has no size to speak of; upload() names the contradiction.
        if (approve && !onHost && loader.problems().empty()) {
            const Result<std::size_t> allowed = approve(m_config, loader.bytes());
            if (!allowed)
                return allowed.error();
            onHost = *allowed;
        }
        std::optional<QuantizedFileWriter> keep;
        if (!path.empty() && loader.problems().empty() && !loader.quantized().empty())
            keep.emplace(path, source, loader.quantized());
        Status uploaded = loader.upload(device, m_buffers, progress, stop,
                                        {.onHost = onHost.value_or(0), .keep = keep ? &*keep : nullptr});
        if (!uploaded && loader.keptIsDamaged()) {
            m_notes.push_back(uploaded.error().message + "; the weights are quantized anew");
            m_buffers.clear();
            kept = nullptr;
            continue;
        }
        if (!uploaded)
            return std::move(uploaded).error().during("loading " + options.folder);
        if (keep) {
            if (Status finished = keep->finish(); !finished)
                m_notes.push_back(finished.error().message);
        }
        m_tookKept = kept != nullptr;
        addNotes(loader, onHost.value_or(0));
        return Done{};
    }
}

void LoadedModel::addNotes(const WeightLoader &loader, std::size_t onHost)
{
    if (onHost > 0)
        m_notes.push_back("the experts of " + std::to_string(onHost) + " of " +
                          std::to_string(loader.bytes().movable.size()) +
                          " layers lie in main memory, which is slower: the device's has no room for them");
    const std::vector<std::string> notes = loader.notes();
    m_notes.insert(m_notes.end(), notes.begin(), notes.end());
    m_notes.insert(m_notes.end(), m_config.notes.begin(), m_config.notes.end());
    const std::vector<std::string> ignored = notesOnIgnored(m_config, loader.unused());
    m_notes.insert(m_notes.end(), ignored.begin(), ignored.end());
}

} // namespace perilune
