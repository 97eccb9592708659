#pragma once

#include "engine/gpu/device.h"
#include "engine/model/decoder.h"
#include "engine/weights/weight_loader.h"

#include <cstdint>
#include <string>

namespace perilune {

/// Where the bytes of a model go on one device, known from config and headers alone.
struct MemoryPlan {
    // In device memory.
    std::uint64_t weights = 0;
    std::uint64_t cache = 0;       ///< of `context` positions
    std::uint64_t activations = 0; ///< with the tables and the logits
    std::uint64_t vision = 0;      ///< while the largest usual medium is looked at; 0 without a tower

    // In main memory.
    std::uint64_t host = 0;        ///< that the device sees, with the next
    std::uint64_t hostWeights = 0; ///< experts that the device's memory doesn't hold
    std::size_t groupsOnHost = 0;  ///< so many of WeightBytes::movable
    bool hostIsShort = false;      ///< more would have moved if main memory had room for them
    std::uint64_t onDisk = 0;      ///< of the checkpoint; read where it is needed

    std::uint64_t deviceLimit = 0; ///< the budget, or what the device has (of the kind "cpu": the computer)
    std::uint64_t hostLimit = 0;   ///< 0 for none
    std::uint32_t context = 0;
    std::uint32_t largestContext = 0; ///< that would fit; 0 where none does

    std::uint64_t device() const { return weights + cache + activations + vision; }
    bool fits() const { return device() <= deviceLimit && (hostLimit == 0 || host <= hostLimit); }
    /// Where it doesn't fit: what is needed, what there is and what would fit. Empty where it does.
    std::string refusal(const std::string &deviceName) const;
};

/// What the person allows; zeros for no limit and for the context that fits.
struct MemoryWishes {
    std::uint64_t budget = 0, hostBudget = 0; ///< bytes
    std::uint32_t context = 0;                ///< positions
    std::uint32_t chunk = 256;
    DType cacheType = DType::F32;
    bool allLogits = false;        ///< those of every position are asked for, not of the last alone
    std::uint64_t mediaTokens = 0; ///< of the prompt, where it is known
};

/// Plans for `device`. Where no context is asked for it is the model's own, at most kDefaultContext, halved
/// until cache and activations fit half of what weights and vision leave.
///
/// What doesn't fit is made to by moving experts to main memory, layer by layer from the last and no more
/// than needed; so is a context below 4,096 tokens (or the model's own) that nobody asked for. Within the
/// host budget, or half of the computer's memory where there is none. Only for devices with memory of their
/// own, or where the person set a host budget; where device and computer share one memory, both stay within
/// it together.
MemoryPlan planMemory(const ModelConfig &config, const WeightBytes &weights, const MemoryWishes &wishes,
                      const DeviceInfo &device);

constexpr std::uint32_t kDefaultContext = 32768;

} // namespace perilune
