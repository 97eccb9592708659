#include "app/turn/turn_runner.h"

#include "app/concurrency/event_buffer.h"
#include "app/turn/prologue.h"
#include "app/turn/reply_recorder.h"
#include "app/turn/reply_task.h"
#include "app/turn/speed.h"
#include "app/turn/titles.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <utility>

namespace perilune {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kBatch{33}; // a batch of events for the window, about two frames

} // namespace

/// Everything here is of the thread of `post`, but for what the tasks are handed.
class TurnRunner::Impl : public std::enable_shared_from_this<TurnRunner::Impl> {
public:
    explicit Impl(Services services)
        : m_services(std::move(services)),
          m_side(std::make_shared<EngineSide>(m_services.openEngine))
    {
    }

    void listenToEngine();
    void prepareTitles();
    void showEngine(); // what the engine has told of itself up to now
    void loadEngine();
    void replaceEngine(EngineOpener opener);
    TurnId start(TurnDraft draft);
    TurnId retry(ConversationId conversation, MessageId message, const TurnOptions &options);
    TurnId goOn(ConversationId conversation, MessageId cut, const TurnOptions &options);
    void approve(TurnId id, Approval approval);
    void stop(TurnId id);
    void stopAll();

    struct Turn {
        TurnId id = 0;
        ConversationId conversation = 0; // 0 until it is begun
        MessageId question = 0;          // 0 until it is stored
        MessageId cut = 0;               // the answer that is to go on; 0: a new one
        MessageId reply = 0;
        TurnOptions options;
        std::vector<std::shared_ptr<const VisionPatches>> patches; // that came with the draft, in order
        int round = 1;
        std::shared_ptr<CallRound> calls; // of the answer that just ended; the engine is free meanwhile
        bool over = false;                // with the results of these calls, which are refusals
        std::stop_source stop;
        TurnState state;
        Speed speed;
        Clock::time_point started = Clock::now();
    };
    using News = EventBuffer<TurnNews>;

    TurnListener *listener = nullptr;
    EngineState engine;
    std::list<Turn> turns; // in their order; the running one is the first that has a reply or is about to

private:
    TurnId add(Turn turn);
    StoreThread &storeOf(ConversationId conversation) const
    {
        return isTemporary(conversation) ? *m_services.temporary : *m_services.store;
    }
    Turn *find(TurnId id);
    void show(Turn &turn, TurnState state);
    void stored(TurnId id, Result<StoredMessage> message);
    void runNext();
    void begin(TurnId id, Result<Prologue> prologue);
    void attachPatches(const Turn &turn, std::vector<Message> &messages) const;
    void take(TurnId id, std::vector<TurnNews> news);
    void finished(TurnId id, const std::shared_ptr<News> &news, const StoredMessage &reply);
    void answerCalls(Turn &turn, const StoredMessage &reply);
    void callsAnswered(TurnId id, Result<MessageId> last);
    void end(TurnId id);
    void storeFault(TurnId id, const Error &error);

    /// Runs `job(*this)` on our thread, unless we are gone by then. Any thread.
    template <typename Job>
    std::function<void()> guarded(Job job)
    {
        return [weak = weak_from_this(), job = std::move(job)]() mutable {
            if (const auto self = weak.lock())
                job(*self);
        };
    }

    Services m_services;
    std::shared_ptr<EngineSide> m_side;
    std::shared_ptr<EventBuffer<EngineState>> m_engineNews =
        std::make_shared<EventBuffer<EngineState>>(kBatch);
    std::shared_ptr<Titles> m_titles;
    std::stop_source m_loading;
    TurnId m_lastTurn = 0;
    TurnId m_running = 0;
};

void TurnRunner::Impl::listenToEngine()
{
    m_side->tell = [buffer = m_engineNews, post = m_services.post,
                    show = guarded([](Impl &self) { self.showEngine(); })](const EngineState &state) {
        if (const auto delay = buffer->append(state))
            post(show, *delay);
    };
}

void TurnRunner::Impl::prepareTitles()
{
    m_titles = std::make_shared<Titles>(Titles::Services{
        .store = m_services.store,
        .engineWorker = m_services.engineWorker,
        .side = m_side,
        .idleFor = m_services.titlesAfter,
        .idle = [this] { return turns.empty(); }, // it goes before we do
        .named =
            [this](ConversationId conversation, const std::string &title) {
                if (listener)
                    listener->titled(conversation, title);
            },
    });
}

void TurnRunner::Impl::showEngine()
{
    const std::vector<EngineState> states = m_engineNews->drain();
    if (states.empty())
        return;
    engine = states.back();
    if (listener)
        listener->engineChanged(engine);
}

void TurnRunner::Impl::loadEngine()
{
    m_services.engineWorker->post(
        [side = m_side, stop = m_loading.get_token()] { (void)openEngine(*side, {}, stop); });
}

