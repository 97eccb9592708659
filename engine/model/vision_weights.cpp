#include "engine/model/vision_weights.h"

#include <string>

namespace perilune {
namespace {

void bindLayerNorm(WeightLoader &loader, const std::string &name, std::uint64_t size, LayerNormWeights &norm)
{
    loader.floats(name + ".weight", {size}, &norm.weight);
    loader.floats(name + ".bias", {size}, &norm.bias);
}

void bindLinear(WeightLoader &loader, const std::string &name, const std::vector<std::uint64_t> &shape,
                LinearWeights &linear)
{
    loader.matrix(name, shape, &linear.weight, {});
    loader.floats(name + ".bias", {shape.front()}, &linear.bias);
}

void bindProjector(WeightLoader &loader, const VisionConfig &config, ProjectorWeights &projector)
{
    const std::uint64_t wide = std::uint64_t{config.merge()} * config.hiddenSize;
    const std::string root = config.kimiVl ? "multi_modal_projector." : "mm_projector.";
    bindLayerNorm(loader, root + "pre_norm", config.hiddenSize, projector.preNorm);
    bindLinear(loader, root + (config.kimiVl ? "linear_1" : "proj.0"), {wide, wide}, projector.first);
    bindLinear(loader, root + (config.kimiVl ? "linear_2" : "proj.2"), {config.textHiddenSize, wide},
               projector.second);
}

} // namespace

void bindVisionWeights(WeightLoader &loader, const VisionConfig &config, VisionWeights &weights)
{
    const std::uint64_t d = config.hiddenSize;
    const std::uint64_t f = config.intermediateSize;
    const std::string root = "vision_tower.";

    loader.group("the vision tower");
    bindLinear(loader, root + "patch_embed.proj", {d, 3, config.patchSize, config.patchSize},
               weights.patchEmbed);
    loader.onHost(root + "patch_embed.pos_emb.weight", {config.posEmbHeight, config.posEmbWidth, d},
                  &weights.posEmb);
    weights.blocks.resize(config.numHiddenLayers);
    for (std::uint32_t i = 0; i < config.numHiddenLayers; ++i) {
        const std::string block = root + "encoder.blocks." + std::to_string(i) + ".";
        VisionBlockWeights &fields = weights.blocks[i];
        bindLayerNorm(loader, block + "norm0", d, fields.norm0);
        bindLinear(loader, block + "wqkv", {3 * d, d}, fields.wqkv);
        bindLinear(loader, block + "wo", {d, d}, fields.wo);
        bindLayerNorm(loader, block + "norm1", d, fields.norm1);
        bindLinear(loader, block + "mlp.fc0", {f, d}, fields.fc0);
        bindLinear(loader, block + "mlp.fc1", {d, f}, fields.fc1);
    }
    bindLayerNorm(loader, root + "encoder.final_layernorm", d, weights.finalLayernorm);
    bindProjector(loader, config, weights.projector);
}

} // namespace perilune
