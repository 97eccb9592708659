#pragma once

#include "media/helper/source_file.h"

#include <cstdint>

namespace perilune::helper {

/// 2 where the header of a JPEG XL file, bare or in boxes, says that it is an animation; else 1. Reads a few
/// bytes, so that the library is loaded by who needs it.
std::uint32_t countJxlFrames(Bytes bytes);

} // namespace perilune::helper
