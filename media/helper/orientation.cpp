#include "media/helper/orientation.h"

#include <cstddef>
#include <cstring>

namespace perilune::helper {

std::vector<std::uint8_t> oriented(const std::vector<std::uint8_t> &rgb, std::uint32_t width,
                                   std::uint32_t height, std::uint32_t orientation)
{
    if (orientation <= 1)
        return rgb;
    // 2 mirrored, 3 upside down, 4 both; 5 to 8 the same with rows and columns exchanged.
    const bool sideways = orientation >= 5;
    const bool flipX = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool flipY = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const std::size_t outWidth = sideways ? height : width, outHeight = sideways ? width : height;

    std::vector<std::uint8_t> out(rgb.size());
    // In blocks, so that neither side walks through memory a row a pixel.
    constexpr std::size_t kBlock = 32;
    for (std::size_t blockY = 0; blockY < outHeight; blockY += kBlock) {
        for (std::size_t blockX = 0; blockX < outWidth; blockX += kBlock) {
            for (std::size_t y = blockY; y < blockY + kBlock && y < outHeight; ++y) {
                for (std::size_t x = blockX; x < blockX + kBlock && x < outWidth; ++x) {
                    std::size_t fromX = sideways ? y : x, fromY = sideways ? x : y;
                    if (flipX)
                        fromX = width - 1 - fromX;
                    if (flipY)
                        fromY = height - 1 - fromY;
                    std::memcpy(&out[(y * outWidth + x) * 3], &rgb[(fromY * width + fromX) * 3], 3);
                }
            }
        }
    }
    return out;
}

} // namespace perilune::helper
