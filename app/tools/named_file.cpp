// namesFile(): whether a person's words name a file.
#include "app/tools/read_file.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace perilune {

namespace {

constexpr std::size_t kLongestBeside = 24; // characters that could make a name longer

struct Range {
    std::uint32_t first, last;
};

bool isIn(std::uint32_t point, const Range *begin, const Range *end)
{
    return std::any_of(begin, end,
                       [point](Range range) { return point >= range.first && point <= range.last; });
}

/// Letters that stand beside a name without a space: Han, Japanese, Korean (whose endings are joined to
/// words), Thai, Lao, Burmese, Khmer, Tibetan.
bool standsBeside(std::uint32_t point)
{
    static constexpr Range letters[] = {
        {0x0E01,  0x0EFF },
        {0x0F00,  0x0FFF },
        {0x1000,  0x109F },
        {0x1100,  0x11FF },
        {0x1780,  0x17FF },
        {0x3005,  0x3007 },
        {0x3021,  0x3029 },
        {0x3031,  0x3035 },
        {0x3041,  0x318F },
        {0x31A0,  0x31FF },
        {0x3400,  0x4DBF },
        {0x4E00,  0x9FFF },
        {0xA960,  0xA97F },
        {0xAC00,  0xD7FF },
        {0xF900,  0xFAFF },
        {0xFF66,  0xFFDC },
        {0x20000, 0x3FFFF}
    };
    return isIn(point, std::begin(letters), std::end(letters));
}

/// Quotation marks that open or close something, the typewriter's too.
bool isQuote(std::uint32_t point)
{
    static constexpr Range quotes[] = {
        {'"',    '"'   },
        {'\'',   '\''  },
        {'`',    '`'   },
        {0x00AB, 0x00AB},
        {0x00BB, 0x00BB},
        {0x2018, 0x201F},
        {0x2039, 0x203A},
        {0x3008, 0x300F},
        {0x301D, 0x301F},
        {0xFF02, 0xFF02},
        {0xFF07, 0xFF07},
        {0xFF62, 0xFF63}
    };
    return isIn(point, std::begin(quotes), std::end(quotes));
}

/// Spaces and punctuation that end a word and that nobody names files with; quotation marks are apart.
bool endsName(std::uint32_t point)
{
    static constexpr Range signs[] = {
        {0x00A0, 0x00A1},
        {0x00B7, 0x00B7},
        {0x00BF, 0x00BF},
        {0x055C, 0x055E},
        {0x0589, 0x0589},
        {0x05C3, 0x05C3},
        {0x060C, 0x060C},
        {0x061B, 0x061B},
        {0x061F, 0x061F},
        {0x06D4, 0x06D4},
        {0x0964, 0x0965},
        {0x104A, 0x104B},
        {0x17D4, 0x17D5},
        {0x2000, 0x200A},
        {0x2013, 0x2015},
        {0x2022, 0x2022},
        {0x2026, 0x2026},
        {0x2028, 0x2029},
        {0x202F, 0x202F},
        {0x205F, 0x205F},
        {0x3000, 0x3003},
        {0x3010, 0x301B},
        {0x30FB, 0x30FB},
        {0xFF01, 0xFF01},
        {0xFF08, 0xFF09},
        {0xFF0C, 0xFF0C},
        {0xFF0E, 0xFF0E},
        {0xFF1A, 0xFF1B},
        {0xFF1F, 0xFF1F},
        {0xFF3B, 0xFF3B},
        {0xFF3D, 0xFF3D},
        {0xFF5B, 0xFF5B},
        {0xFF5D, 0xFF5D},
        {0xFF5F, 0xFF61},
        {0xFF64, 0xFF65}
    };
    return isIn(point, std::begin(signs), std::end(signs));
}

/// Whether a name could go on with `point`: then what stands before or after it is part of a longer name.
bool continuesName(std::uint32_t point)
{
    if (point >= 0x80)
        return !endsName(point) && !isQuote(point);
    const char c = static_cast<char>(point);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           std::string_view("-/~.\\@+=%&#").find(c) != std::string_view::npos;
}

/// The character that ends `text`, and the one that begins it; a space where it is empty.
std::uint32_t lastOf(std::string_view text)
{
    std::size_t begin = text.size();
    while (begin > 0 && begin + 4 > text.size()) {
        --begin;
        if ((static_cast<unsigned char>(text[begin]) & 0xC0) != 0x80)
            break;
    }
    return text.empty() ? ' ' : utf8Step(text.substr(begin)).point;
}

std::uint32_t firstOf(std::string_view text)
{
    return text.empty() ? ' ' : utf8Step(text).point;
}

bool isAscii(char c)
{
    return static_cast<unsigned char>(c) < 0x80;
}

/// Lengths of the pieces before (or after) a name that could belong to it, the empty one first.
std::vector<std::size_t> piecesBefore(std::string_view text)
{
    std::vector<std::size_t> lengths{0};
    while (lengths.size() <= kLongestBeside && lengths.back() < text.size()) {
        const std::string_view rest = text.substr(0, text.size() - lengths.back());
        if (!continuesName(lastOf(rest)))
            break;
        std::size_t length = 1;
        while (length < rest.size() &&
               (static_cast<unsigned char>(rest[rest.size() - length]) & 0xC0) == 0x80)
            ++length;
        lengths.push_back(lengths.back() + length);
    }
    return lengths;
}

std::vector<std::size_t> piecesAfter(std::string_view text)
{
    std::vector<std::size_t> lengths{0};
    while (lengths.size() <= kLongestBeside && lengths.back() < text.size()) {
        const Utf8Step step = utf8Step(text.substr(lengths.back()));
        if (!continuesName(step.point))
            break;
        lengths.push_back(lengths.back() + step.length);
    }
    return lengths;
}

/// Whether the letters around a name make a longer one that is a file.
bool longerExists(std::string_view before, std::string_view path, std::string_view after,
                  const std::function<bool(const std::string &)> &exists)
{
    const std::vector<std::size_t> heads = piecesBefore(before), tails = piecesAfter(after);
    for (const std::size_t head : heads) {
        for (const std::size_t tail : tails) {
            if (head + tail == 0)
                continue;
            std::string longer(before.substr(before.size() - head));
            longer.append(path).append(after.substr(0, tail));
            if (exists(longer))
                return true;
        }
    }
    return false;
}

/// 's, as in "notes.txt's first line".
bool isPossessive(std::string_view rest)
{
    for (const std::string_view form : {"'s", "\u2019s"}) {
        if (rest.starts_with(form))
            return !continuesName(firstOf(rest.substr(form.size())));
    }
    return false;
}

} // namespace

bool namesFile(std::string_view words, std::string_view path,
               const std::function<bool(const std::string &name)> &exists)
{
    if (path.empty())
        return false;
    for (std::size_t at = words.find(path); at != std::string_view::npos; at = words.find(path, at + 1)) {
        const std::string_view head = words.substr(0, at), tail = words.substr(at + path.size());
        std::string_view rest = tail;
        if (rest.starts_with('.'))
            rest.remove_prefix(1);
        if (isPossessive(rest))
            rest = {};
        const std::uint32_t before = lastOf(head), after = firstOf(rest);
        const bool besideHead = standsBeside(before) && isAscii(path.front());
        const bool besideTail = standsBeside(after) && isAscii(path.back());
        if ((continuesName(before) && !besideHead) || (continuesName(after) && !besideTail) ||
            isQuote(before) != isQuote(after))
            continue;
        if (!(besideHead || besideTail) || !exists || !longerExists(head, path, tail, exists))
            return true;
    }
    return false;
}

} // namespace perilune
