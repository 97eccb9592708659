#include "app/markdown/inline_math.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace perilune {

namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWord(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// "5, or 10": a sum in a sentence. A longer text is judged by its beginning.
bool looksLikeMoney(std::string_view inside)
{
    inside = inside.substr(0, 100);
    return isDigit(inside.front()) && inside.find(' ') != std::string_view::npos &&
           inside.find_first_of("\\^_=+*/<>(){}|-") == std::string_view::npos;
}

/// Each search that fails is remembered, so that a text full of openers costs no more than a few looks at it.
class MathScan {
public:
    explicit MathScan(std::string_view text) : m_text(text) {}

    std::vector<InlineFormula> run()
    {
        while (m_at < m_text.size()) {
            switch (m_text[m_at]) {
            case '\\': backslash(); break;
            case '`': code(); break;
            case '$': dollar(); break;
            default: ++m_at;
            }
        }
        return std::move(m_found);
    }

private:
    char at(std::size_t place) const { return place < m_text.size() ? m_text[place] : '\n'; }

    /// The end of the run of lines around `from`: the next blank line.
    std::size_t paragraphEnd(std::size_t from)
    {
        if (from < m_paragraphEnd)
            return m_paragraphEnd;
        std::size_t end = m_text.find('\n', from);
        while (end != std::string_view::npos) {
            std::size_t next = end + 1;
            while (next < m_text.size() &&
                   (m_text[next] == ' ' || m_text[next] == '\t' || m_text[next] == '>'))
                ++next;
            if (next >= m_text.size() || m_text[next] == '\n' || m_text[next] == '\r')
                break;
            end = m_text.find('\n', next);
        }
        return m_paragraphEnd = std::min(end, m_text.size());
    }

    /// Whether an odd number of backslashes stands before `place`.
    bool escaped(std::size_t place) const
    {
        std::size_t count = 0;
        while (count < place && m_text[place - count - 1] == '\\')
            ++count;
        return count % 2 == 1;
    }

    bool take(std::size_t inside, std::size_t close, std::size_t end, bool display)
    {
        const std::string whole = unquoted(m_text.substr(inside, close - inside));
        const auto begin = std::ranges::find_if_not(whole, isSpace);
        const auto rest = std::find_if_not(whole.rbegin(), std::make_reverse_iterator(begin), isSpace);
        if (begin == whole.end())
            return false;
        m_found.push_back(
            {.begin = m_at, .end = end, .latex = std::string(begin, rest.base()), .display = display});
        m_at = end;
        return true;
    }

    /// Without the marks of the quote that the lines stand in.
    std::string unquoted(std::string_view latex)
    {
        for (; m_lineSeen < m_at; ++m_lineSeen) {
            if (m_text[m_lineSeen] == '\n')
                m_line = m_lineSeen + 1;
        }
        const std::size_t first = m_text.find_first_not_of(' ', m_line);
        if (at(first) != '>' || first > m_at)
            return std::string(latex);
        std::string clean;
        bool fresh = false; // nothing of the line was taken yet
        for (const char c : latex) {
            if (fresh && (c == ' ' || c == '>'))
                continue;
            fresh = c == '\n';
            clean += c;
        }
        return clean;
    }

    /// The first `close` from `from` on that no backslash takes away, within the paragraph.
    std::optional<std::size_t> find(std::string_view close, std::size_t from)
    {
        const std::size_t end = paragraphEnd(m_at);
        std::size_t &none = m_none[close.back()];
        if (from < none)
            return std::nullopt;
        for (std::size_t place = from; (place = m_text.find(close, place)) < end; ++place) {
            if (!escaped(place))
                return place;
        }
        none = end;
        return std::nullopt;
    }

    void backslash()
    {
        const char next = at(m_at + 1);
        if (next == '(' || next == '[') {
            const std::string_view close = next == '(' ? "\\)" : "\\]";
            const auto end = find(close, m_at + 2);
            if (end && take(m_at + 2, *end, *end + 2, next == '['))
                return;
        }
        m_at += 2;
    }

    void code()
    {
        const std::size_t begin = m_at;
        const std::size_t length = run('`', begin);
        m_at = begin + length;
        std::size_t &none = m_noCode[length];
        if (m_at < none)
            return;
        for (std::size_t place = m_at; (place = m_text.find('`', place)) < m_text.size();) {
            const std::size_t other = run('`', place);
            place += other;
            if (other == length) {
                m_at = place;
                return;
            }
        }
        none = m_text.size();
    }

    std::size_t run(char mark, std::size_t from) const
    {
        const std::size_t end = m_text.find_first_not_of(mark, from);
        return std::min(end, m_text.size()) - from;
    }

    void dollar()
    {
        const std::size_t length = run('$', m_at);
        if (length == 2) {
            const auto end = find("$$", m_at + 2);
            if (end && take(m_at + 2, *end, *end + 2, true))
                return;
        } else if (length == 1 && opensSingle() && closeSingle()) {
            return;
        }
        m_at += length;
    }

    bool opensSingle() const { return !isSpace(at(m_at + 1)) && (m_at == 0 || !isWord(m_text[m_at - 1])); }

    bool closeSingle()
    {
        const std::size_t end = paragraphEnd(m_at);
        if (m_singleClose <= m_at) // else it is still the first one after this opener
            m_singleClose = nextSingleClose(end);
        if (m_singleClose >= end)
            return false;
        const std::size_t close = m_singleClose;
        return !looksLikeMoney(m_text.substr(m_at + 1, close - m_at - 1)) &&
               take(m_at + 1, close, close + 1, false);
    }

    /// The next dollar that may close, or `end`.
    std::size_t nextSingleClose(std::size_t end) const
    {
        for (std::size_t place = m_at + 1; (place = m_text.find('$', place)) < end; ++place) {
            const bool closes = !isSpace(m_text[place - 1]) && !isDigit(at(place + 1)) &&
                                at(place + 1) != '$' && m_text[place - 1] != '$' && !escaped(place);
            if (closes)
                return place;
        }
        return end;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_paragraphEnd = 0;
    std::size_t m_line = 0, m_lineSeen = 0; ///< where the line begins; up to where that was looked for
    /// The first dollar after the last opener that may close, or its paragraph's end.
    std::size_t m_singleClose = 0;
    std::map<char, std::size_t> m_none;          ///< up to where a search for a pair's end finds nothing
    std::map<std::size_t, std::size_t> m_noCode; ///< the same for a run of so many backticks
    std::vector<InlineFormula> m_found;
};

/// A character of Unicode's first private area that `text` has not; empty where it has all that were tried.
std::string unusedMark(std::string_view text)
{
    for (unsigned code = 0xE000; code < 0xE040; ++code) {
        const std::string mark = {static_cast<char>(0xE0 | (code >> 12)),
                                  static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
                                  static_cast<char>(0x80 | (code & 0x3F))};
        if (text.find(mark) == std::string_view::npos)
            return mark;
    }
    return {};
}

} // namespace

std::vector<InlineFormula> inlineFormulas(std::string_view markdown)
{
    return MathScan(markdown).run();
}

SetAside setFormulasAside(std::string_view markdown)
{
    SetAside aside;
    aside.formulas = inlineFormulas(markdown);
    if (!aside.formulas.empty())
        aside.mark = unusedMark(markdown);
    if (aside.mark.empty()) {
        aside.formulas.clear();
        aside.markdown = markdown;
        return aside;
    }
    std::size_t done = 0;
    for (std::size_t i = 0; i < aside.formulas.size(); ++i) {
        const InlineFormula &formula = aside.formulas[i];
        aside.markdown += markdown.substr(done, formula.begin - done);
        aside.markdown += aside.mark + std::to_string(i) + aside.mark;
        done = formula.end;
    }
    aside.markdown += markdown.substr(done);
    return aside;
}

} // namespace perilune
