#include "app/tools/shown_call.h"

#include "engine/base/shown_name.h"
#include "engine/text/json_value.h"
#include "engine/text/utf8.h"

#include <cstddef>
#include <cstdint>

namespace perilune {

namespace {

/// Whether `point` changes what the signs around it look like, or is a control character.
bool masks(std::uint32_t point)
{
    const Disguise disguise = disguiseOf(point);
    return disguise != Disguise::None && disguise != Disguise::Break;
}

/// Lays out valid JSON without touching its words: only white space between them is another.
class Layout {
public:
    std::string of(std::string_view json)
    {
        for (std::size_t i = 0; i < json.size(); ++i) {
            if (m_inWords)
                word(json[i]);
            else
                sign(json[i]);
        }
        return std::move(m_text);
    }

private:
    void word(char c)
    {
        m_text += c;
        m_inWords = m_escaped || c != '"';
        m_escaped = !m_escaped && c == '\\';
    }

    void sign(char c)
    {
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            return;
        const bool closes = c == '}' || c == ']';
        if (closes)
            --m_depth;
        if (m_opened != closes && (m_opened || closes)) // an empty one stays together
            line();
        m_opened = c == '{' || c == '[';
        if (m_opened)
            ++m_depth;
        m_text += c;
        if (c == ',')
            line();
        if (c == ':')
            m_text += ' ';
        m_inWords = c == '"';
    }

    void line()
    {
        m_text += '\n';
        m_text.append(4 * m_depth, ' ');
    }

    std::string m_text;
    std::size_t m_depth = 0;
    bool m_inWords = false, m_escaped = false;
    bool m_opened = false; // the sign before opened an object or array
};

} // namespace

std::string unmasked(std::string_view text, std::string_view instead)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = utf8Step(text);
        if (step.kind != Utf8Step::Kind::Valid || masks(step.point))
            shown += instead;
        else
            shown += text.substr(0, step.length);
        text.remove_prefix(step.length);
    }
    return shown;
}

std::string shownArguments(std::string_view json)
{
    return unmasked(parseJson(json) ? Layout().of(json) : std::string(trimmed(json)));
}

} // namespace perilune
