#pragma once

#include "engine/api/vision_patches.h"
#include "engine/model/vision_weights.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// Media to encode: patches of all of them one after the other.
struct VisionInput {
    std::span<const PatchGrid> grids;
    std::span<const float> pixelValues; ///< (sum of patches, 3, patchSize, patchSize)
};

/// Watches an encoding. Both may be empty.
struct VisionHooks {
    /// Gets (patches done, patches in all) after each batch of media.
    std::function<void(std::uint64_t, std::uint64_t)> progress;

    /// Gets what a stage made of one medium: "patch_embed", "block.0", …, "final" of (patches, D),
    /// "merged" of (tokens · 4, D) and "projected" of (tokens, textHiddenSize). Slow; for dumps.
    std::function<void(std::uint32_t medium, const std::string &stage, const std::vector<float> &values)> tap;
};

/// MoonViT and its projector: patches in, decoder embeddings out. Used by the engine thread.
class VisionTower {
public:
    /// `weights` are uploaded, and outlive the tower as `device` does.
    VisionTower(Device &device, const VisionConfig &config, const VisionWeights &weights);

    /// Whether `input` is something that this tower can encode: even grids within its limits, frames
    /// as its time table allows, and as many values as the grids say. InvalidInput names the medium.
    Status accepts(const VisionInput &input) const;

    /// Encodes all media into `out` (sum of tokens, textHiddenSize) f32, in order. Media are packed
    /// into batches of about kBatchPatches (a larger medium is a batch by itself), never split; none
    /// sees another. Allocates scratchBytes() of the largest batch and frees it before it returns.
    /// InvalidInput as accepts(); Cancelled, OutOfMemory, DeviceLost. No recording may be open.
    Status encode(const VisionInput &input, const Tensor &out, const VisionHooks &hooks,
                  std::stop_token stop);

    static constexpr std::uint64_t kBatchPatches = 4096;

    /// Device memory that encode() takes for a batch of `patches`, for planning.
    static std::uint64_t scratchBytes(const VisionConfig &config, std::uint64_t patches);

private:
    struct Batch;
    struct Scratch;

    std::vector<Batch> batchesOf(const VisionInput &input) const;
    Result<Scratch> allocate(std::uint64_t patches);
    Status encodeBatch(const VisionInput &input, const Batch &batch, const Scratch &scratch,
                       const Tensor &out, const VisionHooks &hooks, std::stop_token stop);

    Device &m_device;
    VisionConfig m_config;
    const VisionWeights &m_weights;
    std::vector<float> m_positions; // (posEmbHeight, posEmbWidth, D), from the first encode() on
};

} // namespace perilune
