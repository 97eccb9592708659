#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace perilune {

/// The models that share one vocabulary but differ in prompt format and in the names of control tokens.
enum class ChatFamily { K25, K26, K2, K2Thinking, KimiVl, Moonlight };

/// "k25", "k26", "k2", "k2_thinking", "kimi_vl" or "moonlight"; none for any other word.
std::optional<ChatFamily> chatFamilyFromName(std::string_view name);
std::string_view chatFamilyName(ChatFamily family);

/// The name people know the family by: "Kimi K2.5", …
std::string_view chatFamilyTitle(ChatFamily family);

/// Reads the family from a model folder: `model_type` of config.json, and, where several families share one,
/// what the folder's chat template and added tokens mention. Needs config.json only.
Result<ChatFamily> detectChatFamily(const std::string &folder);

/// What a family's prompt format can express.
struct ChatFeatures {
    bool images = false, video = false, tools = false;
    bool thinking = false;       ///< replies may hold thinking
    bool thinkingSwitch = false; ///< thinking can be turned off in the prompt
};
ChatFeatures chatFeatures(ChatFamily family);

} // namespace perilune
