#pragma once

#include "engine/api/message.h"
#include "engine/base/result.h"
#include "engine/text/chat_family.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// A conversation in OpenAI's format.
struct Conversation {
    std::vector<Message> messages;
    std::string
        toolsJson; ///< the array under "tools", as JSON in its own key order; empty where there is none
    std::vector<std::string> notes; ///< what the template passes over, for the person: a sentence each
};

/// Reads `{"messages":[…],"tools":[…]}`. What counts as a picture, and which key holds the thinking, differs
/// a little by family; `family` is the one that the prompt will be made for. Media keep the path or URL they
/// are named by ("file://" is taken off). Arguments given as an object become JSON text in its own key order.
/// InvalidInput says where in the document the fault is. Depth is limited to 128, size to 256 MiB.
Result<Conversation> conversationFromJson(std::string_view json, ChatFamily family = ChatFamily::K26);

/// Writes messages (and tools, where `toolsJson` is not empty) in OpenAI's format. Thinking goes under
/// "reasoning_content". Media are written as image_url and video_url parts with the path they have.
std::string conversationToJson(std::span<const Message> messages, std::string_view toolsJson = {});

} // namespace perilune
