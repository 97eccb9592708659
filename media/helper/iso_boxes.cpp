#include "media/helper/iso_boxes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace perilune::helper {

namespace {

/// Up to 16 bytes from an offset; fewer at the end.
using ReadHead = std::function<std::size_t(std::uint64_t offset, std::array<std::uint8_t, 16> &head)>;

std::uint64_t number(const std::array<std::uint8_t, 16> &head, std::size_t from, std::size_t count)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value << 8 | head[from + i];
    return value;
}

/// With `strict`, nothing else may follow the boxes.
bool areWhole(std::uint64_t fileSize, bool strict, const ReadHead &readHead)
{
    std::uint64_t at = 0;
    while (at + 8 <= fileSize) {
        std::array<std::uint8_t, 16> head{};
        const std::size_t have = readHead(at, head);
        if (have < 8)
            return false;
        std::uint64_t size = number(head, 0, 4);
        if (size == 0)
            return true; // up to the end of the file
        if (size == 1)
            size = have == 16 ? number(head, 8, 8) : 0;
        if (size < 8)
            return !strict; // no box
        if (size > fileSize - at)
            return false;
        at += size;
    }
    return at == fileSize || !strict;
}

bool isSequenceBrand(std::string_view brand)
{
    return brand == "avis" || brand == "hevc" || brand == "hevx" || brand == "msf1";
}

} // namespace

bool isoBoxesAreWhole(const SourceFile &file)
{
    return areWhole(file.size(), false, [&](std::uint64_t offset, std::array<std::uint8_t, 16> &head) {
        return static_cast<std::size_t>(
            std::max<std::int64_t>(file.read(offset, head.data(), head.size()), 0));
    });
}

bool isoBoxesAreWhole(Bytes bytes)
{
    return areWhole(bytes.size(), true, [&](std::uint64_t offset, std::array<std::uint8_t, 16> &head) {
        const Bytes found =
            bytes.subspan(offset, std::min<std::uint64_t>(head.size(), bytes.size() - offset));
        std::copy(found.begin(), found.end(), head.begin());
        return found.size();
    });
}

Bytes contentOfBox(Bytes boxes, std::string_view type)
{
    while (boxes.size() >= 8) {
        std::size_t size = 0;
        for (std::size_t k = 0; k < 4; ++k)
            size = size << 8 | boxes[k];
        if (size == 0)
            size = boxes.size();
        if (size < 8 || size > boxes.size())
            return {};
        if (std::string_view(reinterpret_cast<const char *>(boxes.data()) + 4, 4) == type)
            return boxes.subspan(8, size - 8);
        boxes = boxes.subspan(size);
    }
    return {};
}

std::uint32_t countIsoFrames(Bytes bytes)
{
    if (bytes.size() < 12 || !isSequenceBrand({reinterpret_cast<const char *>(bytes.data()) + 8, 4}))
        return 1;
    Bytes inside = bytes;
    for (const std::string_view box : {"moov", "trak", "mdia", "minf", "stbl", "stsz"})
        inside = contentOfBox(inside, box);
    if (inside.size() < 12)
        return 1;
    std::uint32_t count = 0; // after the version, flags, and the size that all samples share
    for (std::size_t k = 8; k < 12; ++k)
        count = count << 8 | inside[k];
    return std::max(count, 1u);
}

} // namespace perilune::helper
