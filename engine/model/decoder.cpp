#include "engine/model/decoder.h"

#include "engine/gpu/memory_blocks.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/rms_norm.h"
#include "engine/model/mla.h"
#include "engine/model/moe.h"
#include "engine/model/rope_table.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

constexpr std::uint32_t kLogitRows = 32; // of a dump, at a time

std::uint32_t outputsOf(const ModelConfig &config)
{
    return config.numLabels > 0 ? config.numLabels : config.decoder.vocabSize;
}

std::uint64_t layerCacheBytes(const DecoderConfig &config, const DecoderOptions &options)
{
    return std::uint64_t{options.context} * config.latentDim() * bytesOf(options.cacheType);
}

const std::function<void(const std::string &, std::span<const float>)> *floatTap(const DecoderTap *tap)
{
    return tap ? &tap->floats : nullptr;
}

const std::function<void(const std::string &, std::span<const float>)> *normTap(const DecoderTap *tap)
{
    return tap ? &tap->norms : nullptr;
}

template <typename T>
std::span<T> mappedAs(const Buffer &buffer)
{
    return {reinterpret_cast<T *>(buffer.mapped()), buffer.bytes() / sizeof(T)};
}

} // namespace

Decoder::Decoder(Device &device, const ModelConfig &config, const DecoderWeights &weights,
                 const DecoderOptions &options)
    : m_device(device),
      m_config(config),
      m_weights(weights),
      m_options(options),
      m_shape(mlaShapeOf(config.decoder)),
      m_softmaxScale(static_cast<float>(softmaxScale(config.decoder)))
{
}

Result<std::unique_ptr<Decoder>> Decoder::create(Device &device, const ModelConfig &config,
                                                 const DecoderWeights &weights, const DecoderOptions &options)
{
    CHECK(options.context > 0 && options.chunk > 0);
    std::unique_ptr<Decoder> decoder(new Decoder(device, config, weights, options));
    if (Status allocated = decoder->allocate(); !allocated)
        return std::move(allocated).error();
    if (config.decoder.ropeScaling.kind != RopeScaling::Kind::Dynamic) {
        const std::vector<float> rows = ropeRows(config.decoder, options.context, 0, options.context);
        if (Status done = device.upload(decoder->m_rope->address(), std::as_bytes(std::span(rows))); !done)
            return std::move(done).error();
    }
    return decoder;
}

std::uint64_t Decoder::bytesNeeded(const ModelConfig &config, const DecoderOptions &options)
{
    const DecoderConfig &c = config.decoder;
    // In the order of allocate().
    std::vector<std::uint64_t> allocations = {
        Activations::layOut(c, mlaShapeOf(c), options.chunk, options.context, 0).bytes,
        std::uint64_t{options.context} * c.qkRopeHeadDim * sizeof(float),
        outputsOf(config) * sizeof(float),
    };
    allocations.insert(allocations.end(), c.numHiddenLayers, layerCacheBytes(c, options));
    return bytesOfBlocks(allocations);
}

std::uint64_t Decoder::cacheBytes(const ModelConfig &config, const DecoderOptions &options)
{
    return bytesOfBlocks(
        std::vector<std::uint64_t>(config.decoder.numHiddenLayers, layerCacheBytes(config.decoder, options)));
}

std::uint64_t Decoder::hostBytesNeeded(const ModelConfig &config, const DecoderOptions &options)
{
    const std::array<std::uint64_t, 2> allocations{outputsOf(config) * sizeof(float),
                                                   std::uint64_t{options.chunk} * config.decoder.hiddenSize *
                                                       sizeof(float)};
    return bytesOfBlocks(allocations);
}

std::uint64_t Decoder::dumpBytes(const ModelConfig &config)
{
    return alignedBytes(std::uint64_t{kLogitRows} * outputsOf(config) * sizeof(float));
}

