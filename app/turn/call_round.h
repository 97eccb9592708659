#pragma once

#include "app/concurrency/worker.h"
#include "app/store/stored_types.h"
#include "app/tools/call_tool.h"
#include "app/tools/tool_choices.h"
#include "app/turn/store_thread.h"
#include "app/turn/turn_state.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace perilune {

/// Tools as a TurnRunner needs them. All of it outlives the runner.
struct TurnTools {
    const ToolRegistry *registry = nullptr; ///< null: calls are not answered
    ToolChoices *choices = nullptr;         ///< on the runner's thread
    ToolLimits limits;
};

/// The calls of one answer, one after another: asks for approval where there is none, runs the tool on its
/// worker, stores the result. Every call gets a result; after a stop they say so. All functions and events:
/// on the thread of the store's Post.
class CallRound : public std::enable_shared_from_this<CallRound> {
public:
    struct Events {
        std::function<void(std::size_t call, CallState state)> changed;
        std::function<void(const StoredMessage &result)> stored;
        /// After the last result: the message that ends the conversation now, or why the store refused.
        std::function<void(Result<MessageId> last)> done;
    };

    /// `on`: the tools that were declared; others are not run. `round` counts from 1.
    CallRound(StoreThread &store, TurnTools tools, const StoredMessage &answer, std::vector<std::string> on,
              int round, std::stop_token stop, Events events);
    /// The model that answers can be shown pictures; before start().
    void setSeesPictures(bool sees) { m_seesPictures = sees; }
    /// None of the calls is made, for this reason; before start().
    void refuseAll(std::string why) { m_refusal = std::move(why); }

    /// Results are cut so that they leave room for an answer, as far as can be guessed; before start().
    void setContextTokens(std::uint32_t tokens) { m_contextTokens = tokens; }

    void start();
    /// Answers the question that CallState::Asking is. Ignored where nothing is asked.
    void approve(Approval approval);
    /// `stop` was requested.
    void stopped();

private:
    void next();
    std::string whyNot(const ToolCallPart &call) const;
    void run(const ToolCallPart &call);
    void keep(const CallOutcome &outcome);
    std::size_t resultTokens() const;
    void refuse(const std::string &why, CallOutcome::Kind kind = CallOutcome::Kind::Failed);

    StoreThread &m_store;
    TurnTools m_tools;
    std::vector<ToolCallPart> m_calls;
    ConversationId m_conversation;
    MessageId m_last;
    std::vector<std::string> m_on;
    int m_round;
    std::stop_token m_stop;
    Events m_events;
    std::string m_refusal; // of all calls; empty where they are made
    std::size_t m_index = 0;
    bool m_asking = false;
    bool m_seesPictures = false;
    std::uint32_t m_contextTokens = 0; ///< 0: not known
    std::uint32_t m_usedTokens = 0;    ///< of the context, by the answer that calls and the results so far
    std::unique_ptr<Worker> m_worker;  // last; made with the first call that runs
};

/// Why none of the calls of `answer` is made, for the model; empty where they are. `on` and `round` as above.
std::string whyNoCalls(const StoredMessage &answer, const TurnTools &tools,
                       const std::vector<std::string> &on, int round);

} // namespace perilune
