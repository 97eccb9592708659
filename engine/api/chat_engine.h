#pragma once

#include "engine/api/message.h"
#include "engine/api/sampling.h"
#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace perilune {

/// How the next token is chosen. Temperature 0 takes the most likely one and ignores the rest.
struct ChatRequest {
    std::vector<Message> messages; ///< the whole conversation, oldest first
    std::string toolsJson;         ///< JSON array of OpenAI tool schemas; empty for none
    bool thinking = true;
    SamplingOptions sampling;
    std::uint32_t maxNewTokens = 4096;
    /// The last message is the beginning of the answer: it goes on from there, and what is handed out is only
    /// what comes new.
    bool continues = false;
};

struct TextDelta {
    std::string text;
};
struct ThinkingDelta {
    std::string text;
};
struct ToolCallReady {
    ToolCallPart call;
};
/// How far the work before the first token is. Stages come in this order; some may be absent.
struct Progress {
    enum class Stage { Loading, Compiling, Vision, Prefill };
    Stage stage = Stage::Prefill;
    std::uint64_t done = 0, total = 0; ///< bytes, pipelines, work (patches x blocks) or tokens
};
using ReplyEvent = std::variant<TextDelta, ThinkingDelta, ToolCallReady, Progress>;

/// Called on the engine thread. Must not block: copy the event and return.
using ReplySink = std::function<void(ReplyEvent)>;

struct ReplySummary {
    enum class Finish { Stop, Length, ToolCalls, Cancelled };
    Finish finish = Finish::Stop;
    std::uint32_t promptTokens = 0; ///< with media expanded
    std::uint32_t cachedTokens = 0; ///< of the prompt, taken from the last turn
    std::uint32_t imageTokens = 0;
    std::uint32_t newTokens = 0;
    double visionSeconds = 0, prefillSeconds = 0, decodeSeconds = 0;
    std::uint64_t seed = 0;
    std::vector<std::string> malformedCalls; ///< raw text of calls that could not be understood
};

/// What an engine can take; the window asks this, never the type.
struct Capabilities {
    std::string modelName;
    std::string deviceName;
    bool images = false, video = false, tools = false, thinking = false;
    bool wantsPatches = false;    ///< MediaPart::patches must be set
    std::string visionConfigPath; ///< preprocessor_config.json that patches are made by; may be empty
    std::uint32_t contextTokens = 0;
    SamplingOptions
        suggestedSampling;          ///< what the model's makers recommend; for who has no wish of their own
    std::vector<std::string> notes; ///< on this model, for the person, a sentence each; usually none
};

/// Anything that can answer a conversation: our Vulkan engine, or a server elsewhere.
class ChatEngine {
public:
    virtual ~ChatEngine() = default;

    virtual Capabilities capabilities() const = 0;

    /// Answers `request`, handing each piece of the reply to `sink` as it is known. Blocks the
    /// calling thread until the reply ends; one call at a time. A stop within the reply is
    /// Finish::Cancelled in the summary where tokens were counted; an Error is a failure, and what
    /// was handed to `sink` before it is still good.
    virtual Result<ReplySummary> reply(const ChatRequest &request, const ReplySink &sink,
                                       std::stop_token stop) = 0;
};

/// Opens an engine; runs on the engine thread. `progress` is as a ReplySink: must not block.
using EngineOpener = std::function<Result<std::unique_ptr<ChatEngine>>(
    const std::function<void(Progress)> &progress, std::stop_token stop)>;

} // namespace perilune
