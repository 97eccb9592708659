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

/// What a stage made of one medium, row-major.
struct VisionTap {
    std::uint32_t medium = 0; ///< its place among the grids
    std::string stage;        ///< "patch_embed", "block.0", …, "final", "merged", "projected"
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<float> values;
};

/// Watches an encoding. Both may be empty.
struct VisionHooks {
    /// Gets (work done, work in all) after each block of each batch.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
    /// For dumps; slow. "merged" is (tokens, 4 · D), "projected" (tokens, textHiddenSize), the rest (patches,
    /// D).
    std::function<void(const VisionTap &)> tap;
};

/// MoonViT and its projector: patches in, decoder embeddings out. Used by the engine thread.
class VisionTower {
public:
    /// Unsupported where the kernels can't run a tower of these sizes; names the key.
    static Status supports(const VisionConfig &config);

    /// `config` is supported; `weights` are uploaded, and outlive the tower as `device` does.
    VisionTower(Device &device, const VisionConfig &config, const VisionWeights &weights);

    /// Whether this tower can encode `input`: even grids within its limits, frames as its time table
    /// allows, and as many values as the grids say. InvalidInput names the medium.
    Status accepts(const VisionInput &input) const;

    /// Encodes all media into `out` (sum of tokens, textHiddenSize) f32, in order. Media are packed
    /// into batches of at most kBatchPatches (a larger medium is a batch by itself); none sees
    /// another. Allocates scratchBytes() of the largest batch and frees it before it returns.
    /// InvalidInput as accepts(); Cancelled, OutOfMemory, DeviceLost. No recording may be open.
    Status encode(const VisionInput &input, const Tensor &out, const VisionHooks &hooks,
                  const std::stop_token &stop);

    static constexpr std::uint64_t kBatchPatches = 4096;

    /// Device memory that encode() takes for a batch of `patches`, for planning.
    static std::uint64_t scratchBytes(const VisionConfig &config, std::uint64_t patches);

private:
    struct Run;
    struct Medium;
    struct Activations;

    std::vector<std::vector<Medium>> batchesOf(const VisionInput &input) const;
    Status encodeBatch(const Run &run, std::span<const Medium> batch, const Activations &a);
    Status uploadBatch(const VisionInput &input, std::span<const Medium> batch, const Activations &a);
    void recordBlock(const VisionBlockWeights &block, std::span<const Medium> batch, const Activations &a);
    Status projectBatch(const Run &run, std::span<const Medium> batch, const Activations &a);
    Status tapPatches(const VisionHooks &hooks, std::span<const Medium> batch, const std::string &stage,
                      const Tensor &values);
    Status tap(const VisionHooks &hooks, std::uint32_t medium, const std::string &stage,
               const Tensor &values);

    Device &m_device;
    VisionConfig m_config;
    const VisionWeights &m_weights;
    std::vector<float> m_positions; // (posEmbHeight, posEmbWidth, D), from the first encode() on
};

} // namespace perilune
