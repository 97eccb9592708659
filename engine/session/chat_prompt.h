#pragma once

#include "engine/api/chat_engine.h"
#include "engine/session/session.h"
#include "engine/text/tokenizer.h"

#include <memory>
#include <vector>

namespace perilune {

/// A request as the session takes it. Holds the patches that `prompt` points into.
struct ChatPrompt {
    std::vector<std::shared_ptr<const VisionPatches>> patches;
    Prompt prompt;
};

/// Template, media and tokens of a request. Text from people never gives control tokens. Unsupported where
/// the family can't take a medium, InvalidInput where one has no patches.
Result<ChatPrompt> makeChatPrompt(const Tokenizer &tokenizer, const ChatRequest &request);

} // namespace perilune
