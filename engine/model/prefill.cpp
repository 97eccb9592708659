#include "engine/model/prefill.h"

#include <algorithm>

namespace perilune {

namespace {

/// The parts of `media` that lie in [first, first + count), with rows counted from `first`.
std::vector<MediaRows> mediaWithin(std::span<const MediaRows> media, std::uint32_t first, std::uint32_t count)
{
    std::vector<MediaRows> result;
    for (const MediaRows &rows : media) {
        const std::uint32_t begin = std::max(rows.row, first);
        const std::uint32_t end = std::min(rows.row + rows.features.rows, first + count);
        if (begin < end)
            result.push_back({begin - first, rows.features.slice(begin - rows.row, end - begin)});
    }
    return result;
}

} // namespace

Status prefill(Decoder &decoder, const Sequence &sequence, std::uint32_t first, const PrefillHooks &hooks,
               const std::stop_token &stop)
{
    const auto length = static_cast<std::uint32_t>(sequence.tokens.size());
    CHECK(first < length && length <= decoder.context());
    if (Status set = decoder.setLength(first, length); !set)
        return set;
    while (first < length) {
        const std::uint32_t count = std::min(decoder.chunk(), length - first);
        const std::vector<MediaRows> media = mediaWithin(sequence.media, first, count);
        const auto logits = first + count == length ? Decoder::Logits::Last : Decoder::Logits::None;
        const DecoderChunk chunk{sequence.tokens.subspan(first, count), media, first};
        if (Status done = decoder.forward(chunk, logits, stop, hooks.tap); !done)
            return done;
        if (hooks.chunkDone) {
            if (Status done = hooks.chunkDone(first, count); !done)
                return done;
        }
        first += count;
    }
    return Done{};
}

} // namespace perilune
