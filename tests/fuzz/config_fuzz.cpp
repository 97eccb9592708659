// A config.json is refused with a sentence, or its numbers are such that nothing divides by zero.
#include "engine/model/config.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace perilune;
using namespace perilune::fuzz;

namespace {

void checkDecoder(const DecoderConfig &config)
{
    for (const std::uint32_t size :
         {config.vocabSize, config.hiddenSize, config.numHiddenLayers, config.numAttentionHeads,
          config.kvLoraRank, config.vHeadDim, config.intermediateSize, config.moeLayerFreq, config.nGroup,
          config.topkGroup, config.maxPositionEmbeddings})
        require(size > 0, "no size of a decoder is zero");
    require(config.qkHeadDim() >= config.qkNopeHeadDim && config.latentDim() > config.kvLoraRank,
            "sums of sizes don't overflow");
    for (const double number :
         {double{config.routedScalingFactor}, double{config.rmsNormEps}, config.ropeTheta,
          config.ropeScaling.factor, config.ropeScaling.mscale, config.ropeScaling.mscaleAllDim,
          config.ropeScaling.betaFast, config.ropeScaling.betaSlow,
          config.ropeScaling.originalMaxPositionEmbeddings})
        require(std::isfinite(number) && number >= 0, "numbers of a decoder are finite");
    if (config.nRoutedExperts == 0)
        return;
    require(config.moeIntermediateSize > 0 && config.numExpertsPerTok > 0, "experts have a size");
    require(config.numExpertsPerTok <= config.nRoutedExperts, "no more experts are used than there are");
    require(config.nRoutedExperts % config.nGroup == 0, "groups are whole");
    for (std::uint32_t layer = 0; layer < 4; ++layer)
        (void)config.isMoe(layer);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const Result<ModelConfig> config = parseConfig(Input(data, size).rest(), "config.json");
    if (!config) {
        requireSentence(config.error().message);
        return 0;
    }
    checkDecoder(config->decoder);
    if (config->vision) {
        const VisionConfig &vision = *config->vision;
        require(vision.headDim() > 0 && vision.headDim() % 4 == 0, "heads of the tower have a width");
        require(vision.merge() == 4 && vision.patchSize > 0 && vision.posEmbTime > 0 &&
                    vision.posEmbHeight > 0 && vision.posEmbWidth > 0 && vision.intermediateSize > 0,
                "no size of the tower is zero");
        require(vision.textHiddenSize == config->decoder.hiddenSize, "tower and decoder fit");
    }
    return 0;
}
