#include "media/helper/tiff_tags.h"

#include <algorithm>

namespace perilune::helper {

namespace {

class TiffBytes {
public:
    explicit TiffBytes(Bytes bytes) : m_bytes(bytes), m_big(!bytes.empty() && bytes[0] == 'M') {}

    std::uint32_t u16(std::size_t at) const { return number(at, 2); }
    std::uint32_t u32(std::size_t at) const { return number(at, 4); }

private:
    std::uint32_t number(std::size_t at, std::size_t size) const
    {
        if (at > m_bytes.size() || m_bytes.size() - at < size)
            return 0;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value |= std::uint32_t{m_bytes[at + i]} << 8 * (m_big ? size - 1 - i : i);
        return value;
    }

    Bytes m_bytes;
    bool m_big;
};

} // namespace

TiffTags readTiffTags(Bytes bytes)
{
    TiffTags tags;
    const TiffBytes tiff(bytes);
    if (bytes.size() < 8 || tiff.u16(2) != 42)
        return tags;
    const std::size_t directory = tiff.u32(4);
    const std::uint32_t entries = std::min(tiff.u16(directory), 1000u);
    tags.complete = directory >= 8 && directory + 2 + std::size_t{entries} * 12 <= bytes.size();
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + std::size_t{i} * 12;
        const std::uint32_t type = tiff.u16(entry + 2), count = tiff.u32(entry + 4);
        const std::size_t size = type == 3 ? 2 : 4; // shorts and longs; other types have no number we need
        const std::size_t place = size * count <= 4 ? entry + 8 : tiff.u32(entry + 8);
        const std::uint32_t value = type == 3 ? tiff.u16(place) : tiff.u32(place);
        switch (tiff.u16(entry)) {
        case 256: tags.width = value; break;
        case 257: tags.height = value; break;
        case 258: tags.bits = value; break;
        case 262: tags.photometric = value; break;
        case 274: tags.orientation = value >= 1 && value <= 8 ? value : 1; break;
        case 277: tags.samples = value; break;
        case 338: tags.extraSample = value; break;
        case 34675:
            if (const std::size_t at = tiff.u32(entry + 8); at < bytes.size())
                tags.profile = bytes.subspan(at, std::min<std::size_t>(count, bytes.size() - at));
            break;
        default: break;
        }
    }
    return tags;
}

} // namespace perilune::helper
