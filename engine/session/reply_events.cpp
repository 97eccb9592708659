#include "engine/session/reply_events.h"

#include "engine/text/utf8.h"

#include <string_view>

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

} // namespace

ReplyEvents::ReplyEvents(const Tokenizer &tokenizer, const ChatRequest &request, const ReplySink &sink)
    : m_decoder(tokenizer, true),
      m_parser({.family = tokenizer.family(),
                .thinking = request.thinking && chatFeatures(tokenizer.family()).thinking,
                .toolsJson = request.toolsJson,
                .stopTexts = false}), // who samples goes by the ids
      m_sink(sink)
{
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
        if (delta.kind == ReplyDelta::Kind::Text)
            m_sink(TextDelta{delta.text});
        else if (delta.kind == ReplyDelta::Kind::Thinking)
            m_sink(ThinkingDelta{delta.text});
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
