#include "app/highlight/code_lexer.h"

#include <algorithm>
#include <string>

namespace perilune {

namespace {

using View = std::u16string_view;

bool isDigit(char16_t c)
{
    return c >= u'0' && c <= u'9';
}

/// Beyond ASCII everything counts as a letter: names may be in any script, and nothing there is a mark.
bool isWord(char16_t c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_' || isDigit(c) || c >= 0x80;
}

bool isSpace(char16_t c)
{
    return c == u' ' || c == u'\t';
}

char16_t lower(char16_t c)
{
    return c >= u'A' && c <= u'Z' ? static_cast<char16_t>(c + 32) : c;
}

/// Whether `words`, between single spaces, has `word`.
bool has(View words, View word, bool anyCase)
{
    std::size_t at = 0;
    while (at < words.size()) {
        const std::size_t end = std::min(words.find(u' ', at), words.size());
        const View candidate = words.substr(at, end - at);
        if (candidate.size() == word.size() &&
            std::equal(word.begin(), word.end(), candidate.begin(), [anyCase](char16_t a, char16_t b) {
                return a == b || (anyCase && lower(a) == lower(b));
            }))
            return true;
        at = end + 1;
    }
    return false;
}

/// One line of one language.
class Line {
public:
    Line(const Language &language, View line, std::vector<CodeSpan> &spans)
        : m_language(language),
          m_line(line),
          m_spans(spans)
    {
    }

    int lex(int state)
    {
        if (state > 0 && !goOn(state))
            return state;
        if (m_language.directives && firstIs(u'#'))
            return takeDirective();
        switch (m_language.shape) {
        case Shape::Changes: takeChange(); return 0;
        case Shape::Prose:
            if (firstIs(u'#')) {
                add(0, m_line.size(), CodeKind::Keyword);
                return 0;
            }
            break;
        case Shape::Keys: takeKey(u":="); break;
        case Shape::Rules: takeKey(u":"); break;
        case Shape::Console: takePrompt(); break;
        case Shape::Markup:
        case Shape::Program: break;
        }
        while (m_at < m_line.size()) {
            if (const int open = step(); open > 0)
                return open;
        }
        return 0;
    }

private:
    // States count the enclosures that go over lines: comments first, then strings.
    const Enclosure &enclosure(int state) const
    {
        const auto index = static_cast<std::size_t>(state) - 1;
        const std::size_t comments = m_language.blockComments.size();
        return index < comments ? m_language.blockComments[index] : m_language.strings[index - comments];
    }
    bool isComment(int state) const
    {
        return static_cast<std::size_t>(state) <= m_language.blockComments.size();
    }

    /// Goes on with what an earlier line left open; false where this line doesn't end it either.
    bool goOn(int state)
    {
        const std::size_t states = m_language.blockComments.size() + m_language.strings.size();
        if (static_cast<std::size_t>(state) > states || !enclosure(state).lines)
            return true; // of another language: its name grew while the answer was written
        return takeInside(0, enclosure(state), isComment(state) ? CodeKind::Comment : CodeKind::String);
    }

    /// From m_at on inside of `what`, which began at `begin`; true where it ends in this line.
    bool takeInside(std::size_t begin, const Enclosure &what, CodeKind kind)
    {
        while (m_at < m_line.size()) {
            if (what.escapes && m_line[m_at] == u'\\') {
                m_at = std::min(m_at + 2, m_line.size());
            } else if (m_line.substr(m_at).starts_with(what.close)) {
                m_at += what.close.size();
                add(begin, m_at, kind);
                return true;
            } else {
                ++m_at;
            }
        }
        add(begin, m_at, kind);
        return !what.lines;
    }

    bool firstIs(char16_t c) const
    {
        const std::size_t first = m_line.find_first_not_of(u" \t", m_at);
        return m_at == 0 && first != View::npos && m_line[first] == c;
    }

    int takeDirective()
    {
        const std::size_t first = m_line.find(u'#');
        std::size_t end = m_line.find_first_not_of(u" \t", first + 1);
        while (end < m_line.size() && isWord(m_line[end]))
            ++end;
        m_at = std::min(end, m_line.size());
        add(first, m_at, CodeKind::Meta);
        const std::size_t open = m_line.find(u'<', m_at), close = m_line.find(u'>', m_at);
        if (m_line.substr(first, m_at - first).ends_with(u"include") && open < close && close != View::npos) {
            add(open, close + 1, CodeKind::String);
            m_at = close + 1;
        }
        while (m_at < m_line.size()) {
            if (const int open = step(); open > 0)
                return open;
        }
        return 0;
    }

    void takeChange()
    {
        if (m_line.starts_with(u"@@") || m_line.starts_with(u"diff ") || m_line.starts_with(u"index ") ||
            m_line.starts_with(u"+++ ") || m_line.starts_with(u"--- "))
            add(0, m_line.size(), CodeKind::Meta);
        else if (m_line.starts_with(u"+"))
            add(0, m_line.size(), CodeKind::Added);
        else if (m_line.starts_with(u"-"))
            add(0, m_line.size(), CodeKind::Removed);
    }

    /// A key at the beginning, after what lists and sections put before it.
    void takeKey(View ends)
    {
        std::size_t begin = m_line.find_first_not_of(u" \t-", m_at);
        if (m_at > 0 || begin == View::npos)
            return;
        if (m_line[begin] == u'[' && m_language.shape == Shape::Keys) {
            m_at = std::min(m_line.find(u']', begin), m_line.size() - 1) + 1;
            add(begin, m_at, CodeKind::Meta);
            return;
        }
        std::size_t end = begin;
        while (end < m_line.size() && (isWord(m_line[end]) || m_line[end] == u'-' || m_line[end] == u'.'))
            ++end;
        const std::size_t mark = m_line.find_first_not_of(u" \t", end);
        if (end == begin || mark == View::npos || ends.find(m_line[mark]) == View::npos)
            return;
        add(begin, end, CodeKind::Name);
        m_at = end;
    }

