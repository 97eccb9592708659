#pragma once

#include "app/turn/turn_state.h"

#include <string>
#include <utility>
#include <vector>

namespace perilune::test {

/// Writes down what a turn tells, in words.
class TurnLog : public TurnListener {
public:
    std::vector<std::string> lines;       ///< stored, began, grew, finished STATE, failed
    std::vector<TurnState::Stage> stages; ///< without repetitions
    std::vector<EngineState> engineStates;
    std::vector<StoredMessage> stored, begun, finished, results;
    std::vector<Error> storeErrors;
    std::vector<std::pair<ConversationId, std::string>> titles;
    std::string text;  ///< of all TextDeltas
    TurnId asking = 0; ///< the last turn that asked for approval
    TurnId ended = 0;  ///< the last turn that came to its end

    void engineChanged(const EngineState &state) override { engineStates.push_back(state); }
    void turnChanged(TurnId turn, const TurnState &state) override
    {
        if (stages.empty() || stages.back() != state.stage)
            stages.push_back(state.stage);
        if (state.stage == TurnState::Stage::Finished)
            ended = turn;
    }
    void messageStored(TurnId, ConversationId, const StoredMessage &message) override
    {
        lines.emplace_back("stored");
        stored.push_back(message);
    }
    void replyBegan(TurnId, ConversationId, const StoredMessage &reply) override
    {
        lines.emplace_back("began");
        begun.push_back(reply);
    }
    void replyGrew(TurnId, MessageId, const std::vector<ReplyEvent> &events) override
    {
        if (lines.back() != "grew")
            lines.emplace_back("grew");
        for (const ReplyEvent &event : events) {
            if (const auto *delta = std::get_if<TextDelta>(&event))
                text += delta->text;
        }
    }
    void replyFinished(TurnId, ConversationId, const StoredMessage &reply) override
    {
        static const char *states[] = {"streaming", "complete", "cancelled", "failed"};
        lines.push_back(std::string("finished ") + states[static_cast<int>(reply.state)]);
        finished.push_back(reply);
    }
    void callChanged(TurnId turn, MessageId, std::size_t call, CallState state) override
    {
        static const char *states[] = {"", "asks", "runs", "done", "failed"};
        lines.push_back("call " + std::to_string(call) + ' ' + states[static_cast<int>(state)]);
        if (state == CallState::Asking)
            asking = turn;
    }
    void resultStored(TurnId, ConversationId, const StoredMessage &result) override
    {
        lines.emplace_back("result");
        results.push_back(result);
    }
    void storeFailed(TurnId, const Error &error) override
    {
        lines.emplace_back("failed");
        storeErrors.push_back(error);
    }
    void titled(ConversationId conversation, const std::string &title) override
    {
        titles.emplace_back(conversation, title);
    }
};

} // namespace perilune::test
