#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/session/session.h"

#include <memory>
#include <string>
#include <vector>

namespace perilune::cli {

/// What `forward` and `generate` read: input_ids and, for media, pixel_values and grid_thws.
struct ModelInput {
    std::vector<float> pixelValues; ///< what prompt.media point into
    Prompt prompt;
};

/// Reads a safetensors file. Placeholders in input_ids, in order, are the rows of the media in order.
/// InvalidInput names the file, the array, what was expected and what is there.
Result<std::unique_ptr<ModelInput>> readModelInput(const std::string &path, const ModelConfig &config);

/// input_ids (rows, columns) of a file for `classify`.
struct TokenRows {
    std::uint64_t columns = 0;
    std::vector<std::vector<std::uint32_t>> rows;
};
Result<TokenRows> readTokenRows(const std::string &path, const ModelConfig &config);

} // namespace perilune::cli
