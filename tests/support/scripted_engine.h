#pragma once

#include "engine/api/chat_engine.h"

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace perilune::test {

/// One answer of a ScriptedEngine.
struct ScriptedReply {
    std::vector<ReplyEvent> events;     ///< handed out in order
    std::chrono::milliseconds pause{0}; ///< before each event; a stop ends it
    ReplySummary::Finish finish = ReplySummary::Finish::Stop;
    std::optional<Error> error; ///< after the events, in place of a summary
};

/// Takes everything, wants no patches, and has a context of 4096 tokens.
Capabilities scriptedCapabilities();

/// A script, and what was asked. Shared between the test and the engine; any thread.
class Script {
public:
    /// Queues an answer. With none queued the engine answers with the last words of the request.
    void say(ScriptedReply reply);
    /// A reply of `text`, a word an event.
    void say(const std::string &text, std::chrono::milliseconds pause = {});
    /// The next openings fail, one for each.
    void failToOpen(Error error);

    std::vector<ChatRequest> requests() const; ///< all that reply() was called with
    int openings() const;

    Capabilities capabilities = scriptedCapabilities();

private:
    friend class ScriptedEngine;
    friend EngineOpener scriptedOpener(std::shared_ptr<Script> script);

    mutable std::mutex m_mutex;
    std::deque<ScriptedReply> m_replies;
    std::deque<Error> m_openErrors;
    std::vector<ChatRequest> m_requests;
    int m_openings = 0;
};

/// An engine that says what its script tells it.
class ScriptedEngine : public ChatEngine {
public:
    explicit ScriptedEngine(std::shared_ptr<Script> script) : m_script(std::move(script)) {}

    Capabilities capabilities() const override;
    Result<ReplySummary> reply(const ChatRequest &request, const ReplySink &sink,
                               std::stop_token stop) override;

private:
    std::shared_ptr<Script> m_script;
};

/// Opens ScriptedEngines over `script`.
EngineOpener scriptedOpener(std::shared_ptr<Script> script);

} // namespace perilune::test
