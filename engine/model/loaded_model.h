#pragma once

#include "engine/gpu/device.h"
#include "engine/model/decoder_weights.h"
#include "engine/model/vision_weights.h"
#include "engine/weights/checkpoint.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// A model folder with its weights on a device. The fields that point into it keep it where it is.
class LoadedModel {
public:
    /// Gets what the weights will take, in bytes, before anything is uploaded; its refusal ends open().
    using Approve =
        std::function<Status(const ModelConfig &config, std::uint64_t onDevice, std::uint64_t mapped)>;

    /// Reads config.json and the headers, checks every tensor, then uploads. Nothing is uploaded where
    /// anything is missing or has another shape or type: the error names the first such tensor.
    static Result<std::unique_ptr<LoadedModel>> open(Device &device, const std::string &folder,
                                                     const Approve &approve, const LoadProgress &progress,
                                                     const std::stop_token &stop);

    LoadedModel(const LoadedModel &) = delete;
    LoadedModel &operator=(const LoadedModel &) = delete;

    const ModelConfig &config() const { return m_config; }
    const DecoderWeights &decoder() const { return m_decoder; }
    const VisionWeights &vision() const { return m_vision; } ///< empty without config().vision

private:
    LoadedModel(Checkpoint checkpoint, ModelConfig config);

    Checkpoint m_checkpoint;
    ModelConfig m_config;
    DecoderWeights m_decoder;
    VisionWeights m_vision;
    std::vector<std::unique_ptr<Buffer>> m_buffers;
};

} // namespace perilune
