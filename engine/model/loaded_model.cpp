#include "engine/model/loaded_model.h"

namespace perilune {

LoadedModel::LoadedModel(Checkpoint checkpoint, ModelConfig config)
    : m_checkpoint(std::move(checkpoint)),
      m_config(std::move(config))
{
}

Result<std::unique_ptr<LoadedModel>> LoadedModel::open(Device &device, const std::string &folder,
                                                       const Approve &approve, const LoadProgress &progress,
                                                       const std::stop_token &stop)
{
    Result<ModelConfig> config = readConfig(folder);
    if (!config)
        return std::move(config).error();
    Result<Checkpoint> checkpoint = Checkpoint::open(folder);
    if (!checkpoint)
        return std::move(checkpoint).error();
    std::unique_ptr<LoadedModel> model(new LoadedModel(*std::move(checkpoint), *std::move(config)));

    WeightLoader loader(model->m_checkpoint);
    bindDecoderWeights(loader, model->m_config, model->m_decoder);
    if (const auto &vision = model->m_config.vision)
        bindVisionWeights(loader, *vision, model->m_vision);
    // A checkpoint that contradicts its config has no size to speak of; upload() names the contradiction.
    if (approve && loader.problems().empty()) {
        if (Status approved = approve(model->m_config, loader.deviceBytes(), loader.mappedBytes()); !approved)
            return std::move(approved).error();
    }
    if (Status uploaded = loader.upload(device, model->m_buffers, progress, stop); !uploaded)
        return std::move(uploaded).error().during("loading " + folder);
    return model;
}

} // namespace perilune
