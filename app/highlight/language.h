// What the lexer knows about a language: a table, not code.
#pragma once

#include <string_view>
#include <vector>

namespace perilune {

/// How a piece of text begins and ends. Open and close are plain characters, never patterns.
struct Enclosure {
    std::u16string_view open, close;
    bool escapes = false; ///< a backslash takes the next character's meaning away
    bool lines = false;   ///< goes on over the end of a line
};

/// Rules that a table of words and marks can't say.
enum class Shape {
    Program, ///< words, numbers, strings, comments
    Markup,  ///< tags between angle brackets; HTML and XML
    Keys,    ///< a word before the first ':' or '=' of a line is a key; YAML, TOML, INI
    Rules,   ///< a word before ':' is a property; CSS
    Changes, ///< the first character of a line says what became of it; diff
    Prose,   ///< lines that begin with '#' are headings; Markdown
    Console, ///< a line that begins with a prompt is a command
};

struct Language {
    std::string_view names; ///< as written after a fence, lower case, between single spaces
    Shape shape = Shape::Program;
    std::vector<std::u16string_view> lineComments = {};
    std::vector<Enclosure> blockComments = {};
    std::vector<Enclosure> strings = {};
    std::u16string_view keywords = {}; ///< between single spaces
    std::u16string_view types = {};    ///< types, and what the language brings along
    std::u16string_view literals = {}; ///< true, null and the like
    std::u16string_view inWords = {};  ///< characters that belong to words beside letters, digits and '_'
    char16_t variable = 0;             ///< begins a variable, as '$' in PHP
    char16_t mark = 0;                 ///< begins an annotation, a directive or a macro, as '@' in Java
    bool directives = false;           ///< a '#' that begins a line makes it a directive, as in C
    bool anyCase = false;              ///< words are the same in capitals
};

/// The language that a fence names ("py", "C++"), in any case; null for one that we don't know.
const Language *findLanguage(std::string_view name);

} // namespace perilune
