#pragma once

#include "app/cli/chat_turns.h"
#include "app/cli/standard_input.h"
#include "app/cli/tool_approval.h"
#include "app/tools/call_tool.h"
#include "app/turn/recording_engine.h"
#include "engine/api/chat_engine.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perilune::cli {

/// The tools of a chat.
struct ChatTools {
    const ToolRegistry *registry = nullptr; ///< null: calls are the result, and nothing is run
    std::vector<std::string> on;            ///< that are declared; no other is run
    ToolLimits limits{};
    bool asks = false;             ///< before a tool runs for the first time
    std::filesystem::path choices; ///< the file of what was approved before
};

/// A conversation in the terminal: takes turns, prints answers, runs the tools that they call.
class ChatLoop {
public:
    struct Setup {
        ChatEngine *engine = nullptr;
        RecordingEngine *recorder = nullptr; ///< null where nothing is stored; else it is the engine
        ChatTools tools;
        bool json = false;
        double loadSeconds = 0;
    };

    /// `request` is what all turns have in common, with the messages so far.
    ChatLoop(Setup setup, ChatRequest request);

    /// Answers what the conversation ends with; the exit status is kDone where there is an answer.
    int turn();
    /// Answers `text`, with what comes along.
    int say(const std::string &text, const std::vector<MediaPart> &media);
    /// A line a turn, from the terminal or a pipe; `media` come with the first.
    int converse(std::vector<MediaPart> media);

private:
    struct Round {
        int number = 1;
        std::string refusal; ///< why none of its calls is made; empty where they are
    };

    Result<Answer> reply();
    Status keep();
    Status answerCalls(const Answer &answer, const Round &round, std::vector<ToolStep> &steps);
    CallOutcome outcomeOf(const ToolCallPart &call, CallPlace place, const ToolContext &context);

    Setup m_setup;
    ChatRequest m_request;
    StandardInput m_input;
    ToolApproval m_approval;
};

} // namespace perilune::cli
