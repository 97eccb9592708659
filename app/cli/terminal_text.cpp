#include "app/cli/terminal_text.h"

#include "engine/base/shown_name.h"
#include "engine/text/utf8.h"

#include <cstdint>
#include <unistd.h>
#include <utility>

namespace perilune::cli {

namespace {

constexpr char kInstead = '?';

/// Of the control characters, tab and line feed do no harm to a terminal.
bool isObeyed(std::uint32_t point)
{
    return disguiseOf(point) == Disguise::Control;
}

} // namespace

std::string TerminalText::add(std::string_view piece)
{
    const std::string text = std::exchange(m_held, {}).append(piece);
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = std::string_view(text).substr(at);
        const Utf8Step step = utf8Step(rest);
        if (step.kind == Utf8Step::Kind::Incomplete || rest == "\r") {
            m_held = rest;
            break;
        }
        at += step.length;
        if (rest.starts_with("\r\n"))
            continue;
        if (step.kind == Utf8Step::Kind::Invalid || isObeyed(step.point))
            shown += kInstead;
        else
            shown.append(rest, 0, step.length);
    }
    return shown;
}

std::string TerminalText::end()
{
    return std::exchange(m_held, {}).empty() ? std::string() : std::string(1, kInstead);
}

std::string terminalText(std::string_view text)
{
    TerminalText whole;
    const std::string shown = whole.add(text);
    return shown + whole.end();
}

std::string forOutput(std::string_view text)
{
    return isatty(STDOUT_FILENO) == 1 ? terminalText(text) : std::string(text);
}

std::string forTerminal(std::string_view text)
{
    return shownName(terminalText(text), std::string_view(&kInstead, 1));
}

} // namespace perilune::cli
