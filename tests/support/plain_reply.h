#pragma once

#include "engine/text/json_value.h"
#include "engine/text/reply_parser.h"
#include "engine/text/tool_call.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::test {

/// The rules for reading a reply, written down once more to be read: the whole text at once, searching ahead
/// as far as it likes. What ReplyParser does in a stream must come to the same.
class PlainReply {
public:
    PlainReply(std::string_view raw, const ReplyParserOptions &options)
        : m_rest(raw),
          m_options(options),
          m_tools(chatFeatures(options.family).tools)
    {
        if (options.family == ChatFamily::KimiVl) {
            m_open = "◁think▷";
            m_close = "◁/think▷";
        }
    }

    ParsedReply read()
    {
        if (m_options.stopTexts)
            m_rest = m_rest.substr(0, first({"<|im_end|>", "[EOS]", "[EOT]"}).at);
        bool calls = false;
        const bool inside = chatFeatures(m_options.family).thinkingSwitch && m_options.thinking;
        if (opened() || inside)
            calls = readThinking();
        if (!calls)
            calls = readAnswer();
        // Outside of calls nothing counts any more.
        while (calls) {
            const Place call = first({kCall});
            take(call);
            calls = call.found && readCall();
        }
        return std::move(m_reply);
    }

private:
    struct Place {
        std::size_t at = 0, length = 0; // where nothing was found, the end
        bool found = false;
        std::string_view marker;
    };
    static constexpr std::string_view kCall = "<|tool_call_begin|>", kInput = "<|tool_call_argument_begin|>",
                                      kEnd = "<|tool_call_end|>", kSectionEnd = "<|tool_calls_section_end|>",
                                      kSectionEnd2 = "<|tool_call_section_end|>",
                                      kSection = "<|tool_calls_section_begin|>",
                                      kSection2 = "<|tool_call_section_begin|>";

    Place first(const std::vector<std::string_view> &markers) const
    {
        Place best{m_rest.size(), 0, false, {}};
        for (const std::string_view marker : markers) {
            const std::size_t at = m_rest.find(marker);
            if (at < best.at)
                best = {at, marker.size(), true, marker};
        }
        return best;
    }

    /// What stands before `place`; it and the place are taken.
    std::string take(const Place &place)
    {
        const std::string before(m_rest.substr(0, place.at));
        m_rest.remove_prefix(place.at + place.length);
        return before;
    }

    /// Drops openings of the thinking and the white-space before them.
    bool opened()
    {
        bool any = false;
        while (m_rest.substr(leadingSpace(m_rest)).starts_with(m_open)) {
            m_rest.remove_prefix(leadingSpace(m_rest) + m_open.size());
            any = true;
        }
        return any;
    }

    /// Whether tool calls may follow; otherwise the answer does.
    bool readThinking()
    {
        std::vector<std::string_view> ends = {m_close};
        if (m_tools)
            ends.insert(ends.end(), {kSection, kSection2, kCall});
        Place end = first(ends);
        const bool calls = end.found && end.marker != m_close;
        if (end.marker == kCall)
            end.length = 0; // left for who reads the call
        m_reply.thinking = take(end);
        m_reply.thinking.resize(m_reply.thinking.size() - trailingSpace(m_reply.thinking));
        return calls;
    }

    bool readAnswer()
    {
        std::vector<std::string_view> marks;
        if (m_tools)
            marks = {kSection, kSection2, kCall, kInput, kEnd, kSectionEnd, kSectionEnd2};
        if (m_options.thinking)
            marks.push_back(m_close);
        for (;;) {
            Place mark = first(marks);
            const bool calls = mark.marker == kSection || mark.marker == kSection2 || mark.marker == kCall;
            if (mark.marker == kCall)
                mark.length = 0;
            m_reply.text += take(mark);
            if (calls && leadingSpace(m_reply.text) == m_reply.text.size())
                m_reply.text.clear();
            if (calls || !mark.found)
                return calls;
        }
    }

    /// Reads what follows a beginning of a call; whether there is more output behind it.
    bool readCall()
    {
        const std::string_view begun = m_rest;
        Place end = first({kInput, kCall, kEnd, kSectionEnd, kSectionEnd2});
        if (end.marker == kCall)
            end.length = 0;
        const std::string header = take(end);
        if (end.marker != kInput) {
            m_reply.malformed.push_back(std::string(kCall) + header);
            return end.found;
        }
        end = first({kCall, kEnd, kSectionEnd, kSectionEnd2});
        if (end.marker == kCall)
            end.length = 0;
        const std::string input = take(end);
        const std::string id(trimmed(header));
        std::optional<std::string> name = toolNameOfId(id);
        if (!name && isBareIndex(id))
            name = DeclaredTools(m_options.toolsJson).nameForArguments(input);
        if (!name) {
            m_reply.malformed.push_back(std::string(kCall) +
                                        std::string(begun.substr(0, header.size() + kInput.size())) + input);
            return end.found;
        }
        ParsedCall call{id, *name, std::string(trimmed(input)), false, false, false};
        if (call.arguments.empty())
            call.arguments = "{}";
        const Result<JsonValue> json = parseJson(call.arguments);
        call.jsonOk = json.has_value();
        call.isObject = json && json->is(JsonValue::Kind::Object);
        call.complete = end.found && end.marker != kCall;
        m_reply.calls.push_back(std::move(call));
        return end.found;
    }

    std::string_view m_rest;
    const ReplyParserOptions &m_options;
    bool m_tools;
    std::string_view m_open = "<think>", m_close = "</think>";
    ParsedReply m_reply;
};

inline ParsedReply plainReply(std::string_view raw, const ReplyParserOptions &options)
{
    return PlainReply(raw, options).read();
}

} // namespace perilune::test
