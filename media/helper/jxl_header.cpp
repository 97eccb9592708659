#include "media/helper/jxl_header.h"

#include "media/helper/iso_boxes.h"

#include <array>

namespace perilune::helper {

namespace {

/// The header's fields are bits, the lowest of a byte first. Beyond the end all are 0.
class BitReader {
public:
    explicit BitReader(Bytes bytes) : m_bytes(bytes) {}

    std::uint32_t bits(unsigned count)
    {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < count; ++i, ++m_at) {
            if (m_at / 8 < m_bytes.size())
                value |= std::uint32_t{(m_bytes[m_at / 8] >> m_at % 8) & 1u} << i;
        }
        return value;
    }
    bool flag() { return bits(1) != 0; }
    /// A number of one of four lengths; how long says a selector of two bits.
    void skipNumber(const std::array<unsigned, 4> &lengths) { bits(lengths[bits(2)]); }

private:
    Bytes m_bytes;
    std::size_t m_at = 0;
};

/// SizeHeader: a height, and a width where it isn't in a ratio to it.
void skipSize(BitReader &reader)
{
    const bool inEights = reader.flag();
    const auto skipSide = [&] {
        if (inEights)
            reader.bits(5);
        else
            reader.skipNumber({9, 13, 18, 30});
    };
    skipSide();
    if (reader.bits(3) == 0)
        skipSide();
}

/// PreviewHeader, whose sides are counted otherwise.
void skipPreview(BitReader &reader)
{
    const bool inEights = reader.flag();
    const auto skipSide = [&] {
        if (!inEights)
            reader.skipNumber({6, 8, 10, 12});
        else
            reader.skipNumber({0, 0, 5, 9}); // 16 and 32 need no more
    };
    skipSide();
    if (reader.bits(3) == 0)
        skipSide();
}

/// The bare stream of a file; empty where it isn't found.
Bytes codestream(Bytes bytes)
{
    if (bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == 0x0a)
        return bytes;
    if (const Bytes whole = contentOfBox(bytes, "jxlc"); !whole.empty())
        return whole;
    const Bytes part = contentOfBox(bytes, "jxlp"); // the first of several, after its number
    return part.size() > 4 ? part.subspan(4) : Bytes();
}

} // namespace

std::uint32_t countJxlFrames(Bytes bytes)
{
    const Bytes stream = codestream(bytes);
    if (stream.size() < 2)
        return 1;
    BitReader reader(stream.subspan(2)); // after the signature
    skipSize(reader);
    if (reader.flag()) // all of the metadata is as usual
        return 1;
    if (!reader.flag()) // no fields beyond the usual
        return 1;
    reader.bits(3);    // orientation
    if (reader.flag()) // the size to be shown at
        skipSize(reader);
    if (reader.flag())
        skipPreview(reader);
    return reader.flag() ? 2 : 1;
}

} // namespace perilune::helper
