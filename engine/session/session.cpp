#include "engine/session/session.h"

#include "engine/model/prefill.h"

#include <algorithm>
#include <chrono>

namespace perilune {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

std::uint64_t Prompt::mediaTokens() const
{
    std::uint64_t sum = 0;
    for (const PromptMedium &medium : media)
        sum += medium.grid.tokens();
    return sum;
}

Session::Session(Device &device, Decoder &decoder, VisionTower *tower, std::uint32_t textHiddenSize)
    : m_device(device),
      m_decoder(decoder),
      m_tower(tower),
      m_hidden(textHiddenSize)
{
}

std::vector<std::uint64_t> Session::keysOf(const Prompt &prompt)
{
    std::vector<std::uint64_t> keys(prompt.tokens.begin(), prompt.tokens.end());
    for (const PromptMedium &medium : prompt.media) {
        const auto number = static_cast<std::uint32_t>(m_mediumNumbers.size() + 1);
        const std::uint64_t known = m_mediumNumbers.emplace(medium.contentId, number).first->second;
        for (std::uint64_t row = 0; row < medium.grid.tokens(); ++row)
            keys.at(medium.row + row) = known << 32 | row; // tokens stay below 2^32
    }
    return keys;
}

std::uint32_t Session::reusable(std::span<const std::uint64_t> keys, std::uint64_t angles) const
{
    const auto same =
        std::mismatch(m_keys.begin(), m_keys.end(), keys.begin(), keys.end()).first - m_keys.begin();
    // Dynamic RoPE: what was evaluated in a longer sequence, or a shorter one, has other angles.
    const auto fit =
        std::ranges::find_if(m_angles, [&](std::uint64_t its) { return its != angles; }) - m_angles.begin();
    const auto shared = std::min(same, fit);
    // The last position is evaluated in any case: its logits are wanted.
    return std::min(static_cast<std::uint32_t>(shared), static_cast<std::uint32_t>(keys.size()) - 1);
}

void Session::forgetFrom(std::uint32_t position)
{
    m_keys.resize(position);
    m_angles.resize(position);
}

Result<SyncReport> Session::sync(const Prompt &prompt, const SyncHooks &hooks, const std::stop_token &stop)
{
    CHECK(!prompt.tokens.empty());
    const std::size_t needed = prompt.tokens.size();
    if (needed > m_decoder.context())
        return Error{ErrorCode::OutOfMemory, "the conversation needs " + std::to_string(needed) +
                                                 " tokens, but the context has room for " +
                                                 std::to_string(m_decoder.context())};
    const std::vector<std::uint64_t> keys = keysOf(prompt);
    SyncReport report;
    const std::uint64_t angles = m_decoder.anglesOf(needed);
    report.cached = reusable(keys, angles);
    forgetFrom(report.cached);

    const Clock::time_point start = Clock::now();
    if (Status encoded = encode(prompt, report.cached, hooks, stop); !encoded) {
        m_rows.clear();
        m_features.reset(); // a next turn needs its memory
        return std::move(encoded).error();
    }
    report.visionSeconds = secondsSince(start);

    const std::uint32_t total = static_cast<std::uint32_t>(needed) - report.cached;
    PrefillHooks chunks;
    chunks.tap = hooks.decoderTap;
    chunks.chunkDone = [&](std::uint32_t first, std::uint32_t count) -> Status {
        m_keys.insert(m_keys.end(), keys.begin() + first, keys.begin() + first + count);
        m_angles.resize(m_keys.size(), angles);
        if (hooks.prefill)
            hooks.prefill(first + count - report.cached, total);
        return hooks.chunkDone ? hooks.chunkDone(first, count) : Done{};
    };
    const Status filled = prefill(m_decoder, {prompt.tokens, m_rows}, report.cached, chunks, stop);
    m_rows.clear();
    m_features.reset();
    if (!filled)
        return filled.error();
    report.prefillSeconds = secondsSince(start) - report.visionSeconds;
    return report;
}

Status Session::encode(const Prompt &prompt, std::uint32_t first, const SyncHooks &hooks,
                       const std::stop_token &stop)
{
    m_rows.clear();
    std::vector<PatchGrid> grids;
    std::vector<float> pixels;
    std::uint64_t tokens = 0;
    for (const PromptMedium &medium : prompt.media) {
        if (medium.row + medium.grid.tokens() <= first)
            continue;
        grids.push_back(medium.grid);
        pixels.insert(pixels.end(), medium.pixelValues.begin(), medium.pixelValues.end());
        m_rows.push_back({
            medium.row, Tensor{0, static_cast<std::uint32_t>(medium.grid.tokens()), m_hidden, DType::F32}
        });
        tokens += medium.grid.tokens();
    }
    if (grids.empty())
        return Done{};
    if (!m_tower)
        return Error{ErrorCode::Unsupported, "this model can't see pictures or clips"};
    auto features =
        m_device.allocate(tokens * m_hidden * sizeof(float), MemoryKind::Device, "the features of pictures");
    if (!features)
        return std::move(features).error();
    m_features = *std::move(features);
    std::uint64_t address = m_features->address();
    for (MediaRows &rows : m_rows) {
        rows.features.address = address;
        address += rows.features.bytes();
    }
    VisionHooks watch;
    watch.progress = hooks.vision;
    watch.tap = hooks.visionTap;
    return m_tower->encode({grids, pixels}, m_features->tensor(static_cast<std::uint32_t>(tokens), m_hidden),
                           watch, stop);
}

Status Session::append(std::uint32_t token, const std::stop_token &stop)
{
    if (room() == 0)
        return Error{ErrorCode::OutOfMemory,
                     "the context of " + std::to_string(m_decoder.context()) + " tokens is full"};
    const std::uint32_t position = length();
    if (Status set = m_decoder.setLength(position, std::uint64_t{position} + 1); !set)
        return set;
    const DecoderChunk chunk{std::span(&token, 1), {}, position};
    if (Status done = m_decoder.forward(chunk, Decoder::Logits::Last, stop); !done)
        return done;
    m_keys.push_back(token);
    m_angles.push_back(m_decoder.anglesOf(std::uint64_t{position} + 1));
    return Done{};
}

} // namespace perilune
