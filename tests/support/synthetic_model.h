#pragma once

#include "engine/weights/safetensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perilune::test {

/// A tensor that a checkpoint is to have.
struct SyntheticTensor {
    std::string name;
    StoredType type = StoredType::BF16;
    std::vector<std::uint64_t> shape;

    std::uint64_t bytes() const;
};

/// A model folder that only exists on paper: config.json and the tensors that its headers name, from
/// the published sizes and not from the program's own tables.
struct SyntheticModel {
    std::string config; ///< the text of config.json
    std::vector<SyntheticTensor> tensors;
    std::vector<std::string> shards; ///< names of files; one means no index

    std::uint64_t bytes() const;
};

/// "k2.5", "k2-instruct", "kimi-vl" or "moonlight"; no tensors for other words. `layers` of the decoder, 0
/// for as many as the published one has.
SyntheticModel syntheticModel(const std::string &kind, unsigned layers = 0);

/// Writes config.json, the index and the shards with true headers into `folder`, which is made. Data is a
/// hole in the file (zeros, no disk) where `seed` is 0, else random weights that keep activations
/// near 1, repeatable. Io.
Status writeSynthetic(const SyntheticModel &model, const std::string &folder, unsigned seed = 0);

} // namespace perilune::test