Status Decoder::allocate()
{
    const DecoderConfig &c = m_config.decoder;
    const auto layOut = [&](std::uint64_t address) {
        return Activations::layOut(c, m_shape, m_options.chunk, m_options.context, address);
    };
    struct Wish {
        std::unique_ptr<Buffer> *buffer;
        std::uint64_t bytes;
        MemoryKind kind;
        std::string purpose;
    };
    std::vector<Wish> wishes = {
        {&m_work,       layOut(0).bytes,                                        MemoryKind::Device, "the activations"},
        {&m_rope,       std::uint64_t{m_options.context} * c.qkRopeHeadDim * 4, MemoryKind::Device,
         "the rotary table"                                                                                          },
        {&m_logits,     outputsOf(m_config) * sizeof(float),                    MemoryKind::Device, "the logits"     },
        {&m_logitsHost, outputsOf(m_config) * sizeof(float),                    MemoryKind::Host,   "the logits"     },
        {&m_embedded,   std::uint64_t{m_options.chunk} * c.hiddenSize * 4,      MemoryKind::Host,
         "the embeddings of a chunk"                                                                                 },
    };
    m_caches.resize(c.numHiddenLayers);
    for (std::unique_ptr<Buffer> &cache : m_caches)
        wishes.push_back({&cache, layerCacheBytes(c, m_options), MemoryKind::Device,
                          "the cache of " + std::to_string(m_options.context) + " positions"});
    for (const Wish &wish : wishes) {
        auto buffer = m_device.allocate(wish.bytes, wish.kind, wish.purpose);
        if (!buffer)
            return std::move(buffer).error();
        *wish.buffer = *std::move(buffer);
    }
    m_activations = layOut(m_work->address());
    return Done{};
}

Status Decoder::setLength(std::uint32_t first, std::uint64_t length)
{
    if (m_config.decoder.ropeScaling.kind != RopeScaling::Kind::Dynamic)
        return Done{};
    CHECK(first < length && length <= m_options.context);
    const std::vector<float> rows =
        ropeRows(m_config.decoder, length, first, static_cast<std::uint32_t>(length) - first);
    const std::uint64_t offset = std::uint64_t{first} * m_config.decoder.qkRopeHeadDim * sizeof(float);
    return m_device.upload(m_rope->address() + offset, std::as_bytes(std::span(rows)));
}

Status Decoder::forward(const DecoderChunk &chunk, Logits wanted, const std::stop_token &stop,
                        const DecoderTap *tap)
{
    const auto rows = static_cast<std::uint32_t>(chunk.tokens.size());
    CHECK(rows > 0 && rows <= m_options.chunk);
    CHECK(chunk.position <= m_options.context && rows <= m_options.context - chunk.position);
    const Activations a = m_activations.rows(rows);

    if (Status read = readEmbeddings(chunk.tokens); !read)
        return read;
    m_device.begin(stop);
    embed(chunk, a.residual);
    if (Status done = tapFloats(floatTap(tap), "inputs_embeds", a.residual, stop); !done)
        return done;
    if (Status done = layers(a, chunk.position, stop, tap); !done)
        return done;
    if (tap) {
        rmsNorm(m_device, a.residual, m_weights.norm, a.normed, m_config.decoder.rmsNormEps);
        if (Status done = tapFloats(floatTap(tap), "final_norm", a.normed, stop); !done)
            return done;
    }
    if (wanted == Logits::Last) {
        const Tensor last = a.normed.slice(rows - 1, 1);
        rmsNorm(m_device, a.residual.slice(rows - 1, 1), m_weights.norm, last, m_config.decoder.rmsNormEps);
        matmul(m_device, last, m_weights.lmHead, m_logits->tensor(1, outputsOf(m_config)));
        m_device.copy(m_logits->range(), m_logitsHost->address());
    }
    return m_device.finish();
}

Status Decoder::layers(const Activations &a, std::uint32_t position, const std::stop_token &stop,
                       const DecoderTap *tap)
{
    const DecoderConfig &c = m_config.decoder;
    const Tensor rope = m_rope->tensor(m_options.context, c.qkRopeHeadDim);
    for (std::uint32_t i = 0; i < c.numHiddenLayers; ++i) {
        const LayerWeights &layer = m_weights.layers[i];
        const Tensor cache = m_caches[i]->tensor(m_options.context, c.latentDim(), m_options.cacheType);
        rmsNorm(m_device, a.residual, layer.inputLayernorm, a.normed, c.rmsNormEps);
        if (Status done = tapFloats(normTap(tap), "input_layernorm." + std::to_string(i), a.normed, stop);
            !done)
            return done;
        latentAttention(m_device, m_shape, layer.selfAttn, {cache, rope, position, m_softmaxScale}, a);

        const Tensor cached = cache.slice(position, a.residual.rows);
        const Take *cachedTap = m_options.cacheType == DType::F32 ? normTap(tap) : nullptr;
        if (Status done = tapFloats(cachedTap, "kv_a_layernorm." + std::to_string(i), cached, stop); !done)
            return done;
        rmsNorm(m_device, a.residual, layer.postAttentionLayernorm, a.normed, c.rmsNormEps);
        if (c.isMoe(i)) {
            mixtureOfExperts(m_device, c, layer, a);
            if (Status done = tapRouter(tap, i, a, stop); !done)
                return done;
        } else {
            denseMlp(m_device, layer.mlp, a);
        }
        if (Status done = tapFloats(floatTap(tap), "hidden." + std::to_string(i), a.residual, stop); !done)
            return done;
    }
    return Done{};
}

