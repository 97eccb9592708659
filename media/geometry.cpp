#include "media/geometry.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace perilune {

namespace {

constexpr std::uint32_t kPatch = 14;
constexpr std::uint32_t kCell = 28;        // a patch merged two by two
constexpr std::uint32_t kKimiVlSide = 512; // its position table ends before this many patches

std::string sizeText(std::uint32_t width, std::uint32_t height)
{
    return std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

Result<ResizePlan> padded(std::uint32_t width, std::uint32_t height, const MediaConfig &config)
{
    ResizePlan plan{.width = width, .height = height};
    plan.padWidth = (kCell - width % kCell) % kCell;
    plan.padHeight = (kCell - height % kCell) % kCell;
    plan.tokens = config.fixedOutputTokens ? *config.fixedOutputTokens : plan.grid(1).tokens();
    const std::uint32_t longest = std::max(plan.paddedWidth(), plan.paddedHeight()) / kPatch;
    const std::uint32_t allowed =
        config.layout == MediaConfig::Layout::KimiVl ? kKimiVlSide - 1 : config.sideLimit;
    if (longest > allowed) {
        return Error{ErrorCode::Unsupported,
                     "a picture of " + sizeText(width, height) + " takes " + std::to_string(longest) +
                         " patches on one side, but the model has only " + std::to_string(allowed)};
    }
    return plan;
}

Result<ResizePlan> planWithLimit(std::uint32_t width, std::uint32_t height, double limit,
                                 const MediaConfig &config)
{
    if (width == 0 || height == 0)
        return Error{ErrorCode::InvalidInput,
                     "a picture of " + sizeText(width, height) + " has nothing to see"};
    const std::uint32_t across = width / kPatch, down = height / kPatch; // whole patches
    if (config.layout == MediaConfig::Layout::KimiVl) {
        const double patches = double(across) * down;
        if (patches <= limit)
            return padded(width, height, config);
        const double scale = std::sqrt(limit / patches);
        return padded(std::max(1u, static_cast<std::uint32_t>(width * scale)),
                      std::max(1u, static_cast<std::uint32_t>(height * scale)), config);
    }
    const std::uint32_t side = config.sideLimit * kPatch;
    const double scale =
        std::min({1.0, std::sqrt(limit / (double(std::max(1u, across)) * std::max(1u, down))),
                  double(side) / width, double(side) / height});
    const auto shrink = [&](std::uint32_t size) {
        return std::min(std::max(1u, static_cast<std::uint32_t>(size * scale)), side);
    };
    return padded(shrink(width), shrink(height), config);
}

} // namespace

Result<ResizePlan> planPicture(std::uint32_t width, std::uint32_t height, const MediaConfig &config)
{
    return planWithLimit(width, height, config.patchLimit, config);
}

Result<ResizePlan> planFrame(std::uint32_t width, std::uint32_t height, std::uint32_t chunkFrames,
                             const MediaConfig &config)
{
    double limit = config.framePatchLimit.value_or(config.patchLimit);
    if (config.videoPatchLimit)
        limit = std::min(std::nearbyint(double(*config.videoPatchLimit) / chunkFrames), limit);
    return planWithLimit(width, height, limit, config);
}

} // namespace perilune
