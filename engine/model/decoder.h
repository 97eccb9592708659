#pragma once

#include "engine/gpu/device.h"
#include "engine/model/activations.h"
#include "engine/model/decoder_weights.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

struct DecoderOptions {
    std::uint32_t context = 0;    ///< positions that the cache holds
    std::uint32_t chunk = 256;    ///< most positions of one forward()
    DType cacheType = DType::F32; ///< F32 or F16
};

/// Rows of vision features that stand in the prompt from row `row` of a chunk on.
struct MediaRows {
    std::uint32_t row = 0;
    Tensor features; ///< (rows, hiddenSize) f32, on the device
};

/// Positions to evaluate: at most DecoderOptions::chunk.
struct DecoderChunk {
    std::span<const std::uint32_t> tokens; ///< one a position; ignored where media rows lie
    std::span<const MediaRows> media;
    std::uint32_t position = 0; ///< of the first token; what is cached before it is its past
};

/// Watches a forward pass, for dumps; each call reads from the device and waits.
struct DecoderTap {
    /// Gets "inputs_embeds", "hidden.N" and "final_norm" as (positions, hiddenSize).
    std::function<void(const std::string &name, std::span<const float> values)> floats;
    /// Gets the choice of layer N: (positions, numExpertsPerTok) each.
    std::function<void(std::uint32_t layer, std::span<const std::uint32_t> ids,
                       std::span<const float> weights)>
        router;
    /// Gets "input_layernorm.N", (positions, hiddenSize), and "kv_a_layernorm.N", (positions, kvLoraRank +
    /// qkRopeHeadDim): what layer N has cached, rotated keys included; only of a cache in F32.
    std::function<void(const std::string &name, std::span<const float> values)> norms;
};

/// The language model: positions in, a cache of latents that grows, logits out. Used by the engine
/// thread. Nothing is allocated after create().
class Decoder {
public:
    /// Allocates cache and activations. `weights` are uploaded and outlive the decoder, as `device` does.
    /// OutOfMemory names what did not fit.
    static Result<std::unique_ptr<Decoder>> create(Device &device, const ModelConfig &config,
                                                   const DecoderWeights &weights,
                                                   const DecoderOptions &options);

    enum class Logits { None, Last };

    /// Evaluates a chunk; with Logits::Last the logits of its last position are in logits() afterwards.
    /// Tokens must be below vocabSize and the chunk within the context. After Cancelled, DeviceLost,
    /// OutOfMemory or a file that can't be read any more the cache before chunk.position is as it was.
    Status forward(const DecoderChunk &chunk, Logits wanted, const std::stop_token &stop,
                   const DecoderTap *tap = nullptr);

    /// (vocabSize, or numLabels) of the last forward() that wanted them.
    std::span<const float> logits() const;

    /// Appends the logits of rows [first, first + count) of the last chunk to `logits`, (count, vocabSize).
    /// For dumps: allocates at its first call, reads and waits.
    Status logitsOf(std::uint32_t first, std::uint32_t count, std::vector<float> &logits,
                    const std::stop_token &stop);

    /// Dynamic RoPE depends on the length of the whole sequence: must be called before positions from `first`
    /// on are evaluated in a sequence of `length`. Does nothing for other kinds.
    Status setLength(std::uint32_t first, std::uint64_t length);

    /// The angles that positions get in a sequence of `length`: lengths with equal numbers have equal angles.
    std::uint64_t anglesOf(std::uint64_t length) const
    {
        const bool stretched = m_config.decoder.ropeScaling.kind == RopeScaling::Kind::Dynamic &&
                               length > m_config.decoder.maxPositionEmbeddings;
        return stretched ? length : 0;
    }

    std::uint32_t context() const { return m_options.context; }
    std::uint32_t chunk() const { return m_options.chunk; }
    std::uint32_t vocabulary() const { return m_config.decoder.vocabSize; }

    /// Device memory that create() takes, for planning.
    static std::uint64_t bytesNeeded(const ModelConfig &config, const DecoderOptions &options);
    /// The part of it that the cache takes.
    static std::uint64_t cacheBytes(const ModelConfig &config, const DecoderOptions &options);
    /// Device memory that logitsOf() takes at its first call.
    static std::uint64_t dumpBytes(const ModelConfig &config);
    /// Memory of the host that create() takes.
    static std::uint64_t hostBytesNeeded(const ModelConfig &config, const DecoderOptions &options);

private:
    Decoder(Device &device, const ModelConfig &config, const DecoderWeights &weights,
            const DecoderOptions &options);
    Status allocate();
    /// Into m_embedded, from the checkpoint's file: fails where that can't be read any more.
    Status readEmbeddings(std::span<const std::uint32_t> tokens);
    void embed(const DecoderChunk &chunk, const Tensor &residual);
    Status layers(const Activations &a, std::uint32_t position, const std::stop_token &stop,
                  const DecoderTap *tap);
    using Take = std::function<void(const std::string &name, std::span<const float> values)>;
    Status tapFloats(const Take *take, const std::string &name, const Tensor &tensor,
                     const std::stop_token &stop);
    Status tapRouter(const DecoderTap *tap, std::uint32_t layer, const Activations &a,
                     const std::stop_token &stop);

    Device &m_device;
    const ModelConfig m_config;
    const DecoderWeights &m_weights;
    const DecoderOptions m_options;
    const MlaShape m_shape;
    const float m_softmaxScale;
    std::vector<std::unique_ptr<Buffer>> m_caches; // of one layer each: (context, kvLoraRank + qkRope)
    std::unique_ptr<Buffer> m_work, m_rope, m_logits;
    std::unique_ptr<Buffer> m_embedded, m_logitsHost; // the host's side
    std::unique_ptr<Buffer> m_manyLogits;             // only where a dump asks
    Activations m_activations;
};

} // namespace perilune