Status Decoder::readEmbeddings(std::span<const std::uint32_t> tokens)
{
    const DecoderConfig &c = m_config.decoder;
    const StoredMatrix table{m_weights.embedTokens, nullptr, c.vocabSize, c.hiddenSize};
    const std::span<float> rows = mappedAs<float>(*m_embedded);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (Status read = expandRow(table, tokens[i], rows.subspan(i * c.hiddenSize, c.hiddenSize)); !read)
            return read;
    }
    return Done{};
}

void Decoder::embed(const DecoderChunk &chunk, const Tensor &residual)
{
    m_device.copy({m_embedded->address(), residual.bytes()}, residual.address);
    for (const MediaRows &media : chunk.media)
        m_device.copy(media.features.range(), residual.slice(media.row, media.features.rows).address);
}

std::span<const float> Decoder::logits() const
{
    return mappedAs<const float>(*m_logitsHost).first(outputsOf(m_config));
}

Status Decoder::logitsOf(std::uint32_t first, std::uint32_t count, std::vector<float> &logits,
                         const std::stop_token &stop)
{
    const std::uint32_t outputs = outputsOf(m_config);
    if (!m_manyLogits) {
        auto buffer = m_device.allocate(std::uint64_t{kLogitRows} * outputs * sizeof(float),
                                        MemoryKind::Device, "the logits of a dump");
        if (!buffer)
            return std::move(buffer).error();
        m_manyLogits = *std::move(buffer);
    }
    for (std::uint32_t done = 0; done < count; done += kLogitRows) {
        const std::uint32_t rows = std::min(kLogitRows, count - done);
        const Tensor normed = m_activations.normed.slice(first + done, rows);
        const Tensor result = m_manyLogits->tensor(rows, outputs);
        m_device.begin(stop);
        rmsNorm(m_device, m_activations.residual.slice(first + done, rows), m_weights.norm, normed,
                m_config.decoder.rmsNormEps);
        matmul(m_device, normed, m_weights.lmHead, result);
        if (Status finished = m_device.finish(); !finished)
            return finished;
        const std::size_t before = logits.size();
        logits.resize(before + result.elements());
        const std::span<float> place = std::span(logits).subspan(before);
        if (Status read = m_device.download(result.range(), std::as_writable_bytes(place)); !read)
            return read;
    }
    return Done{};
}

Status Decoder::tapFloats(const Take *take, const std::string &name, const Tensor &tensor,
                          const std::stop_token &stop)
{
    if (!take || !*take)
        return Done{};
    if (Status finished = m_device.finish(); !finished)
        return finished;
    std::vector<float> values(tensor.elements());
    if (Status read = m_device.download(tensor.range(), std::as_writable_bytes(std::span(values))); !read)
        return read;
    (*take)(name, values);
    m_device.begin(stop);
    return Done{};
}

Status Decoder::tapRouter(const DecoderTap *tap, std::uint32_t layer, const Activations &a,
                          const std::stop_token &stop)
{
    if (!tap || !tap->router)
        return Done{};
    if (Status finished = m_device.finish(); !finished)
        return finished;
    std::vector<std::uint32_t> ids(a.ids.elements());
    std::vector<float> weights(a.weights.elements());
    if (Status read = m_device.download(a.ids.range(), std::as_writable_bytes(std::span(ids))); !read)
        return read;
    if (Status read = m_device.download(a.weights.range(), std::as_writable_bytes(std::span(weights))); !read)
        return read;
    tap->router(layer, ids, weights);
    m_device.begin(stop);
    return Done{};
}

} // namespace perilune
