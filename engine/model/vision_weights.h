#pragma once

#include "engine/gpu/tensor.h"
#include "engine/model/config.h"
#include "engine/weights/weight_loader.h"

#include <vector>

namespace perilune {

/// Gain and shift of a layer norm, f32 on the device.
struct LayerNormWeights {
    Tensor weight; // (1, D)
    Tensor bias;   // (1, D)
};

/// A matrix with its bias.
struct LinearWeights {
    WeightMatrix weight; // (outputs, inputs)
    Tensor bias;         // (1, outputs)
};

/// One block of MoonViT. D is hiddenSize, F intermediateSize.
struct VisionBlockWeights {
    LayerNormWeights norm0; // (D)
    LinearWeights wqkv;     // (3D, D): queries, keys, values; each heads · headDim
    LinearWeights wo;       // (D, D)
    LayerNormWeights norm1; // (D)
    LinearWeights fc0;      // (F, D)
    LinearWeights fc1;      // (D, F)
};

/// What makes decoder embeddings of merged patches.
struct ProjectorWeights {
    LayerNormWeights preNorm; // (D)
    LinearWeights first;      // (4D, 4D)
    LinearWeights second;     // (textHiddenSize, 4D)
};

struct VisionWeights {
    LinearWeights patchEmbed;               // (D, 3 · patchSize²)
    const StoredTensor *posEmb = nullptr;   // (posEmbHeight, posEmbWidth, D); read by the host
    std::vector<VisionBlockWeights> blocks; // numHiddenLayers
    LayerNormWeights finalLayernorm;        // (D)
    ProjectorWeights projector;
};

/// Binds every tensor of vision tower and projector to its field; what is missing or has another
/// shape stands in loader.problems(). `weights` must stay where it is until the loader has uploaded.
void bindVisionWeights(WeightLoader &loader, const VisionConfig &config, VisionWeights &weights);

} // namespace perilune
