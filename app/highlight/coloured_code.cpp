#include "app/highlight/coloured_code.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace perilune {

namespace {

constexpr std::size_t kLongestLine = 20'000;

/// A line in UTF-16, and for each of its units the byte where its character begins; then the line's end.
struct Wide {
    std::u16string text;
    std::vector<std::size_t> byteOf;
};

/// How many bytes the character at `at` has; 1 where it is none.
std::size_t lengthAt(std::string_view line, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(line[at]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    if (at + length > line.size())
        return 1;
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(line[at + i]) & 0xC0) != 0x80)
            return 1;
    }
    return length;
}

Wide widen(std::string_view line)
{
    Wide wide;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t length = lengthAt(line, at);
        auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(line[at]));
        if (length > 1) {
            code &= 0x7Fu >> length;
            for (std::size_t i = 1; i < length; ++i)
                code = code << 6 | (static_cast<unsigned char>(line[at + i]) & 63u);
        } else if (code >= 0x80) {
            code = 0xFFFD;
        }
        if (code >= 0x10000) {
            wide.text += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
            wide.byteOf.push_back(at);
            code = 0xDC00 + ((code - 0x10000) & 0x3FF);
        }
        wide.text += static_cast<char16_t>(code);
        wide.byteOf.push_back(at);
        at += length;
    }
    wide.byteOf.push_back(line.size());
    return wide;
}

std::vector<ColouredPiece> piecesOf(std::string_view line, const Wide &wide,
                                    const std::vector<CodeSpan> &spans)
{
    std::vector<ColouredPiece> pieces;
    const auto add = [&pieces, line](std::size_t from, std::size_t to, std::optional<CodeKind> kind) {
        if (to > from)
            pieces.push_back({line.substr(from, to - from), kind});
    };
    std::size_t done = 0;
    for (const CodeSpan &span : spans) {
        const std::size_t from = wide.byteOf[span.begin];
        const std::size_t to = wide.byteOf[span.begin + span.length];
        add(done, from, std::nullopt);
        add(from, to, span.kind);
        done = to;
    }
    add(done, line.size(), std::nullopt);
    return pieces;
}

} // namespace

std::vector<std::vector<ColouredPiece>> colouredLines(std::string_view code, std::string_view language)
{
    const Language *known = findLanguage(language.substr(0, language.find(' ')));
    std::vector<std::vector<ColouredPiece>> lines;
    std::vector<CodeSpan> spans;
    int state = 0;
    for (std::size_t at = 0; at <= code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        const std::string_view line = code.substr(at, end - at);
        spans.clear();
        if (known && line.size() <= kLongestLine) {
            const Wide wide = widen(line);
            state = lexLine(*known, wide.text, state, spans);
            lines.push_back(piecesOf(line, wide, spans));
        } else {
            lines.push_back(line.empty() ? std::vector<ColouredPiece>{}
                                         : std::vector<ColouredPiece>{{line, std::nullopt}});
        }
        at = end + 1;
    }
    return lines;
}

} // namespace perilune
