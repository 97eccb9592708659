#include "engine/base/utf8_step.h"

namespace perilune {

namespace {

unsigned byteAt(std::string_view text, std::size_t index)
{
    return static_cast<unsigned char>(text[index]);
}

/// The bytes that may follow a lead byte: Unicode Standard, table 3-7.
struct Lead {
    std::size_t length;
    unsigned low, high; // of the second byte
};

Lead leadOf(unsigned byte)
{
    if (byte >= 0xC2 && byte <= 0xDF)
        return {2, 0x80, 0xBF};
    if (byte == 0xE0)
        return {3, 0xA0, 0xBF};
    if (byte == 0xED)
        return {3, 0x80, 0x9F};
    if (byte >= 0xE1 && byte <= 0xEF)
        return {3, 0x80, 0xBF};
    if (byte == 0xF0)
        return {4, 0x90, 0xBF};
    if (byte >= 0xF1 && byte <= 0xF3)
        return {4, 0x80, 0xBF};
    if (byte == 0xF4)
        return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

} // namespace

Utf8Step utf8Step(std::string_view text)
{
    using Kind = Utf8Step::Kind;
    const unsigned first = byteAt(text, 0);
    if (first < 0x80)
        return {Kind::Valid, first, 1};
    const Lead lead = leadOf(first);
    if (lead.length == 0)
        return {Kind::Invalid, 0xFFFD, 1};
    for (std::size_t i = 1; i < lead.length; ++i) {
        if (i == text.size())
            return {Kind::Incomplete, 0xFFFD, i};
        const unsigned byte = byteAt(text, i);
        if (byte < (i == 1 ? lead.low : 0x80) || byte > (i == 1 ? lead.high : 0xBF))
            return {Kind::Invalid, 0xFFFD, i};
    }
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): its length was just checked
    return {Kind::Valid, utf8PointAt(text.data()).point, lead.length};
}

} // namespace perilune
