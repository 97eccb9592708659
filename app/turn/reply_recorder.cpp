#include "app/turn/reply_recorder.h"

#include <chrono>
#include <exception>
#include <iterator>
#include <utility>

namespace perilune {

namespace {

// A full disk often has space again soon, and who keeps the database locked ends; the answer is kept in
// memory until then. It is tried each second for so long, then less often, and once more when the program
// ends.
constexpr std::chrono::milliseconds kInterval{1000};
constexpr std::chrono::minutes kOften{10};
constexpr std::chrono::seconds kLater{20};

} // namespace

ReplyRecorder::ReplyRecorder(StoreThread &store, MessageId reply, std::function<void(const Error &)> onFault)
    : m_store(store),
      m_reply(reply),
      m_onFault(std::move(onFault)),
      m_arrived(kInterval)
{
    (void)m_arrived.drain(); // the first write is due a second from now, not with the first token
}

void ReplyRecorder::add(const ReplyEvent &event)
{
    std::optional<ReplyPiece> piece = pieceOf(event);
    if (!piece)
        return;
    if (const auto delay = m_arrived.append(std::move(*piece)))
        m_store.run([self = shared_from_this()](ConversationStore &store) { self->checkpoint(store); },
                    *delay);
}

void ReplyRecorder::checkpoint(ConversationStore &store)
{
    std::ranges::move(m_arrived.drain(), std::back_inserter(m_unsaved));
    if (m_unsaved.empty())
        return;
    if (const Status saved = store.checkpointReply(m_reply, m_unsaved); saved)
        m_unsaved.clear();
    else if (m_onFault)
        m_onFault(saved.error());
}

void ReplyRecorder::finish(ReplyOutcome outcome, std::function<void(StoredMessage)> then)
{
    m_store.run([self = shared_from_this(), outcome = std::move(outcome),
                 then = std::move(then)](ConversationStore &store) mutable {
        self->m_outcome = std::move(outcome);
        self->m_then = std::move(then);
        self->m_firstTry = std::chrono::steady_clock::now();
        try {
            self->tryToFinish(store, true);
        } catch (const std::exception &fault) { // main memory is full, say
            self->giveUp(fault.what());
        }
    });
}

/// Somebody waits for `then`, whatever happened.
void ReplyRecorder::giveUp(const std::string &why)
{
    if (!m_then)
        return; // it has been told
    const Error error{ErrorCode::Io, "the answer could not be kept: " + why};
    StoredMessage answer;
    answer.id = m_reply;
    answer.message.role = Role::Assistant;
    answer.state = MessageState::Failed;
    answer.note = error.message;
    std::exchange(m_then, {})(std::move(answer));
    if (m_onFault)
        m_onFault(error);
}

void ReplyRecorder::tryToFinish(ConversationStore &store, bool first)
{
    const bool last = m_store.ending(); // each try may wait for a lock, and somebody for the program's end
    std::ranges::move(m_arrived.drain(), std::back_inserter(m_unsaved));
    Result<StoredMessage> finished = store.finishReply(m_reply, m_unsaved, m_outcome);
    const ErrorCode code = finished ? ErrorCode::Cancelled : finished.error().code;
    const bool worthAnother = !finished && (code == ErrorCode::NoSpace || code == ErrorCode::Io);
    if (worthAnother && !last) {
        const bool soon = std::chrono::steady_clock::now() - m_firstTry < kOften;
        m_store.run(
            [self = shared_from_this()](ConversationStore &again) { self->tryToFinish(again, false); },
            soon ? kInterval : std::chrono::milliseconds(kLater));
    }
    if (!first)
        return; // `then` has been told
    if (!finished && m_onFault)
        m_onFault(finished.error());
    StoredMessage answer = finished ? std::move(*finished) : unsavedAnswer(store);
    std::exchange(m_then, {})(std::move(answer));
}

StoredMessage ReplyRecorder::unsavedAnswer(ConversationStore &store) const
{
    StoredMessage answer;
    answer.id = m_reply;
    answer.message.role = Role::Assistant;
    if (Result<StoredMessage> stored = store.message(m_reply); stored)
        answer = std::move(*stored);
    std::vector<Part> &parts = answer.message.parts;
    for (const ReplyPiece &piece : m_unsaved)
        addPiece(parts, piece);
    answer.state = m_outcome.state;
    answer.note = m_outcome.note;
    answer.stats = m_outcome.stats;
    answer.finishedMs = nowMs();
    return answer;
}

} // namespace perilune
