#pragma once

#include "media/helper/source_file.h"

namespace perilune::helper {

/// Whether the boxes at the top of an ISO media file (MP4, QuickTime, HEIC, AVIF), which say how long they
/// are, end where the file does. A file that ends before them is cut off. Clips may have something else
/// behind them.
bool isoBoxesAreWhole(const SourceFile &file);
bool isoBoxesAreWhole(Bytes bytes);

} // namespace perilune::helper
