#pragma once

#include "engine/gpu/tensor.h"
#include "engine/kernels/mla_query.h"
#include "engine/model/config.h"

#include <cstdint>

namespace perilune {

/// What one chunk of positions needs on the device, T rows each. Laid out once for the largest chunk.
struct Activations {
    Tensor residual; // (T, hiddenSize); the embeddings, then what every block adds to
    Tensor normed;   // (T, hiddenSize)
    Tensor qLow;     // (T, qLoraRank)
    Tensor q;        // (T, heads · (qkNope + qkRope))
    Tensor kv;       // (T, kvLoraRank + qkRope)
    Tensor latent;   // (T, heads · (kvLoraRank + qkRope)), the query in the latent space
    Tensor context;  // (T, heads · kvLoraRank)
    Tensor attended; // (T, heads · vHeadDim)
    Tensor gate, up; // (T, widest MLP)
    Tensor scores;   // (T, nRoutedExperts)
    Tensor ids;      // (T, numExpertsPerTok) u32
    Tensor weights;  // (T, numExpertsPerTok)
    ByteRange attentionScratch, expertScratch;
    std::uint64_t bytes = 0; // of all of it

    /// Lays everything out from `address` on for chunks of `rows` positions and a cache of `positions`.
    static Activations layOut(const DecoderConfig &config, const MlaShape &shape, std::uint32_t rows,
                              std::uint32_t positions, std::uint64_t address);

    /// The same for a chunk of `count` positions only.
    Activations rows(std::uint32_t count) const;
};

/// The sizes of attention that the kernels take.
MlaShape mlaShapeOf(const DecoderConfig &config);

} // namespace perilune
