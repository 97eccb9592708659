#pragma once

#include "engine/gpu/device.h"
#include "engine/model/decoder_weights.h"
#include "engine/model/vision_weights.h"
#include "engine/weights/checkpoint.h"
#include "engine/weights/quantize.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

struct LoadOptions {
    std::string folder; ///< a Hugging Face model folder
    QuantizeOptions quantize;
    std::string cacheFolder; ///< where quantized weights are kept; empty for nowhere
};

/// A model folder with its weights on a device. The fields that point into it keep it where it is.
class LoadedModel {
public:
    /// Gets what the weights will take before anything is uploaded; its refusal ends open(), else it says how
    /// many of the movable groups go to main memory.
    using Approve = std::function<Result<std::size_t>(const ModelConfig &config, const WeightBytes &weights)>;

    /// Reads config.json and the headers, checks every tensor, then uploads. Nothing is uploaded where
    /// anything is missing or has another shape or type: the error names the first such tensor. Quantized
    /// weights are taken from the cache where it has them of this very checkpoint, else made and kept there.
    static Result<std::unique_ptr<LoadedModel>> open(Device &device, const LoadOptions &options,
                                                     const Approve &approve, const LoadProgress &progress,
                                                     const std::stop_token &stop);

    LoadedModel(const LoadedModel &) = delete;
    LoadedModel &operator=(const LoadedModel &) = delete;

    const ModelConfig &config() const { return m_config; }
    const DecoderWeights &decoder() const { return m_decoder; }
    const VisionWeights &vision() const { return m_vision; } ///< empty without config().vision
    /// What the person should know of the loading: a sentence each.
    const std::vector<std::string> &notes() const { return m_notes; }
    /// Whether the quantized weights came from the cache.
    bool tookKept() const { return m_tookKept; }

private:
    LoadedModel(Checkpoint checkpoint, ModelConfig config);
    Status load(Device &device, const LoadOptions &options, const Approve &approve,
                const LoadProgress &progress, const std::stop_token &stop);
    void bind(WeightLoader &loader);
    void addNotes(const WeightLoader &loader, std::size_t onHost);
    std::shared_ptr<const QuantizedFile> findKept(const std::string &path, const std::string &source);

    Checkpoint m_checkpoint;
    ModelConfig m_config;
    DecoderWeights m_decoder;
    VisionWeights m_vision;
    std::vector<std::unique_ptr<Buffer>> m_buffers;
    std::vector<std::string> m_notes;
    bool m_tookKept = false;
};

} // namespace perilune
