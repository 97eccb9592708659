#pragma once

#include "app/store/stored_types.h"

#include <functional>
#include <string>

namespace perilune {

struct MarkdownExport {
    bool thinking = false; ///< as quotes before the answers
    bool toolCalls = true;
    bool notes = true; ///< "stopped", and why an answer failed
    /// How the document names a picture or clip; by default its own name.
    std::function<std::string(const MediaPart &)> linkTo;
};

/// The branch in view as one Markdown document. What the person and the model wrote stands in it as it is;
/// code that we add (tool calls) gets fences longer than any it holds.
std::string toMarkdown(const StoredConversation &conversation, const MarkdownExport &options = {});

} // namespace perilune
