#include "engine/session/memory_plan.h"

#include "engine/gpu/memory_blocks.h"
#include "engine/model/vision_tower.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <unistd.h>

namespace perilune {

namespace {

constexpr std::uint32_t kLeastContext = 256;
constexpr std::uint32_t kUsefulContext = 4096; // a shorter one isn't worth the faster memory

DecoderOptions decoderOptions(const MemoryWishes &wishes, std::uint32_t context)
{
    return {.context = context, .chunk = std::min(wishes.chunk, context), .cacheType = wishes.cacheType};
}

/// A picture of the usual limit, or a chunk of a clip whose frames have it; with what comes out of it, and of
/// all media of the prompt where they are more.
std::uint64_t visionBytes(const ModelConfig &config, std::uint64_t mediaTokens)
{
    if (!config.vision)
        return 0;
    const std::uint64_t patches = VisionTower::kBatchPatches * config.vision->posEmbTime;
    const std::uint64_t tokens = std::max(patches / config.vision->merge(), mediaTokens);
    return alignedBytes(VisionTower::scratchBytes(*config.vision, patches)) +
           alignedBytes(tokens * config.decoder.hiddenSize * sizeof(float));
}

std::uint64_t memoryOfComputer()
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

/// What the device has. A device of the kind "cpu" has the computer's memory, whatever its heap is called.
std::uint64_t memoryOf(const DeviceInfo &device)
{
    return device.kind == "cpu" ? std::max(device.memory, memoryOfComputer()) : device.memory;
}

bool hostReaches(const DeviceInfo &device)
{
    return device.kind == "cpu" || device.kind == "integrated";
}

/// The largest context, in steps of kLeastContext, that leaves room for everything; 0 for none.
std::uint32_t largestContext(const ModelConfig &config, const MemoryWishes &wishes, std::uint64_t room)
{
    const auto fits = [&](std::uint32_t steps) {
        return Decoder::bytesNeeded(config, decoderOptions(wishes, steps * kLeastContext)) <= room;
    };
    std::uint32_t fitting = 0;
    std::uint32_t tooLarge = std::max(config.decoder.maxPositionEmbeddings / kLeastContext, 1u) + 1;
    while (tooLarge - fitting > 1) {
        const std::uint32_t middle = fitting + (tooLarge - fitting) / 2;
        (fits(middle) ? fitting : tooLarge) = middle;
    }
    return fitting * kLeastContext;
}

std::string sizeText(std::uint64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
    return text;
}

MemoryPlan planWith(std::size_t moved, const ModelConfig &config, const WeightBytes &weights,
                    const MemoryWishes &wishes, const DeviceInfo &device)
{
    MemoryPlan plan;
    plan.groupsOnHost = moved;
    for (const std::uint64_t bytes : std::span(weights.movable).first(moved))
        plan.hostWeights += bytes;
    plan.weights = weights.device - plan.hostWeights;
    plan.onDisk = weights.onDisk;
    plan.vision = visionBytes(config, wishes.mediaTokens);
    plan.deviceLimit = wishes.budget ? wishes.budget : memoryOf(device);
    plan.hostLimit = wishes.hostBudget;
    const std::uint64_t dump = wishes.allLogits ? Decoder::dumpBytes(config) : 0;
    const std::uint64_t fixed = plan.weights + plan.vision + dump;
    const std::uint64_t room = plan.deviceLimit > fixed ? plan.deviceLimit - fixed : 0;
    plan.largestContext = largestContext(config, wishes, room);

    plan.context = wishes.context;
    if (plan.context == 0) {
        plan.context = std::min(config.decoder.maxPositionEmbeddings, kDefaultContext);
        while (plan.context > kLeastContext &&
               Decoder::bytesNeeded(config, decoderOptions(wishes, plan.context)) > room / 2)
            plan.context /= 2;
    }
    const DecoderOptions options = decoderOptions(wishes, plan.context);
    plan.cache = Decoder::cacheBytes(config, options);
    plan.activations = Decoder::bytesNeeded(config, options) - plan.cache + dump;
    if (plan.device() <= plan.deviceLimit) // also where it is less than a step
        plan.largestContext = std::max(plan.largestContext, plan.context);
    plan.host = plan.hostWeights + Decoder::hostBytesNeeded(config, options) +
                (hostReaches(device) ? 0 : kStagingBytes);
    return plan;
}

} // namespace

std::string MemoryPlan::refusal(const std::string &deviceName) const
{
    if (fits())
        return {};
    if (device() <= deviceLimit)
        return "the model needs " + sizeText(host) + " of main memory that " + deviceName +
               " sees, but the limit is " + sizeText(hostLimit);
    std::string text = "the model needs " + sizeText(device()) + " on " + deviceName + " (weights " +
                       sizeText(weights) + ", a cache of " + std::to_string(context) + " tokens " +
                       sizeText(cache) + ", activations " + sizeText(activations);
    if (vision > 0)
        text += ", looking at pictures " + sizeText(vision);
    text += "), but there are " + sizeText(deviceLimit) + "; ";
    if (largestContext > 0)
        return text + "a context of " + std::to_string(largestContext) + " tokens would fit";
    if (hostIsShort)
        text += "main memory has no room for enough of the experts within its limit; ";
    return text + "no context would fit beside the weights: a smaller or more strongly quantized model "
                  "is needed, or more memory";
}

MemoryPlan planMemory(const ModelConfig &config, const WeightBytes &weights, const MemoryWishes &wishes,
                      const DeviceInfo &device)
{
    MemoryPlan plan = planWith(0, config, weights, wishes, device);
    const std::uint32_t enough = std::min(config.decoder.maxPositionEmbeddings, kUsefulContext);
    const auto isGood = [&](const MemoryPlan &p) {
        return p.fits() && (wishes.context > 0 || p.context >= enough);
    };
    if (isGood(plan) || (wishes.hostBudget == 0 && hostReaches(device)))
        return plan;
    const std::uint64_t all = memoryOfComputer();
    const std::uint64_t most = wishes.hostBudget ? std::min(wishes.hostBudget, all) : all / 2;
    const auto mayBe = [&](const MemoryPlan &p) {
        return p.host <= most && (!hostReaches(device) || p.device() + p.host <= all);
    };
    for (std::size_t moved = 1; moved <= weights.movable.size() && !isGood(plan); ++moved) {
        const MemoryPlan next = planWith(moved, config, weights, wishes, device);
        if (!mayBe(next)) {
            plan.hostIsShort = true;
            break;
        }
        if (next.fits() && (!plan.fits() || next.context > plan.context))
            plan = next;
        plan.largestContext = std::max(plan.largestContext, next.largestContext); // for the refusal
    }
    return plan;
}

} // namespace perilune
