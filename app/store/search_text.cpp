#include "app/store/search_text.h"

#include "engine/base/whole_characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <span>

namespace perilune {

namespace {

using CodePoint = utf8proc_int32_t;

constexpr CodePoint kReplacement = 0xfffd; // for what is no UTF-8

bool isAscii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char foldAscii(char c)
{
    if (c >= 'A' && c <= 'Z')
        return static_cast<char>(c - 'A' + 'a');
    return (c >= '\t' && c <= '\r') ? ' ' : c;
}

/// The next character of `text` from `at`, which moves behind it.
CodePoint next(std::string_view text, std::size_t &at)
{
    CodePoint point = 0;
    const auto *bytes = reinterpret_cast<const utf8proc_uint8_t *>(text.data()) + at;
    const utf8proc_ssize_t length =
        utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    at += length > 0 ? static_cast<std::size_t>(length) : 1;
    return length > 0 ? point : kReplacement;
}

void append(std::string &text, CodePoint point)
{
    std::array<utf8proc_uint8_t, 4> bytes{};
    const utf8proc_ssize_t length = utf8proc_encode_char(point, bytes.data());
    text.append(reinterpret_cast<const char *>(bytes.data()), static_cast<std::size_t>(length));
}

bool within(CodePoint point, CodePoint first, CodePoint last)
{
    return point >= first && point <= last;
}

/// Accents, Hebrew points, Arabic vowels and stretching, and characters without width: people leave them out.
bool isLeftOut(CodePoint point)
{
    return within(point, 0x300, 0x36f) || within(point, 0x591, 0x5c7) || within(point, 0x610, 0x61a) ||
           within(point, 0x64b, 0x65f) || point == 0x640 || point == 0x670 || within(point, 0x6d6, 0x6ed) ||
           within(point, 0x1ab0, 0x1aff) || within(point, 0x1dc0, 0x1dff) || within(point, 0x200b, 0x200f) ||
           within(point, 0x202a, 0x202e) || within(point, 0x2060, 0x2069) || within(point, 0xfe00, 0xfe0f) ||
           point == 0xad || point == 0xfeff;
}

/// Letters that are written for one another and that Unicode doesn't take apart.
CodePoint sameLetter(CodePoint point)
{
    switch (point) {
    case 0xf8: return 'o';    // ø
    case 0x111: return 'd';   // đ
    case 0x142: return 'l';   // ł
    case 0x131: return 'i';   // ı
    case 0x629: return 0x647; // teh marbuta as heh
    case 0x649:               // alef maksura
    case 0x6cc: return 0x64a; // and Farsi yeh as yeh
    case 0x6a9: return 0x643; // keheh as kaf
    default: return point;
    }
}

/// Voiced kana and Korean syllables are letters of their own, not letters with marks.
bool staysWhole(CodePoint point)
{
    return within(point, 0x3040, 0x30ff) || within(point, 0xac00, 0xd7a3);
}

/// Marks of kana and parts of Korean syllables, which some systems write apart.
bool joinsTheOneBefore(CodePoint point)
{
    return point == 0x3099 || point == 0x309a || within(point, 0x1160, 0x11ff);
}

class Folder {
public:
    explicit Folder(std::string_view source) : m_source(source) {}

    FoldedText fold()
    {
        m_folded.text.reserve(m_source.size());
        m_folded.origin.reserve(m_source.size() + 1);
        for (std::size_t at = 0; at < m_source.size();) {
            m_from = at;
            take(next(m_source, at));
        }
        m_folded.origin.push_back(static_cast<std::uint32_t>(m_source.size()));
        return std::move(m_folded);
    }

private:
    void take(CodePoint point)
    {
        if (joinsTheOneBefore(point) && joinWithLast(point))
            return;
        if (point < 0x80) {
            put(foldAscii(static_cast<char>(point)));
            return;
        }
        if (staysWhole(point)) {
            put(point);
            return;
        }
        std::array<CodePoint, 32> pieces{};
        int boundary = 0;
        const utf8proc_ssize_t count = utf8proc_decompose_char(
            point, pieces.data(), static_cast<utf8proc_ssize_t>(pieces.size()),
            static_cast<utf8proc_option_t>(UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD),
            &boundary);
        if (count < 0 || count > static_cast<utf8proc_ssize_t>(pieces.size())) {
            put(point);
            return;
        }
        for (const CodePoint piece : std::span(pieces).first(static_cast<std::size_t>(count)))
            putLetter(piece);
    }

