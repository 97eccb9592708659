#pragma once

#include "engine/model/config.h"

#include <cstdint>
#include <vector>

namespace perilune {

/// Angles of the rotary embedding. All functions follow the references' F32 arithmetic: frequencies are
/// F32, an angle is the F32 product of position and frequency.

/// The frequency of each pair, (qkRopeHeadDim / 2). `length` is that of the whole sequence, past and new;
/// only dynamic scaling looks at it.
std::vector<float> ropeFrequencies(const DecoderConfig &config, std::uint64_t length);

/// Rows for `count` positions from `first` on, (count, qkRopeHeadDim): cos and sin of pair i in columns
/// 2i and 2i + 1, YaRN's magnitude included.
std::vector<float> ropeRows(const DecoderConfig &config, std::uint64_t length, std::uint32_t first,
                            std::uint32_t count);

/// What YaRN multiplies cos and sin by; 1 for every Kimi model.
double ropeMagnitude(const RopeScaling &scaling);

/// What attention scores are multiplied by.
double softmaxScale(const DecoderConfig &config);

} // namespace perilune
