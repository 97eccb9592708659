#pragma once

#include <string>
#include <string_view>

namespace perilune::cli {

/// Text of others on its way to a terminal: what a terminal would obey becomes '?'. That is every control
/// character (U+0000 to U+001F, U+007F to U+009F) but tab and line feed, and whatever is no UTF-8, for a
/// terminal may take its bytes for such characters. A carriage return before a line feed is dropped. Pieces
/// may end anywhere, within a character too: the same comes out as of the whole.
class TerminalText {
public:
    /// What can be shown by now.
    std::string add(std::string_view piece);
    /// What was held back; then a new text begins.
    std::string end();

private:
    std::string m_held; // the beginning of a character, or a carriage return: at most three bytes
};

/// `text` at once.
std::string terminalText(std::string_view text);

/// `text` for the standard output: as it is where that is a file or a program, at once as above where it is a
/// terminal.
std::string forOutput(std::string_view text);

/// `text` as one line: tab and line feed become '?' too, and what turns the direction of text. For names out
/// of files and the like.
std::string forTerminal(std::string_view text);

} // namespace perilune::cli
