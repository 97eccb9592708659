#include "engine/model/projector.h"

#include "engine/kernels/gelu.h"
#include "engine/kernels/layer_norm.h"
#include "engine/kernels/matmul.h"

namespace perilune {

void project(Device &device, const ProjectorWeights &weights, float epsilon, const Tensor &merged,
             const ProjectorScratch &scratch, const Tensor &out)
{
    const std::uint32_t width = weights.preNorm.weight.columns;
    CHECK(merged.columns % width == 0);
    const std::uint32_t patches = merged.rows * (merged.columns / width);
    layerNorm(device, Tensor{merged.address, patches, width}, weights.preNorm.weight, weights.preNorm.bias,
              Tensor{scratch.normed.address, patches, width}, epsilon);
    matmul(device, scratch.normed, weights.first.weight, scratch.inner, {.bias = weights.first.bias});
    geluErf(device, scratch.inner, scratch.inner);
    matmul(device, scratch.inner, weights.second.weight, out, {.bias = weights.second.bias});
}

} // namespace perilune
