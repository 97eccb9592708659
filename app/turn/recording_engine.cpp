#include "app/turn/recording_engine.h"

#include "app/turn/reply_recorder.h"

#include <chrono>
#include <exception>
#include <future>
#include <string>
#include <utility>

namespace perilune {

namespace {

/// Runs `question` on the store thread and waits for its answer.
template <typename Question>
auto waitFor(StoreThread &store, Question question)
{
    using Answer = decltype(question(std::declval<ConversationStore &>()));
    std::promise<Answer> promise;
    std::future<Answer> answer = promise.get_future();
    store.run([&promise, &question](ConversationStore &s) {
        try {
            promise.set_value(question(s));
        } catch (const std::exception &fault) { // main memory is full, say
            promise.set_value(Error{ErrorCode::Io, std::string("the store failed: ") + fault.what()});
        } catch (...) {
            promise.set_value(Error{ErrorCode::Io, "the store failed"});
        }
    });
    return answer.get();
}

} // namespace

RecordingEngine::RecordingEngine(ChatEngine &engine, std::unique_ptr<ConversationStore> store,
                                 std::function<void(const Error &)> onFault)
    : m_engine(engine),
      m_onFault(std::move(onFault)),
      m_store(std::move(store), m_unused.poster())
{
}

Status RecordingEngine::keep(const std::vector<Message> &messages)
{
    return waitFor(m_store, [this, &messages](ConversationStore &store) -> Status {
        for (; m_stored < messages.size(); ++m_stored) {
            const Result<StoredMessage> stored = store.append(m_conversation, m_last, messages[m_stored]);
            if (!stored)
                return stored.error();
            m_conversation = stored->conversation;
            m_last = stored->id;
        }
        return Done{};
    });
}

Result<MessageId> RecordingEngine::begin(const ChatRequest &request)
{
    if (Status kept = keep(request.messages); !kept)
        return std::move(kept).error();
    return waitFor(m_store,
                   [this](ConversationStore &store) { return store.beginReply(m_conversation, m_last); });
}

Result<ReplySummary> RecordingEngine::reply(const ChatRequest &request, const ReplySink &sink,
                                            std::stop_token stop)
{
    const auto started = std::chrono::steady_clock::now();
    const Result<MessageId> reply = begin(request);
    if (!reply)
        return reply.error();
    const auto recorder = std::make_shared<ReplyRecorder>(m_store, *reply, m_onFault);
    ReplyStats stats;
    const ReplySink both = [&](ReplyEvent event) {
        recorder->add(event);
        if (stats.firstTokenSeconds == 0 && !std::holds_alternative<Progress>(event))
            stats.firstTokenSeconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        sink(std::move(event));
    };
    Result<ReplySummary> summary = m_engine.reply(request, both, std::move(stop));

    ReplyOutcome outcome;
    if (summary) {
        const Capabilities capabilities = m_engine.capabilities();
        stats.model = capabilities.modelName;
        stats.device = capabilities.deviceName;
        stats.sampling = request.sampling;
        stats.thinking = request.thinking;
        stats.maxNewTokens = request.maxNewTokens;
        stats.summary = *summary;
        outcome.stats = std::move(stats);
        if (summary->finish == ReplySummary::Finish::Cancelled)
            outcome.state = MessageState::Cancelled;
    } else {
        const bool cancelled = summary.error().code == ErrorCode::Cancelled;
        outcome.state = cancelled ? MessageState::Cancelled : MessageState::Failed;
        outcome.note = cancelled ? std::string() : summary.error().message;
    }
    std::promise<StoredMessage> kept;
    recorder->finish(std::move(outcome),
                     [&kept](StoredMessage answer) { kept.set_value(std::move(answer)); });
    const StoredMessage answer = kept.get_future().get();
    if (summary && answer.state == MessageState::Failed) // though the reply did not fail
        return Error{ErrorCode::Io, answer.note};
    m_last = *reply;
    m_stored = request.messages.size() + 1; // the caller adds the answer to its conversation
    return summary;
}

} // namespace perilune
