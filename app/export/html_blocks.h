#pragma once

#include <string>
#include <string_view>

namespace perilune {

/// Markdown of a model as HTML; every tag in it is ours.
std::string htmlOfMarkdown(std::string_view markdown);

/// Code in a box, coloured.
std::string htmlOfCode(std::string_view code, std::string_view language);

/// Text as it was written, in one paragraph.
std::string htmlOfPlainText(std::string_view text);

/// ` dir="auto"`, and a language where letters depend on it.
std::string htmlDirection(std::string_view text);

} // namespace perilune
