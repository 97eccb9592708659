#include "app/cli/chat_loop.h"

#include "app/cli/command.h"

#include <algorithm>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace perilune::cli {

ChatLoop::ChatLoop(Setup setup, ChatRequest request)
    : m_setup(std::move(setup)),
      m_request(std::move(request)),
      m_approval(m_setup.tools.asks, m_setup.tools.choices, m_input)
{
}

int ChatLoop::turn()
{
    std::vector<ToolStep> steps;
    for (int round = 1;; ++round) {
        const Result<Answer> answer = reply();
        if (!answer)
            return fail(answer.error());
        m_request.messages.push_back(answer->message());
        const std::string refusal = whyNoCalls(answer->summary.finish, round, m_setup.tools.limits);
        if (!answer->calls.empty() && m_setup.tools.registry) {
            if (Status kept = answerCalls(*answer, {round, refusal}, steps); !kept)
                return fail(kept.error());
            if (refusal.empty() && !interrupted().stop_requested())
                continue;
        }
        if (m_setup.json) {
            const RecordingEngine *recorder = m_setup.recorder;
            std::cout << answer->json(m_setup.loadSeconds,
                                      recorder ? std::to_string(recorder->conversation()) : "", steps)
                      << '\n'
                      << std::flush;
        }
        const bool cancelled = answer->summary.finish == ReplySummary::Finish::Cancelled;
        return cancelled || interrupted().stop_requested() ? kInterrupted : kDone;
    }
}

int ChatLoop::say(const std::string &text, const std::vector<MediaPart> &media)
{
    // Where calls are the result, whoever goes on talking owes the model an answer to them.
    if (!m_request.messages.empty() && !m_setup.tools.registry) {
        for (const ToolCallPart &call : callsOf(Message(m_request.messages.back())))
            m_request.messages.push_back(refusedCall(call, "tools are only declared here; none is run"));
    }
    m_request.messages.push_back(userMessage(text, media));
    return turn();
}

int ChatLoop::converse(std::vector<MediaPart> media)
{
    const bool terminal = isatty(STDIN_FILENO) == 1;
    std::string line;
    while (!interrupted().stop_requested()) {
        if (terminal)
            std::cerr << "> " << std::flush;
        if (!m_input.line(line))
            break;
        if (line.ends_with('\r')) // of a file with lines as Windows ends them
            line.pop_back();
        if (line.empty())
            continue;
        if (const int status = say(line, media); status != kDone)
            return status;
        media.clear();
    }
    if (terminal)
        std::cerr << '\n'; // the prompt's line ends
    if (const Status whole = m_input.whole(); !whole)
        return fail(whole.error());
    return interrupted().stop_requested() ? kInterrupted : kDone;
}

/// One answer of the model, to the messages as they are.
Result<Answer> ChatLoop::reply()
{
    if (Status kept = keep(); !kept) // the words first: reading media takes time and may fail
        return std::move(kept).error();
    if (Status attached = attachMedia(m_request.messages, m_setup.engine->capabilities()); !attached)
        return std::move(attached).error();
    return ask(*m_setup.engine, m_request, !m_setup.json);
}

Status ChatLoop::keep()
{
    return m_setup.recorder ? m_setup.recorder->keep(m_request.messages) : Status(Done{});
}

/// Runs the tools that `answer` calls, or refuses all of them, and adds what they give back.
Status ChatLoop::answerCalls(const Answer &answer, const Round &round, std::vector<ToolStep> &steps)
{
    const ToolContext context{.messages = m_request.messages,
                              .conversation = m_setup.recorder ? m_setup.recorder->conversation() : 0,
                              .seesPictures = m_setup.engine->capabilities().images};
    for (std::size_t i = 0; i < answer.calls.size(); ++i) {
        const ToolCallPart &call = answer.calls[i];
        CallOutcome outcome = round.refusal.empty()
                                  ? outcomeOf(call, {round.number, i}, context)
                                  : CallOutcome{CallOutcome::Kind::Failed, refusedCall(call, round.refusal)};
        if (!m_setup.json)
            showResult(outcome);
        if (round.refusal.empty()) // else the calls are the answer
            steps.push_back({call, textOf(outcome.result), answer.summary});
        m_request.messages.push_back(std::move(outcome.result));
    }
    return keep();
}

CallOutcome ChatLoop::outcomeOf(const ToolCallPart &call, CallPlace place, const ToolContext &context)
{
    using Kind = CallOutcome::Kind;
    const ChatTools &tools = m_setup.tools;
    if (interrupted().stop_requested())
        return {Kind::Stopped, refusedCall(call, "the person stopped this call")};
    if (const std::string limit = overLimit(place, tools.limits); !limit.empty())
        return {Kind::Failed, refusedCall(call, limit)};
    if (!call.name.empty() && std::ranges::count(tools.on, call.name) == 0)
        return {Kind::Failed, refusedCall(call, "there is no tool named " + call.name)};
    if (const Status can = checkCall(*tools.registry, call); !can)
        return {Kind::Failed, refusedCall(call, can.error().message)};
    const ToolChoices::Chat chat = m_setup.recorder ? m_setup.recorder->conversation() : 0;
    switch (m_approval.decide(chat, call)) {
    case ToolApproval::Decision::Refused:
        return {Kind::Failed, refusedCall(call, "the person does not allow this call")};
    case ToolApproval::Decision::Stopped:
        return {Kind::Stopped, refusedCall(call, "the person stopped this call")};
    case ToolApproval::Decision::Allowed: break;
    }
    return callTool(*tools.registry, call, context, tools.limits, interrupted());
}

} // namespace perilune::cli
