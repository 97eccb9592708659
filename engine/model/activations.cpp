#include "engine/model/activations.h"

#include "engine/gpu/memory_blocks.h"
#include "engine/kernels/expert_mlp.h"
#include "engine/kernels/mla_attention.h"

#include <algorithm>

namespace perilune {

namespace {

class Layout {
public:
    explicit Layout(std::uint64_t address) : m_begin(address), m_next(address) {}

    Tensor matrix(std::uint32_t rows, std::uint32_t columns, DType type = DType::F32)
    {
        const std::uint64_t bytes = std::uint64_t{rows} * columns * bytesOf(type);
        return {range(bytes).address, rows, columns, type};
    }

    ByteRange range(std::uint64_t bytes)
    {
        const ByteRange result{m_next, bytes};
        m_next += alignedBytes(bytes);
        return result;
    }

    std::uint64_t bytes() const { return m_next - m_begin; }

private:
    std::uint64_t m_begin, m_next;
};

} // namespace

MlaShape mlaShapeOf(const DecoderConfig &config)
{
    return {.heads = config.numAttentionHeads,
            .rank = config.kvLoraRank,
            .nopeDim = config.qkNopeHeadDim,
            .ropeDim = config.qkRopeHeadDim,
            .valueDim = config.vHeadDim};
}

Activations Activations::layOut(const DecoderConfig &config, const MlaShape &shape, std::uint32_t rows,
                                std::uint32_t positions, std::uint64_t address)
{
    const std::uint32_t widest =
        std::max(config.intermediateSize, config.moeIntermediateSize * std::max(config.nSharedExperts, 1u));
    Layout layout(address);
    Activations a;
    a.residual = layout.matrix(rows, config.hiddenSize);
    a.normed = layout.matrix(rows, config.hiddenSize);
    a.qLow = layout.matrix(rows, config.qLoraRank);
    a.q = layout.matrix(rows, config.numAttentionHeads * config.qkHeadDim());
    a.kv = layout.matrix(rows, config.latentDim());
    a.latent = layout.matrix(rows, config.numAttentionHeads * config.latentDim());
    a.context = layout.matrix(rows, config.numAttentionHeads * config.kvLoraRank);
    a.attended = layout.matrix(rows, config.numAttentionHeads * config.vHeadDim);
    a.gate = layout.matrix(rows, widest);
    a.up = layout.matrix(rows, widest);
    a.scores = layout.matrix(rows, config.nRoutedExperts);
    a.ids = layout.matrix(rows, config.numExpertsPerTok, DType::U32);
    a.weights = layout.matrix(rows, config.numExpertsPerTok);
    a.attentionScratch = layout.range(mlaAttentionScratch(shape, rows, positions));
    if (config.nRoutedExperts > 0) {
        const ExpertTable table{.experts = config.nRoutedExperts,
                                .hidden = config.hiddenSize,
                                .intermediate = config.moeIntermediateSize,
                                .table = {},
                                .weights = {}};
        a.expertScratch = layout.range(expertMlpScratch(table, rows, config.numExpertsPerTok));
    }
    a.bytes = layout.bytes();
    return a;
}

Activations Activations::rows(std::uint32_t count) const
{
    Activations a = *this;
    for (Tensor *tensor : {&a.residual, &a.normed, &a.qLow, &a.q, &a.kv, &a.latent, &a.context, &a.attended,
                           &a.gate, &a.up, &a.scores, &a.ids, &a.weights})
        *tensor = tensor->slice(0, count);
    return a;
}

} // namespace perilune
