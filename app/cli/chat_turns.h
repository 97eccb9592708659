#pragma once

#include "app/cli/command.h"
#include "app/tools/call_tool.h"
#include "engine/api/chat_engine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perilune::cli {

/// A call that was answered on the way to an answer.
struct ToolStep {
    ToolCallPart call;
    std::string result;
    ReplySummary summary; ///< of the reply that made the call
};

/// One answer as it came.
struct Answer {
    std::string thinking, content;
    std::vector<ToolCallPart> calls;
    ReplySummary summary;

    /// As a message of the conversation.
    Message message() const;
    /// The JSON object of the contract. `conversation` names it in the store; empty where it isn't kept.
    /// `steps` are the calls that were answered before it.
    std::string json(double loadSeconds, const std::string &conversation,
                     const std::vector<ToolStep> &steps) const;
};

/// Reads the pictures and clips that `messages` name, by their choices, and gives each its patches, as the
/// engine wants them. Media that have patches are left alone. Unsupported, naming the file, where the model
/// can't take it.
Status attachMedia(std::vector<Message> &messages, const Capabilities &capabilities);

/// Asks the engine. Where `stream` is set, the answer goes to stdout and the thinking, dimmed on a terminal,
/// to stderr as they come.
Result<Answer> ask(ChatEngine &engine, const ChatRequest &request, bool stream);

/// The words of a message.
std::string textOf(const Message &message);

/// Shows what a tool gave back, on stdout, as ask() does with the call.
void showResult(const CallOutcome &outcome);

/// A message with the files that came with it, in order, before the words.
Message userMessage(const std::string &text, const std::vector<MediaPart> &media);

} // namespace perilune::cli