void TurnRunner::Impl::replaceEngine(EngineOpener opener)
{
    m_loading.request_stop(); // a load that is under way isn't wanted any more
    m_loading = {};
    m_side->host.setOpener(std::move(opener));
    m_services.engineWorker->post([side = m_side] {
        side->host.drop();
        side->patches.clear();
        side->tell({});
    });
}

TurnRunner::Impl::Turn *TurnRunner::Impl::find(TurnId id)
{
    const auto found = std::ranges::find(turns, id, &Turn::id);
    return found == turns.end() ? nullptr : &*found;
}

void TurnRunner::Impl::show(Turn &turn, TurnState state)
{
    // Once it is stopping, what the engine still tells of its stages is of no interest.
    if (turn.stop.stop_requested() && state.stage != TurnState::Stage::Finished)
        state.stage = TurnState::Stage::Stopping;
    turn.state = state;
    if (listener)
        listener->turnChanged(turn.id, state);
}

TurnId TurnRunner::Impl::add(Turn turn)
{
    m_titles->yield();
    turn.id = ++m_lastTurn;
    turns.push_back(std::move(turn));
    return m_lastTurn;
}

TurnId TurnRunner::Impl::start(TurnDraft draft)
{
    Turn turn;
    turn.conversation = draft.conversation;
    turn.options = std::move(draft.options);
    for (const Part &part : draft.message.parts) {
        if (const auto *media = std::get_if<MediaPart>(&part))
            turn.patches.push_back(media->patches);
    }
    const TurnId id = add(std::move(turn));
    show(*find(id), {TurnState::Stage::Saving, 0, 0, 0});
    storeOf(draft.conversation)
        .ask(
            [conversation = draft.conversation, parent = draft.parent, message = std::move(draft.message),
             keepsDraft = draft.keepsDraft](ConversationStore &store) {
                return keepsDraft ? store.append(conversation, parent, message)
                                  : store.appendUserMessage(conversation, parent, message);
            },
            [weak = weak_from_this(), id](Result<StoredMessage> message) {
                if (const auto self = weak.lock())
                    self->stored(id, std::move(message));
            });
    return id;
}

TurnId TurnRunner::Impl::retry(ConversationId conversation, MessageId message, const TurnOptions &options)
{
    Turn turn;
    turn.conversation = conversation;
    turn.question = message;
    turn.options = options;
    const TurnId id = add(std::move(turn));
    show(*find(id), {TurnState::Stage::Waiting, turns.size() - 1, 0, 0});
    m_services.post(guarded([](Impl &self) { self.runNext(); }), {});
    return id;
}

TurnId TurnRunner::Impl::goOn(ConversationId conversation, MessageId cut, const TurnOptions &options)
{
    const TurnId id = retry(conversation, cut, options);
    find(id)->cut = cut;
    return id;
}

void TurnRunner::Impl::stored(TurnId id, Result<StoredMessage> message)
{
    Turn *turn = find(id);
    if (!turn)
        return;
    if (!message) {
        if (listener)
            listener->storeFailed(id, message.error());
        end(id);
        return;
    }
    turn->conversation = message->conversation;
    turn->question = message->id;
    if (listener)
        listener->messageStored(id, turn->conversation, *message);
    turn = find(id); // the listener may have stopped it
    if (turn && m_running != 0)
        show(*turn, {TurnState::Stage::Waiting, turns.size() - 1, 0, 0});
    runNext();
}

void TurnRunner::Impl::runNext()
{
    if (m_running != 0)
        return;
    const auto next =
        std::ranges::find_if(turns, [](const Turn &turn) { return turn.question != 0 && !turn.calls; });
    if (next == turns.end())
        return;
    const TurnId id = next->id;
    if (next->stop.stop_requested()) {
        end(id);
        return;
    }
    m_running = id;
    storeOf(next->conversation)
        .ask(
            [conversation = next->conversation, question = next->question,
             cut = std::exchange(next->cut, 0)](ConversationStore &store) {
                return cut != 0 ? prepareContinuation(store, conversation, cut)
                                : prepareReply(store, conversation, question);
            },
            [weak = weak_from_this(), id](Result<Prologue> prologue) {
                if (const auto self = weak.lock())
                    self->begin(id, std::move(prologue));
            });
}

void TurnRunner::Impl::attachPatches(const Turn &turn, std::vector<Message> &messages) const
{
    if (messages.empty())
        return;
    std::size_t next = 0;
    for (Part &part : messages.back().parts) {
        auto *media = std::get_if<MediaPart>(&part);
        if (media && next < turn.patches.size())
            media->patches = turn.patches[next++];
    }
}

