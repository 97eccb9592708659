#pragma once

#include "app/export/document.h"

#include <functional>
#include <string>
#include <string_view>

namespace perilune {

/// How the document names a picture or clip, as a path relative to it; by default its own name.
using LinkTo = std::function<std::string(const MediaPart &)>;

/// The chat as one Markdown document. What the person and the model wrote stands in it as it is; code that we
/// add (tool calls) gets fences longer than any it holds, and a fence that an answer left open is closed, so
/// that no message swallows the next.
Status writeMarkdown(const ExportedChat &chat, const LinkTo &linkTo, const ExportTarget &target);

/// The same as text.
std::string toMarkdown(const ExportedChat &chat, const LinkTo &linkTo = {});

/// `text`, with the end of a code fence that it leaves open.
std::string withClosedFence(std::string_view text);

} // namespace perilune