    void takePrompt()
    {
        const std::size_t end = m_line.find_first_of(u"$#>%");
        if (m_at > 0 || end == View::npos || end + 1 >= m_line.size() || m_line[end + 1] != u' ')
            return;
        add(0, end + 1, CodeKind::Meta);
        m_at = end + 1;
    }

    /// Takes what stands at m_at; returns the state where it stays open at the end of the line.
    int step()
    {
        const View rest = m_line.substr(m_at);
        for (const View mark : m_language.lineComments) {
            if (rest.starts_with(mark) && beginsComment(mark)) {
                add(m_at, m_line.size(), CodeKind::Comment);
                m_at = m_line.size();
                return 0;
            }
        }
        if (const int opened = takeEnclosed(rest); opened >= 0)
            return opened;
        if (m_language.shape == Shape::Markup)
            takeMarkup();
        else
            takeWord();
        return 0;
    }

    /// '#' within a word is none, as in a shell's ${#name} or a colour of CSS.
    bool beginsComment(View mark) const
    {
        return mark != u"#" || m_at == 0 || isSpace(m_line[m_at - 1]) || m_line[m_at - 1] == u';';
    }

    /// 0: taken and closed; above: taken and left open; below: nothing of the kind stands here.
    int takeEnclosed(View rest)
    {
        const int states = static_cast<int>(m_language.blockComments.size() + m_language.strings.size());
        for (int state = 1; state <= states; ++state) {
            const Enclosure &what = enclosure(state);
            if (!rest.starts_with(what.open))
                continue;
            const std::size_t begin = m_at;
            m_at += what.open.size();
            const bool closed =
                takeInside(begin, what, isComment(state) ? CodeKind::Comment : CodeKind::String);
            return closed ? 0 : state;
        }
        return -1;
    }

    void takeMarkup()
    {
        const char16_t c = m_line[m_at];
        if (c == u'&') {
            const std::size_t end = std::min(m_line.find(u';', m_at), m_line.size() - 1) + 1;
            if (end - m_at <= 12)
                add(m_at, end, CodeKind::Literal);
            m_at = end - m_at <= 12 ? end : m_at + 1;
            return;
        }
        if (c == u'<' && m_at + 1 < m_line.size()) {
            std::size_t end = m_at + 1;
            while (end < m_line.size() &&
                   (isWord(m_line[end]) || View(u"/!?:-.").find(m_line[end]) != View::npos))
                ++end;
            add(m_at, end, CodeKind::Keyword);
            m_at = std::max(end, m_at + 1);
            return;
        }
        if (!isWord(c)) {
            ++m_at;
            return;
        }
        std::size_t end = m_at;
        while (end < m_line.size() && (isWord(m_line[end]) || m_line[end] == u'-' || m_line[end] == u':'))
            ++end;
        if (end < m_line.size() && m_line[end] == u'=')
            add(m_at, end, CodeKind::Name);
        m_at = end;
    }

    std::size_t wordEnd(std::size_t begin) const
    {
        std::size_t end = begin;
        while (end < m_line.size() &&
               (isWord(m_line[end]) || m_language.inWords.find(m_line[end]) != View::npos))
            ++end;
        return end;
    }

    void takeWord()
    {
        const char16_t c = m_line[m_at];
        const bool marked = c != 0 && (c == m_language.mark || c == m_language.variable);
        if (marked) {
            const std::size_t end = wordEnd(m_at + 1);
            if (end > m_at + 1)
                add(m_at, end, c == m_language.mark ? CodeKind::Meta : CodeKind::Name);
            m_at = end;
            return;
        }
        if (isDigit(c)) {
            takeNumber();
            return;
        }
        if (!isWord(c) && m_language.inWords.find(c) == View::npos) {
            ++m_at;
            return;
        }
        const std::size_t end = wordEnd(m_at);
        const View word = m_line.substr(m_at, end - m_at);
        if (has(m_language.keywords, word, m_language.anyCase))
            add(m_at, end, CodeKind::Keyword);
        else if (has(m_language.types, word, m_language.anyCase))
            add(m_at, end, CodeKind::Type);
        else if (has(m_language.literals, word, m_language.anyCase))
            add(m_at, end, CodeKind::Literal);
        else if (end < m_line.size() && m_line[end] == u'(')
            add(m_at, end, CodeKind::Name);
        m_at = end;
    }

    void takeNumber()
    {
        std::size_t end = m_at;
        while (end < m_line.size()) {
            const char16_t c = m_line[end];
            const bool sign = (c == u'+' || c == u'-') && end > m_at && lower(m_line[end - 1]) == u'e' &&
                              lower(m_line[std::min(m_at + 1, end)]) != u'x';
            const bool point = c == u'.' && end + 1 < m_line.size() && isDigit(m_line[end + 1]);
            if (!isWord(c) && !sign && !point)
                break;
            ++end;
        }
        add(m_at, end, CodeKind::Number);
        m_at = end;
    }

    void add(std::size_t begin, std::size_t end, CodeKind kind)
    {
        if (end > begin)
            m_spans.push_back(
                {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), kind});
    }

    const Language &m_language;
    View m_line;
    std::vector<CodeSpan> &m_spans;
    std::size_t m_at = 0;
};

} // namespace

int lexLine(const Language &language, std::u16string_view line, int state, std::vector<CodeSpan> &spans)
{
    return Line(language, line, spans).lex(state);
}

} // namespace perilune
