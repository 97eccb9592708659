#pragma once

#include <cstdint>
#include <vector>

namespace perilune::helper {

/// The picture (height, width, 3) as EXIF's `orientation` (1 to 8) wants it seen; from 5 on, width and height
/// swap.
std::vector<std::uint8_t> oriented(const std::vector<std::uint8_t> &rgb, std::uint32_t width,
                                   std::uint32_t height, std::uint32_t orientation);

} // namespace perilune::helper
