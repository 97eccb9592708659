#pragma once

#include "engine/base/result.h"
#include "media/picture.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace perilune {

/// A small picture of a file for lists and chips: the picture itself or the first frame of a clip, upright,
/// on white where it is transparent, at most `longestSide` pixels on its longer side and never enlarged.
/// Needs no model. Blocking; errors as prepare(). `helperPath` empty: the helper installed beside the
/// program.
Result<Picture> makeThumbnail(const std::string &path, std::uint32_t longestSide,
                              const std::stop_token &stop = {}, const std::string &helperPath = {});

} // namespace perilune
