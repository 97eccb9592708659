#include "engine/text/pretokenizer.h"

#include "engine/text/unicode_tables.h"
#include "engine/text/utf8.h"

namespace perilune {

namespace {

constexpr std::size_t kCodePoints = 0x110000;
constexpr std::size_t kLongestRun = 25'000;
constexpr std::size_t kLongestBlock = 400'000;

/// Length of "'s", "'t", "'re", "'ve", "'m", "'ll" or "'d" at the start of `text`, 0 for none. Case does not
/// count, by simple case folding: U+017F is an s.
std::size_t contractionLength(const char *text, const char *end)
{
    if (end - text < 2 || text[0] != '\'')
        return 0;
    const auto lower = [end](const char *at) { return at < end ? static_cast<char>(*at | 0x20) : '\0'; };
    switch (lower(text + 1)) {
    case 's':
    case 't':
    case 'm':
    case 'd': return 2;
    case 'r':
    case 'v': return lower(text + 2) == 'e' ? 3 : 0;
    case 'l': return lower(text + 2) == 'l' ? 3 : 0;
    default: break;
    }
    return end - text >= 3 && text[1] == '\xC5' && text[2] == '\xBF' ? 3 : 0;
}

} // namespace

/// Reads one text. Positions are pointers into it; every function returns where its match ends, or null.
class Pretokenizer::Matcher {
public:
    Matcher(const std::uint8_t *classes, std::string_view text)
        : m_classes(classes),
          m_begin(text.data()),
          m_end(text.data() + text.size())
    {
    }

    const char *piece() const
    {
        const unsigned classes = classesAt(m_begin);
        if (classes & kHan)
            return runOf(kHan, m_begin);
        // Only what is no letter, number or line break can be the one character before a word.
        const bool prefixed = !(classes & (kLetter | kNumber | kLineBreak));
        if (const char *end = prefixed ? prefixedWord(classes) : word(m_begin))
            return end;
        if (classes & kNumber)
            return number();
        if (const char *end = symbols(classes))
            return end;
        return space();
    }

private:
    unsigned classesAt(const char *at) const
    {
        const auto byte = static_cast<unsigned char>(*at);
        return m_classes[byte < 0x80 ? byte : utf8PointAt(at).point];
    }

    static const char *next(const char *at)
    {
        const auto byte = static_cast<unsigned char>(*at);
        return at + (byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4);
    }

    const char *runOf(unsigned classes, const char *at) const
    {
        while (at < m_end && (classesAt(at) & classes))
            at = next(at);
        return at;
    }

    /// A run of UPPER, and the last character in it or right behind it that is LOWER: UPPER* gives back
    /// characters until LOWER+ can match, so LOWER+ begins there.
    struct Run {
        const char *end;
        const char *lastLower;
    };

    Run upperRun(const char *start) const
    {
        Run run{start, nullptr};
        for (; run.end < m_end; run.end = next(run.end)) {
            const unsigned classes = classesAt(run.end);
            if (classes & kLower)
                run.lastLower = run.end;
            if (!(classes & kUpper))
                break;
        }
        return run;
    }

    const char *withContraction(const char *at) const { return at + contractionLength(at, m_end); }

    /// Alternatives 2 and 3 without the prefix.
    const char *word(const char *start) const
    {
        const Run run = upperRun(start);
        if (run.lastLower)
            return withContraction(runOf(kLower, run.lastLower));
        return run.end > start ? withContraction(run.end) : nullptr;
    }

    /// Alternatives 2 and 3 where the first character can be the prefix. A mark can be either: alternative 2
    /// without prefix takes it alone, before alternative 3 would take it as a prefix.
    const char *prefixedWord(unsigned classes) const
    {
        const char *start = next(m_begin);
        const Run run = upperRun(start);
        if (run.lastLower)
            return withContraction(runOf(kLower, run.lastLower));
        if (classes & kLower)
            return withContraction(start);
        return run.end > start ? withContraction(run.end) : nullptr;
    }

    const char *number() const
    {
        const char *at = m_begin;
        for (int digits = 0; digits < 3 && at < m_end && (classesAt(at) & kNumber); ++digits)
            at = next(at);
        return at;
    }

    const char *symbols(unsigned classes) const
    {
        const char *at = *m_begin == ' ' ? m_begin + 1 : m_begin;
        if (at == m_begin && (classes & (kSpace | kLetter | kNumber)))
            return nullptr;
        const char *first = at;
        while (at < m_end && !(classesAt(at) & (kSpace | kLetter | kNumber)))
            at = next(at);
        if (at == first)
            return nullptr;
        while (at < m_end && (*at == '\r' || *at == '\n'))
            ++at;
        return at;
    }

    const char *space() const
    {
        const char *last = m_begin; // start of the run's last character
        const char *lineBreak = nullptr;
        const char *at = m_begin;
        while (at < m_end) {
            const unsigned classes = classesAt(at);
            if (!(classes & kSpace))
                break;
            last = at;
            at = next(at);
            if (classes & kLineBreak)
                lineBreak = at;
        }
        if (lineBreak)
            return lineBreak;
        return at < m_end && last > m_begin ? last : at;
    }

    const std::uint8_t *m_classes;
    const char *m_begin;
    const char *m_end;
};

Pretokenizer::Pretokenizer() : m_classes(kCodePoints)
{
    for (const CharClassRange &range : kCharClassRanges) {
        for (std::uint32_t point = range.first; point <= range.last; ++point)
            m_classes[point] = range.classes;
    }
}

std::size_t Pretokenizer::pieceLength(std::string_view text) const
{
    return static_cast<std::size_t>(Matcher(m_classes.data(), text).piece() - text.data());
}

std::vector<std::string_view> Pretokenizer::slices(std::string_view text) const
{
    if (text.size() <= kLongestRun)
        return {text};
    std::vector<std::string_view> slices;
    std::size_t start = 0, inBlock = 0, inRun = 0;
    bool space = false;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Point here = utf8PointAt(text.data() + at);
        const bool nowSpace = (m_classes[here.point] & kPythonSpace) != 0;
        inRun = inBlock > 0 && nowSpace == space ? inRun + 1 : 1;
        space = nowSpace;
        ++inBlock;
        if (inRun > kLongestRun) {
            slices.push_back(text.substr(start, at - start));
            start = at;
            inRun = 1;
        }
        at += here.length;
        if (inBlock == kLongestBlock) {
            slices.push_back(text.substr(start, at - start));
            start = at;
            inBlock = 0;
        }
    }
    if (start < text.size())
        slices.push_back(text.substr(start));
    return slices;
}

} // namespace perilune
