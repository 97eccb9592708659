#pragma once

#include "engine/session/opened_model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace perilune {

/// The position of a row, padded at the right, whose state is classified: the right-most token that is no
/// padding; the last one where there is no padding token, or nothing else. `row` is not empty. Source:
/// Hugging Face's sequence classification.
std::uint32_t pooledPosition(std::span<const std::uint32_t> row, std::optional<std::uint32_t> pad);

/// The logits of the classes, numLabels of them, for one row. The padding is evaluated too: dynamic RoPE goes
/// by the padded length. The model must have been opened with allLogits. Cancelled where `stop` is requested.
Result<std::vector<float>> classifyRow(OpenedModel &opened, const std::vector<std::uint32_t> &row,
                                       const std::stop_token &stop);

} // namespace perilune
