#include "media/helper/orientation.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>

namespace perilune::helper {

namespace {

constexpr std::size_t kBlock = 32;

/// Where the pixel at x, y of the turned picture was.
struct Turn {
    std::size_t width, height; // of the picture as it is stored
    bool sideways, flipX, flipY;

    std::size_t source(std::size_t x, std::size_t y) const
    {
        const std::size_t fromX = sideways ? y : x, fromY = sideways ? x : y;
        return (flipY ? height - 1 - fromY : fromY) * width + (flipX ? width - 1 - fromX : fromX);
    }
};

} // namespace

std::vector<std::uint8_t> oriented(const std::vector<std::uint8_t> &rgb, std::uint32_t width,
                                   std::uint32_t height, std::uint32_t orientation)
{
    if (orientation <= 1)
        return rgb;
    // 2 mirrored, 3 upside down, 4 both; 5 to 8 the same with rows and columns exchanged.
    const auto oneOf = [&](std::initializer_list<std::uint32_t> values) {
        return std::find(values.begin(), values.end(), orientation) != values.end();
    };
    const Turn turn{width, height, orientation >= 5, oneOf({2, 3, 7, 8}), oneOf({3, 4, 6, 7})};
    const std::size_t outWidth = turn.sideways ? height : width, outHeight = turn.sideways ? width : height;

    std::vector<std::uint8_t> out(rgb.size());
    // In blocks, so that neither side walks through memory a row a pixel.
    for (std::size_t blockY = 0; blockY < outHeight; blockY += kBlock) {
        for (std::size_t blockX = 0; blockX < outWidth; blockX += kBlock) {
            const std::size_t endY = std::min(blockY + kBlock, outHeight),
                              endX = std::min(blockX + kBlock, outWidth);
            for (std::size_t y = blockY; y < endY; ++y) {
                for (std::size_t x = blockX; x < endX; ++x)
                    std::memcpy(&out[(y * outWidth + x) * 3], &rgb[turn.source(x, y) * 3], 3);
            }
        }
    }
    return out;
}

} // namespace perilune::helper
