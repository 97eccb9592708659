#pragma once

#include "engine/model/decoder.h"

#include <functional>
#include <span>
#include <stop_token>

namespace perilune {

/// A whole sequence: text and, where media rows lie, features already on the device.
struct Sequence {
    std::span<const std::uint32_t> tokens;
    std::span<const MediaRows> media; ///< MediaRows::row counts from the sequence's start; in rising order
};

struct PrefillHooks {
    /// Called after each chunk with its first position and its length; a failure ends the prefill.
    std::function<Status(std::uint32_t first, std::uint32_t count)> chunkDone;
    const DecoderTap *tap = nullptr;
};

/// Evaluates the positions from `first` on in chunks, so that memory is bounded; the logits of the last
/// position are in decoder.logits() afterwards. The sequence must fit the context.
Status prefill(Decoder &decoder, const Sequence &sequence, std::uint32_t first, const PrefillHooks &hooks,
               const std::stop_token &stop);

} // namespace perilune