void TurnRunner::Impl::begin(TurnId id, Result<Prologue> prologue)
{
    Turn *turn = find(id);
    if (!turn)
        return;
    if (!prologue) {
        if (listener)
            listener->storeFailed(id, prologue.error());
        end(id);
        return;
    }
    turn->reply = prologue->reply.id;
    attachPatches(*turn, prologue->messages);

    const Post post = m_services.post;
    const auto recorder = std::make_shared<ReplyRecorder>(
        storeOf(turn->conversation), turn->reply, [post, weak = weak_from_this(), id](const Error &error) {
            post(
                [weak, id, error] {
                    if (const auto self = weak.lock())
                        self->storeFault(id, error);
                },
                {});
        });
    const auto news = std::make_shared<News>(kBatch);
    const auto drain = guarded([id, news](Impl &self) { self.take(id, news->drain()); });

    ReplyTask task;
    task.side = m_side;
    task.mediaWorkers = {m_services.mediaWorkers[0], m_services.mediaWorkers[1]};
    task.prepare = m_services.prepare;
    task.messages = std::move(prologue->messages);
    task.continues = prologue->continues;
    task.options = turn->options;
    task.stop = turn->stop.get_token();
    task.started = turn->started;
    task.tell = [recorder, news, post, drain](TurnNews item) {
        if (const auto *event = std::get_if<ReplyEvent>(&item))
            recorder->add(*event);
        if (const auto delay = news->append(std::move(item)))
            post(drain, *delay);
    };

    // Told before the task is posted, so that no event can come before it.
    if (listener)
        listener->replyBegan(id, turn->conversation, prologue->reply);
    const auto done = [weak = weak_from_this(), post, id, news](StoredMessage reply) {
        post(
            [weak, id, news, reply = std::move(reply)] {
                if (const auto self = weak.lock())
                    self->finished(id, news, reply);
            },
            {});
    };
    m_services.engineWorker->post(
        [task = std::move(task), recorder, done]() mutable { recorder->finish(task.run(), done); });
}

void TurnRunner::Impl::take(TurnId id, std::vector<TurnNews> news)
{
    Turn *turn = find(id);
    if (!turn || news.empty())
        return;
    std::vector<ReplyEvent> events;
    std::optional<TurnState> state;
    for (TurnNews &item : news) {
        if (auto *event = std::get_if<ReplyEvent>(&item))
            events.push_back(std::move(*event));
        else
            state = std::get<TurnState>(item);
    }
    if (!events.empty()) {
        const double speed = turn->speed.add(events.size());
        state = TurnState{TurnState::Stage::Writing, turn->speed.total(), 0, speed};
    }
    if (state)
        show(*turn, *state);
    if (listener && !events.empty())
        listener->replyGrew(id, turn->reply, events);
}

void TurnRunner::Impl::finished(TurnId id, const std::shared_ptr<News> &news, const StoredMessage &reply)
{
    showEngine(); // a tool may be told what it can do, and its news may still be waiting for their batch
    take(id, news->drain());
    if (const Turn *turn = find(id); turn && listener)
        listener->replyFinished(id, turn->conversation, reply);
    Turn *turn = find(id); // the listener may have stopped it
    if (turn && reply.state == MessageState::Complete)
        m_titles->answered(turn->conversation, turn->options.toolsJson);
    if (turn && !callsOf(reply.message).empty())
        answerCalls(*turn, reply);
    else
        end(id);
}

void TurnRunner::Impl::answerCalls(Turn &turn, const StoredMessage &reply)
{
    const TurnId id = turn.id;
    const auto guardedBy = [weak = weak_from_this(), id](auto does) {
        return [weak, id, does](const auto &...news) {
            if (const auto self = weak.lock())
                if (Turn *known = self->find(id))
                    does(*self, *known, news...);
        };
    };
    turn.calls = std::make_shared<CallRound>(
        storeOf(turn.conversation), m_services.tools, reply, turn.options.tools, turn.round,
        turn.stop.get_token(),
        CallRound::Events{.changed = guardedBy([answer = reply.id](Impl &self, Turn &known, std::size_t call,
                                                                   CallState state) {
                              if (state == CallState::Asking || state == CallState::Running)
                                  self.show(known, {state == CallState::Asking ? TurnState::Stage::Asking
                                                                               : TurnState::Stage::Calling,
                                                    0, 0, 0});
                              if (self.listener)
                                  self.listener->callChanged(known.id, answer, call, state);
                          }),
                          .stored = guardedBy([](Impl &self, Turn &known, const StoredMessage &result) {
                              if (self.listener)
                                  self.listener->resultStored(known.id, known.conversation, result);
                          }),
                          .done = [weak = weak_from_this(), id](Result<MessageId> last) {
                              if (const auto self = weak.lock())
                                  self->callsAnswered(id, std::move(last));
                          }});
    std::string refusal = whyNoCalls(reply, m_services.tools, turn.options.tools, turn.round);
    turn.over = !refusal.empty();
    turn.calls->refuseAll(std::move(refusal));
    if (m_running == id)
        m_running = 0; // others need not wait for a tool, or for a person who thinks it over
    turn.calls->setSeesPictures(engine.capabilities.images);
    turn.calls->setContextTokens(engine.capabilities.contextTokens);
    turn.calls->start();
    runNext();
}

