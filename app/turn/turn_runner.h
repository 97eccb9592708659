#pragma once

#include "app/concurrency/post.h"
#include "app/concurrency/worker.h"
#include "app/turn/attachment.h"
#include "app/turn/call_round.h"
#include "app/turn/store_thread.h"
#include "app/turn/turn_state.h"

#include <chrono>
#include <memory>

namespace perilune {

/// Runs turns from a person's message to a stored answer, one after another.
///
/// Each turn: the message is committed, then the engine answers, events come in batches, the answer is
/// written to disk each second and closed at its end. A turn started while another runs waits for it, its
/// message is on disk at once. All functions and all calls of the listener: on the thread of `post`.
class TurnRunner {
public:
    struct Services {
        StoreThread *store = nullptr;
        Worker *engineWorker = nullptr;
        Worker *mediaWorkers[2] = {}; ///< the media pool
        Post post;
        EngineOpener openEngine;
        PrepareMedia prepare;             ///< empty where the engine never wants patches
        TurnTools tools{};                ///< empty: calls are not answered
        StoreThread *temporary = nullptr; ///< of the conversations for which isTemporary() holds; null: none
        /// How long nobody asked anything before the model gives titles to conversations; 0: it gives none.
        std::chrono::milliseconds titlesAfter{0};
    };

    /// `services` must outlive the runner, and the engine worker's last job too.
    explicit TurnRunner(Services services);
    /// Asks what runs to stop, and waits for nothing: what was written is stored by the workers' last jobs.
    ~TurnRunner();

    void setListener(TurnListener *listener); ///< null for none; must outlive the runner or be reset

    /// Opens the engine before it is needed. Harmless where it is open.
    void loadEngine();
    /// Closes the engine once it is idle; the next turn opens it by `opener`.
    void replaceEngine(EngineOpener opener);
    const EngineState &engine() const;

    TurnId start(TurnDraft draft);
    /// Another answer to `message` of the person, as a new branch.
    TurnId retry(ConversationId conversation, MessageId message, const TurnOptions &options);
    /// Goes on with the answer `cut`, which ended before its end (see canGoOn): a new branch that begins with
    /// its words.
    TurnId goOn(ConversationId conversation, MessageId cut, const TurnOptions &options);
    /// Answers what CallState::Asking asks. Ignored where that turn asks nothing.
    void approve(TurnId turn, Approval approval);
    /// Stops a turn wherever it is; what has arrived is kept. Unknown and finished turns are ignored.
    void stop(TurnId turn);
    /// Stops all, the waiting ones too.
    void stopAll();

    /// The turn that runs or waits in `conversation`; 0 where none.
    TurnId turnIn(ConversationId conversation) const;
    /// What was told of `turn` last; Finished where it isn't known.
    TurnState stateOf(TurnId turn) const;
    bool idle() const;

private:
    class Impl;
    std::shared_ptr<Impl> m_impl;
};

} // namespace perilune
