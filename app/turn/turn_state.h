#pragma once

#include "app/store/stored_types.h"
#include "engine/api/chat_engine.h"
#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

using TurnId = std::uint64_t; ///< 0 is none

/// What a turn is doing, for showing it.
struct TurnState {
    enum class Stage {
        Saving,    ///< the person's message goes to disk
        Waiting,   ///< another turn is running; done is the turns ahead
        Loading,   ///< of the model; done and total in bytes
        Compiling, ///< of pipelines; done and total count them
        Preparing, ///< media are decoded; done and total count them
        Vision,    ///< media go through the vision tower; done and total in work: patches x blocks
        Prefill,   ///< the prompt is read; done and total in tokens
        Asking,    ///< a tool waits for the person's approval
        Calling,   ///< a tool runs
        Writing,   ///< done in tokens (as pieces counted), tokensPerSecond is valid
        Stopping,
        Finished, ///< the last state of a turn, whatever the outcome
    };
    Stage stage = Stage::Saving;
    std::uint64_t done = 0, total = 0; ///< total 0: unknown
    double tokensPerSecond = 0;
};

/// What the engine is doing outside of turns.
struct EngineState {
    enum class Stage { Unloaded, Loading, Ready, Failed };
    Stage stage = Stage::Unloaded;
    Progress progress;         ///< while Loading
    Capabilities capabilities; ///< where Ready
    Error error;               ///< where Failed
};

struct TurnOptions {
    bool thinking = true;
    SamplingWishes sampling;
    std::uint32_t maxNewTokens = 4096;
    std::string toolsJson;
    std::vector<std::string> tools; ///< names of those in toolsJson that are run; other calls are refused
};

/// Where a call of an answer is.
enum class CallState {
    None,   ///< nothing is known: it was made in an earlier run, or is not its turn yet
    Asking, ///< for the person's approval
    Running,
    Done,
    Failed, ///< or refused, or stopped: its result says so
};

/// A message to be sent.
struct TurnDraft {
    ConversationId conversation = 0; ///< 0: begins a new one
    MessageId parent = 0;            ///< the message that it follows; 0: none
    Message message;                 ///< media may carry their patches already
    TurnOptions options;
    bool keepsDraft = false; ///< it wasn't the conversation's draft, which stays
};

/// What a turn tells, all on the thread of the Post function. For one turn the order is: stored (unless it
/// is a retry), began, events…, finished; where the answer calls tools, for each call changed…, result
/// stored, and then began… again; or failed in place of what couldn't happen.
class TurnListener {
public:
    virtual ~TurnListener() = default;

    virtual void engineChanged(const EngineState &state) = 0;
    virtual void turnChanged(TurnId turn, const TurnState &state) = 0;
    /// The person's message is on disk.
    virtual void messageStored(TurnId turn, ConversationId conversation, const StoredMessage &message) = 0;
    /// An answer (state Streaming) has begun: empty, or with what it goes on from.
    virtual void replyBegan(TurnId turn, ConversationId conversation, const StoredMessage &reply) = 0;
    /// Pieces of the answer; at most a batch every 33 ms. Progress events are not among them.
    virtual void replyGrew(TurnId turn, MessageId reply, const std::vector<ReplyEvent> &events) = 0;
    /// The answer as it is stored. State Failed has the reason in `note`.
    virtual void replyFinished(TurnId turn, ConversationId conversation, const StoredMessage &reply) = 0;
    /// A call of the answer `reply`, `call` counting from 0, changed its state.
    virtual void callChanged(TurnId turn, MessageId reply, std::size_t call, CallState state) = 0;
    /// The result of a call is on disk; the next answer follows it.
    virtual void resultStored(TurnId turn, ConversationId conversation, const StoredMessage &result) = 0;
    /// The store refused (disk full, read-only, …). Before messageStored, nothing was sent: keep the draft.
    /// Before replyBegan, the message is kept but no answer comes; after it, the answer goes on and is tried
    /// again with the next checkpoint.
    virtual void storeFailed(TurnId turn, const Error &error) = 0;
    /// The model gave a conversation a title, between turns.
    virtual void titled(ConversationId conversation, const std::string &title) = 0;
};

} // namespace perilune