void TurnRunner::Impl::callsAnswered(TurnId id, Result<MessageId> last)
{
    Turn *turn = find(id);
    if (!turn)
        return;
    if (!last) {
        if (listener)
            listener->storeFailed(id, last.error());
        end(id);
        return;
    }
    const bool over = turn->over || turn->stop.stop_requested();
    turn->calls.reset();
    turn->question = *last;
    turn->patches.clear();
    ++turn->round;
    if (over) {
        end(id);
        return;
    }
    if (m_running != 0)
        show(*turn, {TurnState::Stage::Waiting, 1, 0, 0});
    runNext();
}

void TurnRunner::Impl::approve(TurnId id, Approval approval)
{
    if (Turn *turn = find(id); turn && turn->calls) {
        const std::shared_ptr<CallRound> calls = turn->calls;
        calls->approve(approval);
    }
}

void TurnRunner::Impl::end(TurnId id)
{
    if (m_running == id)
        m_running = 0;
    if (Turn *turn = find(id)) {
        show(*turn, {TurnState::Stage::Finished, 0, 0, 0});
        turns.remove_if([id](const Turn &any) { return any.id == id; });
    }
    std::uint64_t ahead = 0;
    for (Turn &turn : turns) {
        if (turn.id != m_running && turn.question != 0 && !turn.calls)
            show(turn, {TurnState::Stage::Waiting, ahead, 0, 0});
        ++ahead;
    }
    runNext();
    if (turns.empty())
        m_titles->rest();
}

void TurnRunner::Impl::stop(TurnId id)
{
    Turn *turn = find(id);
    if (!turn || !turn->stop.request_stop())
        return;
    if (const std::shared_ptr<CallRound> calls = turn->calls) {
        show(*turn, turn->state);
        calls->stopped(); // it ends the turn once every call has its result
    } else if (id != m_running && turn->question != 0)
        end(id); // it was waiting: there is nothing to wind down
    else
        show(*turn, turn->state);
}

void TurnRunner::Impl::stopAll()
{
    std::vector<TurnId> ids;
    for (const Turn &turn : turns)
        ids.push_back(turn.id);
    std::ranges::reverse(ids); // the waiting ones first, so that none begins
    for (const TurnId id : ids)
        stop(id);
    m_loading.request_stop();
    m_titles->yield();
}

void TurnRunner::Impl::storeFault(TurnId id, const Error &error)
{
    if (listener)
        listener->storeFailed(id, error);
}

TurnRunner::TurnRunner(Services services) : m_impl(std::make_shared<Impl>(std::move(services)))
{
    m_impl->listenToEngine();
    m_impl->prepareTitles();
}

TurnRunner::~TurnRunner()
{
    m_impl->listener = nullptr;
    m_impl->stopAll();
}

void TurnRunner::setListener(TurnListener *listener)
{
    m_impl->listener = listener;
}

void TurnRunner::loadEngine()
{
    m_impl->loadEngine();
}

void TurnRunner::replaceEngine(EngineOpener opener)
{
    m_impl->replaceEngine(std::move(opener));
}

const EngineState &TurnRunner::engine() const
{
    return m_impl->engine;
}

TurnId TurnRunner::start(TurnDraft draft)
{
    return m_impl->start(std::move(draft));
}

TurnId TurnRunner::retry(ConversationId conversation, MessageId message, const TurnOptions &options)
{
    return m_impl->retry(conversation, message, options);
}

TurnId TurnRunner::goOn(ConversationId conversation, MessageId cut, const TurnOptions &options)
{
    return m_impl->goOn(conversation, cut, options);
}

void TurnRunner::approve(TurnId turn, Approval approval)
{
    m_impl->approve(turn, approval);
}

void TurnRunner::stop(TurnId turn)
{
    m_impl->stop(turn);
}

void TurnRunner::stopAll()
{
    m_impl->stopAll();
}

TurnId TurnRunner::turnIn(ConversationId conversation) const
{
    for (const Impl::Turn &turn : m_impl->turns) {
        if (turn.conversation == conversation && conversation != 0)
            return turn.id;
    }
    return 0;
}

TurnState TurnRunner::stateOf(TurnId turn) const
{
    const auto known = std::ranges::find(m_impl->turns, turn, &Impl::Turn::id);
    return known == m_impl->turns.end() ? TurnState{.stage = TurnState::Stage::Finished} : known->state;
}

bool TurnRunner::idle() const
{
    return m_impl->turns.empty();
}

} // namespace perilune
