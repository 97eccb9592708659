#pragma once

#include "engine/base/result.h"
#include "engine/text/chat_family.h"

#include <span>
#include <string>
#include <string_view>

namespace perilune {

/// The Jinja template that a model folder brings along.
struct FolderTemplate {
    std::string text;
    std::string place; ///< for messages: the file, and the key in it; empty where the folder has none
};

/// chat_template.jinja, or what chat_template.json or tokenizer_config.json hold under "chat_template" (of a
/// list of named ones, "default"). Corrupt, Io or InvalidInput name the file.
Result<FolderTemplate> readFolderTemplate(const std::string &folder);

/// A template that has been compared with our rendering, conversation by conversation.
struct KnownTemplate {
    ChatFamily family;
    std::string_view sha256; ///< of its text, lower-case hex
    std::string_view origin; ///< where it was found
};

/// Written by packaging/oracles/template_probe.py --record.
std::span<const KnownTemplate> knownTemplates();

/// Prompts are made by our own rendering of `family`, whatever template the folder has. Where that may not be
/// what the folder's makers meant - its template is not known, is known as another family's or can't be read
/// - this says so in one sentence. Empty where all is well or the folder has no template.
std::string remarkOnTemplate(const std::string &folder, ChatFamily family);

} // namespace perilune
