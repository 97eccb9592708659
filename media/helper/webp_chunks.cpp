#include "media/helper/webp_chunks.h"

#include "media/helper/tiff_tags.h"

#include <algorithm>
#include <string_view>

namespace perilune::helper {

namespace {

std::uint32_t number(Bytes bytes, std::size_t at, std::size_t size)
{
    if (at > bytes.size() || bytes.size() - at < size)
        return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value |= std::uint32_t{bytes[at + i]} << 8 * i;
    return value;
}

} // namespace

WebPChunks readWebPChunks(Bytes bytes)
{
    WebPChunks chunks;
    chunks.complete = std::uint64_t{number(bytes, 4, 4)} + 8 <= bytes.size();
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::string_view type(reinterpret_cast<const char *>(&bytes[at]), 4);
        const std::size_t size = number(bytes, at + 4, 4);
        const Bytes data = bytes.subspan(at + 8, std::min(size, bytes.size() - at - 8));
        if (type == "VP8X") {
            chunks.animated = (number(data, 0, 1) & 2) != 0;
            chunks.width = number(data, 4, 3) + 1;
            chunks.height = number(data, 7, 3) + 1;
        } else if (type == "VP8 " && chunks.width == 0) {
            chunks.width = number(data, 6, 2) & 0x3fff;
            chunks.height = number(data, 8, 2) & 0x3fff;
        } else if (type == "VP8L" && chunks.width == 0) {
            const std::uint32_t sides = number(data, 1, 4);
            chunks.width = (sides & 0x3fff) + 1;
            chunks.height = (sides >> 14 & 0x3fff) + 1;
        } else if (type == "ICCP") {
            chunks.profile = data;
        } else if (type == "EXIF") {
            const bool prefixed = data.size() > 6 && data[0] == 'E'; // some write JPEG's "Exif" before it
            chunks.orientation = readTiffTags(prefixed ? data.subspan(6) : data).orientation;
        }
        if (size > bytes.size() - at - 8)
            break;
        at += 8 + size + size % 2;
    }
    return chunks;
}

std::uint32_t countWebPFrames(Bytes bytes)
{
    return readWebPChunks(bytes).animated ? 2 : 1;
}

} // namespace perilune::helper
