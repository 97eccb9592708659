#pragma once

#include "engine/api/media_choice.h"
#include "engine/api/vision_patches.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace perilune {

/// Who speaks. Other covers roles that only templates know (developer, …): see Message::roleName.
enum class Role { System, User, Assistant, Tool, Other };

struct TextPart {
    std::string text;
    bool operator==(const TextPart &) const = default;
};

/// What the model thought before it answered.
struct ThinkingPart {
    std::string text;
    bool operator==(const ThinkingPart &) const = default;
};

/// A call that the model made. `id` goes back unchanged with the result.
struct ToolCallPart {
    std::string id, name;
    std::string argumentsJson; ///< as the model wrote it
    bool operator==(const ToolCallPart &) const = default;
};

/// A picture or clip.
struct MediaPart {
    enum class Kind { Image, Video };
    Kind kind = Kind::Image;
    std::string path;                             ///< of the file; the store rewrites it to its own copy
    std::string name;                             ///< what the person called it; only ever shown
    std::shared_ptr<const VisionPatches> patches; ///< where an engine wants them, else null
    MediaChoice choice{};                         ///< how much of it the model is to see
    bool operator==(const MediaPart &other) const
    {
        return kind == other.kind && path == other.path && name == other.name && choice == other.choice;
    }
};

using Part = std::variant<TextPart, ThinkingPart, ToolCallPart, MediaPart>;

/// One message, the same type from request to store to export.
struct Message {
    Role role = Role::User;
    std::vector<Part> parts;
    std::string name;       ///< printed by the template in place of the role; usually empty
    std::string toolCallId; ///< for Role::Tool: the call that this answers
    std::string roleName;   ///< for Role::Other: the role as it was given
    bool operator==(const Message &) const = default;
};

} // namespace perilune
