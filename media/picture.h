#pragma once

#include <cstdint>
#include <vector>

namespace perilune {

/// Pixels as people see them: 8-bit RGB (sRGB), rows from top to bottom, no padding between them.
struct Picture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgb; ///< (height, width, 3)

    bool empty() const { return rgb.empty(); }
    bool operator==(const Picture &) const = default;
};

} // namespace perilune
