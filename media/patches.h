#pragma once

#include "media/media_config.h"
#include "media/picture.h"

#include <vector>

namespace perilune {

/// Appends the patches of one resized and padded picture or frame to `values`: patch rows from the top, patch
/// columns from the left, each patch (3, 14, 14), normalised in F32 exactly as the reference does: v / 255,
/// minus the mean, times one over the standard deviation. Sides must be multiples of 14.
void appendPatches(const Picture &picture, const MediaConfig &config, std::vector<float> &values);

} // namespace perilune
