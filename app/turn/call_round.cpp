#include "app/turn/call_round.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

/// At most, by a guess; a picture's are not known here.
std::uint32_t tokensOfResult(const Message &result)
{
    std::size_t tokens = 0;
    for (const Part &part : result.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            tokens += tokensAtMost(words->text);
    }
    return static_cast<std::uint32_t>(std::min<std::size_t>(tokens, UINT32_MAX / 4));
}

} // namespace

CallRound::CallRound(StoreThread &store, TurnTools tools, const StoredMessage &answer,
                     std::vector<std::string> on, int round, std::stop_token stop, Events events)
    : m_store(store),
      m_tools(tools),
      m_calls(callsOf(answer.message)),
      m_conversation(answer.conversation),
      m_last(answer.id),
      m_on(std::move(on)),
      m_round(round),
      m_stop(std::move(stop)),
      m_events(std::move(events)),
      m_usedTokens(answer.stats ? answer.stats->summary.promptTokens + answer.stats->summary.newTokens : 0)
{
}

/// What the next result may have: an equal part, with those that follow, of what is left for results.
std::size_t CallRound::resultTokens() const
{
    if (m_contextTokens == 0)
        return SIZE_MAX;
    constexpr std::uint32_t aroundResult = 64; // the template's tokens, generously
    const std::uint32_t forAnswer = std::min(m_contextTokens / 4, 1024U);
    const std::uint32_t taken = m_usedTokens + forAnswer;
    const std::size_t left = m_contextTokens > taken ? m_contextTokens - taken : 0;
    const std::size_t each = left / std::max<std::size_t>(m_calls.size() - m_index, 1);
    return each > aroundResult ? each - aroundResult : 0;
}

void CallRound::start()
{
    next();
}

void CallRound::next()
{
    if (m_index == m_calls.size()) {
        m_events.done(m_last);
        return;
    }
    const ToolCallPart &call = m_calls[m_index];
    if (m_stop.stop_requested())
        return refuse("the person stopped this call", CallOutcome::Kind::Stopped);
    if (const std::string why = whyNot(call); !why.empty())
        return refuse(why);
    if (m_tools.choices && !m_tools.choices->approved(m_conversation, call.name)) {
        m_asking = true;
        m_events.changed(m_index, CallState::Asking);
        return;
    }
    run(call);
}

/// Why `call` is not made, whatever the person thinks of it; empty where it is theirs to decide.
std::string CallRound::whyNot(const ToolCallPart &call) const
{
    if (!m_refusal.empty())
        return m_refusal;
    if (std::string limit = overLimit({m_round, m_index}, m_tools.limits); !limit.empty())
        return limit;
    if (!call.name.empty() && std::ranges::find(m_on, call.name) == m_on.end())
        return "there is no tool named " + call.name;
    const Status can = checkCall(*m_tools.registry, call);
    return can ? std::string() : can.error().message;
}

void CallRound::approve(Approval approval)
{
    if (!std::exchange(m_asking, false))
        return;
    const ToolCallPart &call = m_calls[m_index];
    if (approval == Approval::Refused)
        return refuse("the person does not allow this call");
    m_tools.choices->approve(m_conversation, call.name, approval);
    run(call);
}

void CallRound::stopped()
{
    if (std::exchange(m_asking, false))
        refuse("the person stopped this call", CallOutcome::Kind::Stopped);
}

void CallRound::refuse(const std::string &why, CallOutcome::Kind kind)
{
    keep({kind, refusedCall(m_calls[m_index], why)});
}

void CallRound::run(const ToolCallPart &call)
{
    m_events.changed(m_index, CallState::Running);
    if (!m_worker)
        m_worker = std::make_unique<Worker>();
    // The worker's job holds nothing of us: we end the worker, not the other way round.
    const auto made = [weak = weak_from_this()](const CallOutcome &outcome) {
        if (const auto self = weak.lock())
            self->keep(outcome);
    };
    m_store.ask(
        [last = m_last](ConversationStore &store) { return store.loadPath(last); },
        [weak = weak_from_this(), call, made](Result<std::vector<StoredMessage>> path) {
            const auto self = weak.lock();
            if (!self)
                return;
            if (!path)
                return self->refuse(path.error().message);
            ToolContext context{
                .messages = {}, .conversation = self->m_conversation, .seesPictures = self->m_seesPictures};
            for (StoredMessage &stored : *path)
                context.messages.push_back(std::move(stored.message));
            TurnTools tools = self->m_tools;
            tools.limits.resultTokens = self->resultTokens();
            self->m_worker->post([tools = std::move(tools), stop = self->m_stop, call,
                                  context = std::move(context), made, post = self->m_store.post()]() mutable {
                auto outcome = std::make_shared<CallOutcome>(
                    callTool(*tools.registry, call, std::move(context), tools.limits, stop));
                post([outcome, made] { made(*outcome); }, {});
            });
        });
}

void CallRound::keep(const CallOutcome &outcome)
{
    const bool done = outcome.kind == CallOutcome::Kind::Done;
    m_store.ask([conversation = m_conversation, parent = m_last, result = outcome.result](
                    ConversationStore &store) { return store.append(conversation, parent, result); },
                [weak = weak_from_this(), done](const Result<StoredMessage> &stored) {
                    const auto self = weak.lock();
                    if (!self)
                        return;
                    if (!stored) {
                        self->m_events.done(stored.error());
                        return;
                    }
                    self->m_last = stored->id;
                    self->m_usedTokens += tokensOfResult(stored->message);
                    self->m_events.changed(self->m_index, done ? CallState::Done : CallState::Failed);
                    self->m_events.stored(*stored);
                    ++self->m_index;
                    self->next();
                });
}

std::string whyNoCalls(const StoredMessage &answer, const TurnTools &tools,
                       const std::vector<std::string> &on, int round)
{
    if (answer.state == MessageState::Failed)
        return "the answer failed before its calls were made";
    using Finish = ReplySummary::Finish;
    const Finish finish = answer.state == MessageState::Cancelled ? Finish::Cancelled
                          : answer.stats                          ? answer.stats->summary.finish
                                                                  : Finish::ToolCalls;
    if (std::string why = whyNoCalls(finish, round, tools.limits); !why.empty())
        return why;
    return tools.registry && !on.empty() ? std::string() : "no tools are switched on in this conversation";
}

} // namespace perilune
