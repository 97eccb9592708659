#include "media/helper/png_chunks.h"

#include "media/helper/picture_readers.h"
#include "media/helper/tiff_tags.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace perilune::helper {

namespace {

constexpr uLongf kLargestProfile = 16u << 20; // bytes, inflated

std::uint32_t u32(Bytes bytes, std::size_t at)
{
    if (at > bytes.size() || bytes.size() - at < 4)
        return 0;
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
           std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

/// iCCP: a name, a zero, the method (0), then the deflated profile.
std::vector<std::uint8_t> inflatedProfile(Bytes chunk)
{
    const auto nameEnd = std::find(chunk.begin(), chunk.end(), std::uint8_t{0});
    if (chunk.end() - nameEnd < 3)
        return {};
    const Bytes packed = chunk.subspan(static_cast<std::size_t>(nameEnd - chunk.begin()) + 2);
    std::vector<std::uint8_t> profile;
    for (uLongf size = 1 << 16; size <= kLargestProfile; size *= 4) {
        profile.resize(size);
        uLongf written = size;
        const int result = uncompress(profile.data(), &written, packed.data(), packed.size());
        if (result == Z_OK) {
            profile.resize(written);
            return profile;
        }
        if (result != Z_BUF_ERROR)
            break;
    }
    return {};
}

void readHeader(Bytes data, PngChunks &chunks)
{
    if (data.size() < 13)
        return;
    chunks.width = u32(data, 0);
    chunks.height = u32(data, 4);
    chunks.bits = data[8];
    chunks.colourType = data[9];
}

} // namespace

PngChunks readPngChunks(Bytes bytes)
{
    PngChunks chunks;
    bool pixelsSeen = false;
    for (std::size_t at = 8; at + 12 <= bytes.size();) {
        const std::size_t size = u32(bytes, at);
        if (size > bytes.size() - at - 12)
            break;
        const std::string_view type(reinterpret_cast<const char *>(&bytes[at + 4]), 4);
        const Bytes data = bytes.subspan(at + 8, size);
        if (type == "IHDR")
            readHeader(data, chunks);
        else if (type == "IDAT")
            pixelsSeen = true;
        else if (type == "acTL" && !pixelsSeen)
            chunks.frames = std::max(u32(data, 0), 1u);
        else if (type == "tRNS" && chunks.colourType == 0 && size >= 2)
            chunks.clearGray = std::uint32_t{data[0]} << 8 | data[1];
        else if (type == "eXIf")
            chunks.orientation = readTiffTags(data).orientation;
        else if (type == "iCCP" && chunks.profile.empty())
            chunks.profile = inflatedProfile(data);
        else if (type == "IEND")
            chunks.complete = true;
        at += size + 12;
    }
    return chunks;
}

std::uint32_t countPngFrames(Bytes bytes)
{
    return readPngChunks(bytes).frames;
}

} // namespace perilune::helper
