#pragma once

#include "app/concurrency/event_buffer.h"
#include "app/turn/store_thread.h"
#include "engine/api/chat_engine.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace perilune {

/// Brings an answer to disk while it is written: what has arrived is stored within a second, whatever the
/// engine and the GUI do meanwhile. Shared by the engine thread (add) and the store thread.
class ReplyRecorder : public std::enable_shared_from_this<ReplyRecorder> {
public:
    /// `onFault` hears of writes that failed, on the store thread; what they held is tried again.
    ReplyRecorder(StoreThread &store, MessageId reply, std::function<void(const Error &)> onFault);

    /// Takes note of an event; Progress is none of the answer. Any thread, never blocks on the disk.
    void add(const ReplyEvent &event);

    /// Closes the answer, after everything that was added. Then `then` is called on the store thread, with
    /// the answer as it is stored; where the disk is full, with the answer as it should be: onFault has heard
    /// of it, and it is tried again until there is space or the program ends. Where storing broke off in a
    /// way that no second try mends, `then` gets an answer of state Failed whose note says why.
    void finish(ReplyOutcome outcome, std::function<void(StoredMessage)> then);

private:
    void checkpoint(ConversationStore &store);
    void tryToFinish(ConversationStore &store, bool first);
    void giveUp(const std::string &why);
    StoredMessage unsavedAnswer(ConversationStore &store) const;

    StoreThread &m_store;
    MessageId m_reply;
    std::function<void(const Error &)> m_onFault;
    EventBuffer<ReplyPiece> m_arrived;

    // Of the store thread:
    std::vector<ReplyPiece> m_unsaved; // what a failed write left
    ReplyOutcome m_outcome;
    std::function<void(StoredMessage)> m_then;
    std::chrono::steady_clock::time_point m_firstTry;
};

} // namespace perilune
