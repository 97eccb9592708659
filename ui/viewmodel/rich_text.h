#pragma once

#include <QString>

#include <string_view>
#include <vector>

namespace perilune::ui {

/// A top-level block of Markdown, ready to be drawn by one QML item.
struct DrawnBlock {
    enum class Kind { Text, Code, Table, Quote, Rule };
    Kind kind = Kind::Text;
    QString text;     ///< rich text without colours (Theme.richTextStyle has them); plain text for Code
    QString language; ///< of Code, as written after the fence
    int columns = 0;  ///< of Table
    bool rightToLeft = false; ///< by the first strong character; never for Code
};

/// Markdown, which a model wrote and is therefore not trusted, as blocks of a safe subset of rich text: raw
/// HTML is shown as the text it is, pictures become links, and only http, https and mailto are links at all.
std::vector<DrawnBlock> drawMarkdown(std::string_view markdown);

/// Whether the window may hand `url` to the desktop: http, https and mailto only.
bool isSafeLink(const QString &url);

} // namespace perilune::ui
