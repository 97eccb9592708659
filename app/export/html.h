#pragma once

#include "app/export/document.h"

namespace perilune {

/// The chat as one HTML document that needs nothing else: no scripts, nothing from elsewhere (its own policy
/// forbids it), pictures inside as data. What people, models and tools wrote is text in it, never markup:
/// answers are drawn from their Markdown as the window draws them; what people wrote is plain. Each block has
/// the direction of its own first letters. It follows the reader's dark or light scheme, and prints. Where
/// `drawings` has no picture, its words stand in the place; where it has no formula, its LaTeX does.
Status writeHtml(const ExportedChat &chat, const Drawings &drawings, const ExportTarget &target);

/// Text as it may stand in HTML, between tags or in a quoted attribute.
std::string htmlText(std::string_view text);

} // namespace perilune
