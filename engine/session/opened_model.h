#pragma once

#include "engine/api/chat_engine.h"
#include "engine/gpu/device.h"
#include "engine/model/decoder.h"
#include "engine/model/loaded_model.h"
#include "engine/model/vision_tower.h"
#include "engine/session/memory_plan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace perilune {

struct OpenOptions {
    std::string folder;      ///< a Hugging Face model folder
    std::string device;      ///< a part of its name, or its index; empty for the fastest usable
    std::string cacheFolder; ///< for compiled pipelines and quantized weights; empty for none
    std::uint64_t budget = 0, hostBudget = 0; ///< bytes, hard limits; 0 for none
    std::uint32_t context = 0;                ///< positions; 0 for the model's own, or what fits
    std::uint32_t chunk = 256;                ///< positions evaluated at once
    bool halfCache = false;                   ///< keep the latent cache in F16
    QuantizeOptions quantize;                 ///< what to quantize while loading
    bool allLogits = false;                   ///< plan for Decoder::logitsOf()
    std::uint64_t mediaTokens = 0;            ///< of the prompt, where it is known; for the plan
    /// Opens the device; empty for openDevice(). Tests have devices here that fail when told to.
    std::function<Result<std::unique_ptr<Device>>(const DeviceOptions &)> openDevice = {};
};

/// A device with a model on it, ready to evaluate.
struct OpenedModel {
    // In the order of what stands on what.
    std::unique_ptr<Device> device;
    std::unique_ptr<LoadedModel> model;
    std::unique_ptr<VisionTower> tower; ///< null for a model without vision
    std::unique_ptr<Decoder> decoder;
    MemoryPlan plan; ///< by which it was opened
};

/// Opens the device, plans its memory, loads the model and compiles every pipeline that answering needs,
/// telling `progress` of each stage. OutOfMemory before anything is uploaded where the plan doesn't fit: the
/// sentence says what would.
Result<OpenedModel> openModel(const OpenOptions &options, const std::function<void(Progress)> &progress,
                              const std::stop_token &stop);

/// What `options` let the planner take.
MemoryWishes memoryWishes(const OpenOptions &options);

} // namespace perilune
