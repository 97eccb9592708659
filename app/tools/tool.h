#pragma once

#include "engine/api/message.h"
#include "engine/base/result.h"
#include "engine/text/json_value.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// What a call may know besides its arguments.
struct ToolContext {
    std::vector<Message> messages; ///< the conversation up to the call, oldest first
    std::int64_t conversation = 0; ///< in the store; 0 where it isn't kept there
    bool seesPictures = false;     ///< whether the model can be shown pictures
};

/// What a call gives back: words (TextPart) and pictures (MediaPart of kind Image, by path).
using ToolResult = std::vector<Part>;

/// Something that the model may call. Calls of one tool may run at the same time, each on a thread of its
/// own, and may outlive the turn that made them: a tool holds what it needs, and changes nothing of its own
/// without a lock.
class Tool {
public:
    virtual ~Tool() = default;

    /// Letters, digits, '_' and '-'; unique in a registry.
    virtual std::string name() const = 0;
    /// For the model: what it does and when to use it.
    virtual std::string description() const = 0;
    /// JSON schema of the arguments, an object. Arguments are checked against it before run() (what of JSON
    /// schema is understood: schema_check.h).
    virtual std::string parametersJson() const = 0;

    /// Answers a call. Errors are sentences: they go to the model, and the person sees them. It should end
    /// soon after `stop`; where it doesn't, nobody waits for it.
    virtual Result<ToolResult> run(const JsonValue &arguments, const ToolContext &context,
                                   const std::stop_token &stop) const = 0;
};

} // namespace perilune
