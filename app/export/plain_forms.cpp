// Text as any reader takes it, and what its characters say about it.
#include "app/export/document.h"

#include <cstdint>

namespace perilune {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// The character that begins `text`, and how many bytes it has; kNone and 1 where it is none.
std::pair<std::uint32_t, std::size_t> firstOf(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
        return {kNone, 1};
    std::uint32_t value = lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {kNone, 1};
        value = value << 6 | (byte(i) & 63u);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return {kNone, 1};
    return {value, length};
}

/// C0 and C1 without tab and line end, and what no text may hold.
bool isControl(std::uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF;
}

} // namespace

std::string cleanText(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const auto [c, length] = firstOf(text);
        if (c == '\r' && text.size() > 1 && text[1] == '\n')
            ; // the line end comes next
        else if (c == kNone || isControl(c))
            clean += kReplacement;
        else
            clean += text.substr(0, length);
        text.remove_prefix(length);
    }
    return clean;
}

bool goesLeftwards(std::string_view text)
{
    while (!text.empty()) {
        const auto [c, length] = firstOf(text);
        text.remove_prefix(length);
        if ((c >= 0x5D0 && c < 0x660) || (c >= 0x66D && c < 0x6F0) || (c >= 0x6FA && c < 0x8E0) ||
            (c >= 0xFB1D && c < 0xFE00) || (c >= 0xFE70 && c < 0xFEFF) || (c >= 0x10800 && c < 0x11000) ||
            (c >= 0x1E800 && c < 0x1F000))
            return true;
        const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xC0 && c < 0x590) ||
                            (c >= 0x8E0 && c < 0x2000) || (c >= 0x2C00 && c < 0x2E00) ||
                            (c >= 0x3040 && c < 0xD800) || (c >= 0x20000 && c < 0x40000);
        if (letter)
            return false;
    }
    return false;
}

std::string languageOf(std::string_view text)
{
    bool han = false;
    while (!text.empty()) {
        const auto [c, length] = firstOf(text);
        text.remove_prefix(length);
        if (c == kNone || c < 0x1100)
            continue;
        if (c >= 0x3040 && c < 0x3100)
            return "ja"; // kana
        if ((c >= 0xAC00 && c < 0xD7B0) || c < 0x1200)
            return "ko"; // hangul
        han = han || (c >= 0x3400 && c < 0xA000) || (c >= 0x20000 && c < 0x40000);
    }
    return han ? "zh-Hans" : "";
}

} // namespace perilune
