#pragma once

#include "engine/model/decoder.h"
#include "engine/model/vision_tower.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// One medium of a prompt: a picture, or one chunk of a clip.
struct PromptMedium {
    std::uint32_t row = 0; ///< its first position; it takes grid.tokens() positions
    PatchGrid grid;
    std::span<const float> pixelValues; ///< (grid.patches(), 3, 14, 14); lives until sync() returns
    std::string contentId;              ///< equal for equal pixels and grid
};

/// A whole prompt, media expanded: one token for each position, the placeholder where media lie.
struct Prompt {
    std::vector<std::uint32_t> tokens;
    std::vector<PromptMedium> media; ///< in rising order of row

    std::uint64_t mediaTokens() const;
};

struct SyncHooks {
    std::function<void(std::uint64_t done, std::uint64_t total)> vision;  ///< patches
    std::function<void(std::uint64_t done, std::uint64_t total)> prefill; ///< positions that were not cached

    // For dumps.
    std::function<void(const VisionTap &)> visionTap;
    const DecoderTap *decoderTap = nullptr;
    std::function<Status(std::uint32_t first, std::uint32_t count)> chunkDone;
};

struct SyncReport {
    std::uint32_t cached = 0; ///< positions taken from before
    double visionSeconds = 0, prefillSeconds = 0;
};

/// One timeline of positions in the decoder's cache. Callers always pass the whole prompt; only what
/// differs from the last one is evaluated. Used by the engine thread.
class Session {
public:
    /// `tower` is null for a model without vision. Both outlive the session.
    Session(Device &device, Decoder &decoder, VisionTower *tower, std::uint32_t textHiddenSize);

    /// Makes the cache hold `prompt` and leaves the logits of its last position in logits(). Media are the
    /// same where their contentId is, wherever their files lie. OutOfMemory, naming the tokens needed and
    /// available, where the prompt is longer than the context; nothing is ever cut. After Cancelled what was
    /// evaluated stays good for the next call.
    Result<SyncReport> sync(const Prompt &prompt, const SyncHooks &hooks, const std::stop_token &stop);

    /// Appends one token and leaves its logits in logits().
    Status append(std::uint32_t token, const std::stop_token &stop);

    std::span<const float> logits() const { return m_decoder.logits(); }
    std::uint32_t length() const { return static_cast<std::uint32_t>(m_keys.size()); }
    std::uint32_t room() const { return m_decoder.context() - length(); }

private:
    std::vector<std::uint64_t> keysOf(const Prompt &prompt);
    std::uint32_t reusable(std::span<const std::uint64_t> keys, std::uint64_t angles) const;
    void forgetFrom(std::uint32_t position);
    Status encode(const Prompt &prompt, std::uint32_t first, const SyncHooks &hooks,
                  const std::stop_token &stop);

    Device &m_device;
    Decoder &m_decoder;
    VisionTower *m_tower;
    std::uint32_t m_hidden;
    std::vector<std::uint64_t> m_keys;   // of each cached position: the token, or medium and row
    std::vector<std::uint64_t> m_angles; // of each cached position: Decoder::anglesOf() when it was evaluated
    std::map<std::string, std::uint32_t> m_mediumNumbers;
    std::unique_ptr<Buffer> m_features; // of the media being evaluated
    std::vector<MediaRows> m_rows;
};

} // namespace perilune
