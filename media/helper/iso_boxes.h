#pragma once

#include "media/helper/source_file.h"

#include <cstdint>
#include <string_view>

namespace perilune::helper {

/// Whether the boxes at the top of an ISO media file (MP4, QuickTime, HEIC, AVIF), which say how long they
/// are, end where the file does. A file that ends before them is cut off. Clips may have something else
/// behind them.
bool isoBoxesAreWhole(const SourceFile &file);
bool isoBoxesAreWhole(Bytes bytes);

/// What the first box of that type among `boxes` holds; empty where there is none.
Bytes contentOfBox(Bytes boxes, std::string_view type);

/// How many frames the first track of an AVIF or HEIC sequence has; 1 for a picture.
std::uint32_t countIsoFrames(Bytes bytes);

} // namespace perilune::helper