    void putLetter(CodePoint point)
    {
        if (isLeftOut(point) || (joinsTheOneBefore(point) && joinWithLast(point)))
            return;
        const utf8proc_category_t category = utf8proc_category(point);
        const bool space = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                           category == UTF8PROC_CATEGORY_ZP || point == 0x85;
        put(space ? ' ' : sameLetter(point));
    }

    bool joinWithLast(CodePoint point)
    {
        std::array<CodePoint, 2> both{m_last, point};
        const utf8proc_ssize_t left = utf8proc_normalize_utf32(
            both.data(), 2, static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
        if (left != 1)
            return false;
        m_folded.text.resize(m_lastAt);
        m_folded.origin.resize(m_lastAt);
        std::swap(m_from, m_lastFrom); // it begins where the one before began
        put(both[0]);
        return true;
    }

    void put(CodePoint point)
    {
        m_lastAt = m_folded.text.size();
        m_lastFrom = m_from;
        m_last = point;
        append(m_folded.text, point);
        m_folded.origin.resize(m_folded.text.size(), static_cast<std::uint32_t>(m_from));
    }

    std::string_view m_source;
    FoldedText m_folded;
    std::size_t m_from = 0;                   // of the character that is being folded, in the source
    std::size_t m_lastAt = 0, m_lastFrom = 0; // of the last one written
    CodePoint m_last = 0;
};

std::vector<CodePoint> codePoints(std::string_view text)
{
    std::vector<CodePoint> points;
    points.reserve(text.size());
    for (std::size_t at = 0; at < text.size();)
        points.push_back(next(text, at));
    return points;
}

/// A character inside of a token: FTS5's tokenizer "ascii" takes letters, digits and all that isn't ASCII.
void appendTokenCharacter(std::string &token, CodePoint point)
{
    const bool plain = within(point, 'a', 'z') || within(point, '0', '9') || point >= 0x80;
    append(token, plain ? point : 0xe000 + point); // private use: no text is taken for it by more than chance
}

/// Up to three characters in one number, so that they sort and compare quickly.
using Gram = std::uint64_t;

void appendToken(std::string &text, Gram gram)
{
    for (int place = 2; place >= 0; --place) {
        if (const auto point = static_cast<CodePoint>((gram >> (21 * place)) & 0x1fffff); point != 0)
            appendTokenCharacter(text, point);
    }
}

/// The grams of `length` characters from each place of `points`, but for those with a space.
void collectGrams(const std::vector<CodePoint> &points, std::size_t length, std::vector<Gram> &grams)
{
    Gram gram = 0;
    std::size_t run = 0; // characters since the last space
    const Gram mask = (Gram{1} << (21 * length)) - 1;
    for (const CodePoint point : points) {
        run = point == ' ' || point == 0 ? 0 : run + 1;
        gram = ((gram << 21) | static_cast<Gram>(point)) & mask;
        if (run >= length)
            grams.push_back(gram);
    }
}

void sortOnce(std::vector<Gram> &grams)
{
    std::ranges::sort(grams);
    grams.erase(std::ranges::unique(grams).begin(), grams.end());
}

} // namespace

FoldedText foldText(std::string_view source)
{
    if (!isAscii(source))
        return Folder(source).fold();
    FoldedText folded;
    folded.text.resize(source.size());
    std::ranges::transform(source, folded.text.begin(), foldAscii);
    return folded;
}

std::vector<std::string> searchTerms(std::string_view query)
{
    std::vector<std::string> terms;
    std::string term;
    bool quoted = false;
    const auto end = [&terms, &term] {
        if (term.find_first_not_of(' ') != std::string::npos && std::ranges::find(terms, term) == terms.end())
            terms.push_back(term);
        term.clear();
    };
    const std::string folded = foldText(query).text;
    for (std::size_t at = 0; at < folded.size(); ++at) {
        const char c = folded[at];
        // A quote that nothing closes is looked for as it stands.
        const bool quote =
            c == '"' && (quoted || (term.empty() && folded.find('"', at + 2) != std::string::npos));
        if (quote) {
            end();
            quoted = !quoted;
        } else if (c == ' ' && !quoted) {
            end();
        } else {
            term += c;
        }
    }
    end();
    return terms;
}

std::string gramsOf(std::string_view folded)
{
    const std::vector<CodePoint> points = codePoints(folded);
    std::vector<Gram> grams;
    grams.reserve(points.size() * 3);
    for (const std::size_t length : std::array<std::size_t, 3>{1, 2, 3})
        collectGrams(points, length, grams);
    sortOnce(grams);
    std::string text;
    text.reserve(grams.size() * 5);
    for (const Gram gram : grams) {
        appendToken(text, gram);
        text += ' ';
    }
    return text;
}

std::string matchFor(const std::vector<std::string> &terms)
{
    constexpr std::size_t most = 48; // grams; more of them would cost more than they sort out
    std::vector<Gram> grams;
    for (const std::string &term : terms) {
        const std::vector<CodePoint> points = codePoints(term);
        const std::size_t before = grams.size();
        for (std::size_t length = 3; length >= 1 && grams.size() == before; --length)
            collectGrams(points, length, grams);
    }
    sortOnce(grams);
    std::string match;
    const std::size_t step = grams.size() / most + 1;
    for (std::size_t i = 0; i < grams.size(); i += step) {
        match += match.empty() ? "\"" : " AND \"";
        appendToken(match, grams[i]);
        match += '"';
    }
    return match;
}

std::vector<ByteRange> findTerms(std::string_view source, const std::vector<std::string> &terms)
{
    const FoldedText folded = foldText(source);
    const auto sourceOf = [&folded](std::size_t at) {
        return folded.origin.empty() ? at : std::size_t{folded.origin[at]};
    };
    std::vector<ByteRange> found;
    for (const std::string &term : terms) {
        for (std::size_t at = folded.text.find(term); at != std::string::npos;
             at = folded.text.find(term, at + term.size())) {
            const std::size_t begin = sourceOf(at);
            std::size_t end = at + term.size();
            // Half of a character that folds to several is all of it.
            while (end < folded.text.size() && sourceOf(end) == sourceOf(end - 1) && !folded.origin.empty())
                ++end;
            found.emplace_back(begin, sourceOf(end));
        }
    }
    std::ranges::sort(found);
    std::vector<ByteRange> apart;
    for (const ByteRange &range : found) {
        if (!apart.empty() && range.first < apart.back().second)
            apart.back().second = std::max(apart.back().second, range.second);
        else
            apart.push_back(range);
    }
    return apart;
}

Excerpt excerptAround(std::string_view source, const std::vector<ByteRange> &marks)
{
    constexpr std::size_t before = 50, after = 110; // bytes
    const ByteRange first = marks.empty() ? ByteRange{0, 0} : marks.front();
    const std::size_t begin = wholeUpTo(source, first.first > before ? first.first - before : 0);
    const std::size_t end = wholeFrom(source, first.second + after);
    Excerpt excerpt;
    excerpt.text = begin > 0 ? "…" : "";
    const std::size_t lead = excerpt.text.size();
    excerpt.text += source.substr(begin, end - begin);
    std::ranges::replace_if(excerpt.text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    if (end < source.size())
        excerpt.text += "…";
    for (const ByteRange &mark : marks) {
        if (mark.first >= begin && mark.second <= end)
            excerpt.marks.emplace_back(mark.first - begin + lead, mark.second - begin + lead);
    }
    return excerpt;
}

} // namespace perilune
