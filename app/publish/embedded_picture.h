#pragma once

#include "app/export/document.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace perilune {

/// The picture, or the first frame of the clip, decoded in the helper and made a JPEG of at most 1,600 pixels
/// a side: upright, in sRGB, without what a camera writes into its files. Blocking.
Result<EmbeddedPicture> embeddedPicture(const MediaPart &media, const std::stop_token &stop);

/// `rgb` has `width` x `height` pixels of three bytes.
Result<std::string> encodeJpeg(const std::vector<std::uint8_t> &rgb, std::uint32_t width,
                               std::uint32_t height);

} // namespace perilune
