#include "engine/session/reply_events.h"

#include "engine/text/chat_template.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace perilune {

namespace {

/// The call that the raw text of a malformed one shows, without the markers.
ToolCallPart withoutMarkers(std::string_view raw)
{
    constexpr std::string_view begin = "<|tool_call_begin|>", arguments = "<|tool_call_argument_begin|>";
    if (raw.starts_with(begin))
        raw.remove_prefix(begin.size());
    const std::size_t end = raw.find(arguments);
    ToolCallPart call{.id = std::string(trimmed(raw.substr(0, end))), .name = {}, .argumentsJson = {}};
    if (end != std::string_view::npos)
        call.argumentsJson = trimmed(raw.substr(end + arguments.size()));
    return call;
}

/// `text` without the `known` bytes that were there before.
std::string newOf(const std::string &text, std::size_t &known)
{
    const std::size_t old = std::min(known, text.size());
    known -= old;
    return text.substr(old);
}

} // namespace

ReplyEvents::ReplyEvents(const Tokenizer &tokenizer, const ChatRequest &request, const ReplySink &sink)
    : m_decoder(tokenizer, true),
      m_parser({.family = tokenizer.family(),
                .thinking = request.thinking && chatFeatures(tokenizer.family()).thinking,
                .toolsJson = request.toolsJson,
                .stopTexts = false}), // who samples goes by the ids
      m_sink(sink)
{
    if (request.continues)
        begin(tokenizer.family(), request.messages.back(), request.thinking);
}

void ReplyEvents::begin(ChatFamily family, const Message &message, bool thinking)
{
    for (const Part &part : message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            m_knownText += words->text.size();
        else if (const auto *thought = std::get_if<ThinkingPart>(&part))
            m_knownThinking += thought->text.size();
    }
    emit(m_parser.feed(promptText(beginningOf(family, message, thinking))));
}

Status ReplyEvents::take(TokenId id)
{
    const Result<std::string> text = m_decoder.feed(id);
    if (!text)
        return text.error();
    emit(m_parser.feed(*text));
    return Done{};
}

void ReplyEvents::finish(ReplySummary &summary)
{
    emit(m_parser.feed(m_decoder.finish()));
    emit(m_parser.finish());
    summary.malformedCalls = m_parser.result().malformed;
    summary.malformedCalls.insert(summary.malformedCalls.end(), m_brokenOff.begin(), m_brokenOff.end());
    if (m_calls > 0 && summary.finish == ReplySummary::Finish::Stop)
        summary.finish = ReplySummary::Finish::ToolCalls;
}

void ReplyEvents::emit(const std::vector<ReplyDelta> &deltas)
{
    for (const ReplyDelta &delta : deltas) {
        const bool thinking = delta.kind == ReplyDelta::Kind::Thinking;
        if (!thinking && delta.kind != ReplyDelta::Kind::Text)
            continue;
        std::string fresh = newOf(delta.text, thinking ? m_knownThinking : m_knownText);
        if (fresh.empty())
            continue;
        if (thinking)
            m_sink(ThinkingDelta{std::move(fresh)});
        else
            m_sink(TextDelta{std::move(fresh)});
    }
    for (const ParsedCall &call : m_parser.takeCalls()) {
        m_calls += call.complete ? 1 : 0;
        if (!call.complete)
            m_brokenOff.push_back(call.id + ' ' + call.arguments);
        m_sink(ToolCallReady{
            {call.id, call.complete ? call.name : std::string(), call.arguments}
        });
    }
    for (const std::vector<std::string> &malformed = m_parser.result().malformed;
         m_malformed < malformed.size(); ++m_malformed)
        m_sink(ToolCallReady{withoutMarkers(malformed[m_malformed])});
}

} // namespace perilune
