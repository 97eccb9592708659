#pragma once

#include "engine/api/chat_engine.h"
#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perilune {

/// generation_config.json: what a model's makers recommend.
struct GenerationConfig {
    SamplingOptions sampling;
    std::vector<std::uint32_t> eosTokenIds; ///< tokens that end a reply, beside those of the tokenizer
};

/// Reads FOLDER/generation_config.json; our own defaults where there is none or a key is missing. Corrupt
/// where it is no JSON object or a key makes no sense.
Result<GenerationConfig> readGenerationConfig(const std::string &folder);

} // namespace perilune
