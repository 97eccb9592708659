#pragma once

#include "engine/model/config.h"
#include "engine/weights/checkpoint.h"
#include "engine/weights/quantize.h"
#include "engine/weights/weight_loader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

struct FormatCount {
    std::uint64_t tensors = 0, bytes = 0;
};

/// What a model folder says about itself. Made from config.json, the index and the headers; no weight is
/// read.
struct Inspection {
    std::string architecture;             ///< empty where config.json can't be read
    std::optional<ModelConfig> config;    ///< none where it can't be read or isn't understood
    std::optional<Checkpoint> checkpoint; ///< what could be read of it
    std::uint64_t tensors = 0;
    std::uint64_t parameters =
        0;                   ///< elements of weights and biases; scales, shapes and stale tensors don't count
    std::uint64_t bytes = 0; ///< of all tensors
    WeightBytes weights;     ///< what loading will take
    std::map<std::string, FormatCount> formats; ///< by "BF16", "int4", …
    std::vector<std::string> problems; ///< disagreements between config, index and headers, a sentence each
    std::vector<std::string> notes;    ///< what is left aside on purpose
    bool unreadable = false;           ///< some file is missing or broken
    bool whole = false;                ///< nothing that loading needs is missing or of another shape
};

/// What loading leaves aside: a sentence for each kind.
std::vector<std::string> notesOnIgnored(const ModelConfig &config,
                                        const std::vector<const StoredTensor *> &unused);

/// Never fails: what is wrong stands in the result.
/// Bytes on a device are those after `quantize`.
Inspection inspectModel(const std::string &folder, const QuantizeOptions &quantize = {});

} // namespace perilune
