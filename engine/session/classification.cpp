#include "engine/session/classification.h"

#include "engine/model/prefill.h"

namespace perilune {

std::uint32_t pooledPosition(std::span<const std::uint32_t> row, std::optional<std::uint32_t> pad)
{
    std::size_t last = row.size() - 1;
    while (pad && last > 0 && row[last] == *pad)
        --last;
    return static_cast<std::uint32_t>(pad && row[last] == *pad ? row.size() - 1 : last);
}

Result<std::vector<float>> classifyRow(OpenedModel &opened, const std::vector<std::uint32_t> &row,
                                       const std::stop_token &stop)
{
    const std::uint32_t pooled = pooledPosition(row, opened.model->config().padTokenId);
    std::vector<float> logits;
    PrefillHooks hooks;
    hooks.chunkDone = [&](std::uint32_t first, std::uint32_t count) -> Status {
        if (pooled < first || pooled >= first + count)
            return Done{};
        return opened.decoder->logitsOf(pooled - first, 1, logits, stop);
    };
    if (Status done = prefill(*opened.decoder, {row, {}}, 0, hooks, stop); !done)
        return std::move(done).error();
    return logits;
}

} // namespace perilune
