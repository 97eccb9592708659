#pragma once

#include "app/concurrency/job_queue.h"
#include "app/turn/store_thread.h"
#include "engine/api/chat_engine.h"

#include <functional>
#include <memory>
#include <vector>

namespace perilune {

/// An engine that keeps what is said: before each reply it stores the messages of the request that are new,
/// while the reply comes it brings it to disk each second. For programs that wait for their answers; a window
/// has TurnRunner.
///
/// Requests must be one conversation: each holds the messages of the one before and its answer.
class RecordingEngine : public ChatEngine {
public:
    /// `engine` must outlive this. `onFault` hears of answers that could not be kept, on any thread.
    RecordingEngine(ChatEngine &engine, std::unique_ptr<ConversationStore> store,
                    std::function<void(const Error &)> onFault);

    Capabilities capabilities() const override { return m_engine.capabilities(); }

    /// Stores those of a conversation's messages that are new. reply() does it too; a program that has work
    /// to do between a message and its answer, like reading a clip, calls this first. Patches are not needed.
    Status keep(const std::vector<Message> &messages);

    /// Fails before the engine is asked where the messages can't be stored.
    Result<ReplySummary> reply(const ChatRequest &request, const ReplySink &sink,
                               std::stop_token stop) override;

    /// 0 before the first reply.
    ConversationId conversation() const { return m_conversation; }

private:
    Result<MessageId> begin(const ChatRequest &request);

    ChatEngine &m_engine;
    std::function<void(const Error &)> m_onFault;
    JobQueue m_unused; // nothing is asked back through it
    StoreThread m_store;
    ConversationId m_conversation = 0;
    MessageId m_last = 0;     // the end of what is stored
    std::size_t m_stored = 0; // messages of the request that are stored
};

} // namespace perilune
