#include "engine/text/reply_parser.h"

#include "engine/text/json_value.h"
#include "engine/text/tool_call.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace perilune {

namespace {

enum class Mark { Stop, ThinkBegin, ThinkEnd, SectionBegin, SectionEnd, CallBegin, ArgumentBegin, CallEnd };

struct Marker {
    Mark mark;
    std::string_view text;
};

constexpr Marker kStops[] = {
    {Mark::Stop, "<|im_end|>"},
    {Mark::Stop, "[EOS]"     },
    {Mark::Stop, "[EOT]"     }
};
// The misspelt section markers do come: models write them now and then.
constexpr Marker kTools[] = {
    {Mark::SectionBegin,  "<|tool_calls_section_begin|>"},
    {Mark::SectionBegin,  "<|tool_call_section_begin|>" },
    {Mark::SectionEnd,    "<|tool_calls_section_end|>"  },
    {Mark::SectionEnd,    "<|tool_call_section_end|>"   },
    {Mark::CallBegin,     "<|tool_call_begin|>"         },
    {Mark::ArgumentBegin, "<|tool_call_argument_begin|>"},
    {Mark::CallEnd,       "<|tool_call_end|>"           },
};
constexpr std::string_view kCallBegin = "<|tool_call_begin|>",
                           kArgumentBegin = "<|tool_call_argument_begin|>";

/// Every marker begins with one of these bytes.
constexpr std::string_view kMarkerBegins = "<[\xE2";

} // namespace

/// The state machine. m_pending holds what has arrived and not been decided; each step takes from its front
/// until what is left could be the beginning of a marker.
class ReplyParser::Machine {
public:
    explicit Machine(const ReplyParserOptions &options)
        : m_tools(options.toolsJson),
          m_hasTools(chatFeatures(options.family).tools),
          m_dropsThinkEnd(options.thinking),
          m_stopTexts(options.stopTexts)
    {
        const bool vision = options.family == ChatFamily::KimiVl;
        m_thinkBegin = vision ? "◁think▷" : "<think>";
        m_thinkEnd = vision ? "◁/think▷" : "</think>";
        // Only these prompts end inside the thinking; elsewhere the model opens it by itself.
        if (chatFeatures(options.family).thinkingSwitch && options.thinking)
            m_state = State::ThinkingStart;
        else
            m_state = State::AnswerStart;
    }

    void feed(std::string_view piece)
    {
        if (m_state == State::Stopped)
            return;
        m_pending += piece;
        while (step()) {
        }
    }

    void finish()
    {
        m_finishing = true;
        while (step()) {
        }
        switch (m_state) {
        case State::Header: malformed(m_header); break;
        case State::Arguments: endCall(false); break;
        default: endText(); break;
        }
        m_state = State::Stopped;
    }

    std::vector<ReplyDelta> takeDeltas() { return std::exchange(m_deltas, {}); }

    std::vector<ParsedCall> takeCalls()
    {
        std::vector<ParsedCall> calls(m_result.calls.begin() + static_cast<std::ptrdiff_t>(m_taken),
                                      m_result.calls.begin() + static_cast<std::ptrdiff_t>(m_ended));
        m_taken = m_ended;
        return calls;
    }

    const ParsedReply &result() const { return m_result; }
    bool stopped() const { return m_state == State::Stopped; }

private:
    enum class State {
        ThinkingStart, ///< inside the thinking, before its first word: more openings are dropped
        AnswerStart,   ///< before the first word: the model may open its thinking
        Thinking,
        Answer,
        Between, ///< in or behind a tool section, outside of a call: nothing counts but calls
        Header,
        Arguments,
        Stopped,
    };

    bool step()
    {
        switch (m_state) {
        case State::ThinkingStart: return opening(State::ThinkingStart, State::Thinking);
        case State::AnswerStart: return opening(State::ThinkingStart, State::Answer);
        case State::Stopped: return false;
        default: return body();
        }
    }

    /// White-space and the opening of the thinking lead to `opened`; anything else, kept whole, to `other`.
    bool opening(State opened, State other)
    {
        const std::string_view pending = std::string_view(m_pending).substr(m_at);
        m_spaceEnd += leadingSpace(pending.substr(m_spaceEnd));
        const std::string_view rest = pending.substr(m_spaceEnd);
        const bool opens = rest.starts_with(m_thinkBegin);
        const bool mayOpen = m_thinkBegin.starts_with(rest) || incompleteUtf8Tail(rest) == rest.size();
        if (!opens && mayOpen && !m_finishing) {
            forgetTaken();
            return false;
        }
        if (opens)
            m_at += m_spaceEnd + m_thinkBegin.size();
        m_spaceEnd = 0;
        m_state = opens ? opened : other;
        return true;
    }

    /// Whether `mark` means something in the present state; otherwise it is plain text there.
    bool counts(Mark mark) const
    {
        switch (mark) {
        case Mark::Stop: return true;
        case Mark::ThinkBegin: return false;
        case Mark::ThinkEnd:
            return m_state == State::Thinking || (m_state == State::Answer && m_dropsThinkEnd);
        case Mark::SectionBegin: return m_state == State::Thinking || m_state == State::Answer;
        case Mark::CallBegin: return true;
        case Mark::ArgumentBegin: return m_state == State::Answer || m_state == State::Header;
        case Mark::SectionEnd:
        case Mark::CallEnd: return m_state != State::Thinking && m_state != State::Between;
        }
        return false;
    }

    template <typename Use>
    void eachMarker(Use use) const
    {
        if (m_stopTexts) {
            for (const Marker &marker : kStops)
                use(marker);
        }
        if (m_hasTools) {
            for (const Marker &marker : kTools) {
                if (counts(marker.mark))
                    use(marker);
            }
        }
        if (counts(Mark::ThinkEnd))
            use(Marker{Mark::ThinkEnd, m_thinkEnd});
    }

    bool body()
    {
        const std::string_view pending = std::string_view(m_pending).substr(m_at);
        std::size_t end = pending.find_first_of(kMarkerBegins);
        for (; end < pending.size(); end = pending.find_first_of(kMarkerBegins, end + 1)) {
            const std::string_view rest = pending.substr(end);
            std::optional<Marker> found;
            bool mayGrow = false;
            eachMarker([&](const Marker &marker) {
                if (rest.starts_with(marker.text))
                    found = marker;
                mayGrow = mayGrow || marker.text.starts_with(rest);
            });
            if (found) {
                consume(end, found->text.size());
                reached(found->mark);
                return true;
            }
            if (mayGrow && !m_finishing)
                break;
        }
        end = std::min(end, pending.size());
        if (!m_finishing && end == pending.size())
            end -= incompleteUtf8Tail(pending);
        consume(end, 0);
        forgetTaken();
        return false;
    }

    /// Once for each piece that arrives: moving the rest to the front at each marker would take the square of
    /// a long piece's time.
    void forgetTaken() { m_pending.erase(0, std::exchange(m_at, 0)); }

    /// Takes `plain` bytes of text from the front of what is pending, and a marker of `marker` bytes behind
    /// it.
    void consume(std::size_t plain, std::size_t marker)
    {
        const std::string words = m_pending.substr(m_at, plain);
        m_at += plain + marker;
        take(words);
    }

    void take(std::string_view plain)
    {
        switch (m_state) {
        case State::Thinking: addThinking(plain); break;
        case State::Answer: addAnswer(plain); break;
        case State::Header: m_header += plain; break;
        case State::Arguments: addArguments(plain); break;
        default: break;
        }
    }

    void reached(Mark mark)
    {
        if (mark == Mark::Stop) {
            m_pending.clear();
            m_at = 0;
            finish();
            return;
        }
        switch (m_state) {
        case State::Thinking:
            m_space.clear(); // at the end of the thinking
            if (mark == Mark::ThinkEnd)
                m_state = State::Answer;
            else
                toCalls(mark);
            break;
        case State::Answer:
            if (mark == Mark::SectionBegin || mark == Mark::CallBegin) {
                m_space.clear(); // an answer of white-space before a call is none
                toCalls(mark);
            }
            break;
        case State::Between: toCalls(mark); break;
        case State::Header:
            if (mark == Mark::ArgumentBegin) {
                beginArguments();
            } else {
                malformed(m_header);
                toCalls(mark);
            }
            break;
        case State::Arguments:
            endCall(mark != Mark::CallBegin);
            toCalls(mark);
            break;
        default: break;
        }
    }

    void toCalls(Mark mark)
    {
        m_state = mark == Mark::CallBegin ? State::Header : State::Between;
        m_header.clear();
    }

    void emit(ReplyDelta::Kind kind, std::string text, std::size_t call = 0)
    {
        if (text.empty())
            return;
        if (!m_deltas.empty() && m_deltas.back().kind == kind && m_deltas.back().call == call)
            m_deltas.back().text += text;
        else
            m_deltas.push_back({kind, std::move(text), call});
    }

    /// Keeps white-space at the end of `plain` back in m_space; returns what is certain to be followed by
    /// more.
    std::string withoutTrailingSpace(std::string_view plain)
    {
        const std::size_t space = trailingSpace(plain);
        std::string words;
        if (space < plain.size()) {
            words = std::exchange(m_space, {});
            words += plain.substr(0, plain.size() - space);
        }
        m_space += plain.substr(plain.size() - space);
        return words;
    }

    void addThinking(std::string_view plain)
    {
        const std::string words = withoutTrailingSpace(plain);
        m_result.thinking += words;
        emit(ReplyDelta::Kind::Thinking, words);
    }

    void addAnswer(std::string_view plain)
    {
        if (m_result.text.empty() && leadingSpace(plain) == plain.size()) {
            m_space += plain;
            return;
        }
        const std::string words = std::exchange(m_space, {}) + std::string(plain);
        m_result.text += words;
        emit(ReplyDelta::Kind::Text, words);
    }

    /// At the end of the output: white-space alone is an answer, but no thinking.
    void endText()
    {
        if (m_state == State::Answer) {
            m_result.text += m_space;
            emit(ReplyDelta::Kind::Text, m_space);
        }
        m_space.clear();
    }

    void malformed(std::string_view behindBegin)
    {
        m_result.malformed.push_back(std::string(kCallBegin) + std::string(behindBegin));
    }

    void beginArguments()
    {
        m_state = State::Arguments;
        m_arguments.clear();
        m_space.clear();
        const std::string_view id = trimmed(m_header);
        const std::optional<std::string> name = toolNameOfId(id);
        m_named = name.has_value();
        if (name)
            beginCall(std::string(id), *name);
    }

    void beginCall(std::string id, std::string name)
    {
        m_result.calls.push_back({std::move(id), std::move(name), {}, false, false, false});
        emit(ReplyDelta::Kind::CallName, m_result.calls.back().name, m_result.calls.size() - 1);
    }

    void addArguments(std::string_view plain)
    {
        m_arguments += plain; // as they came, for a call that turns out to be malformed
        if (!m_named)
            return;
        if (m_result.calls.back().arguments.empty() && m_space.empty())
            plain.remove_prefix(leadingSpace(plain));
        addInput(withoutTrailingSpace(plain));
    }

    void addInput(const std::string &words)
    {
        m_result.calls.back().arguments += words;
        emit(ReplyDelta::Kind::CallInput, words, m_result.calls.size() - 1);
    }

    void endCall(bool complete)
    {
        m_space.clear();
        if (!m_named) {
            const std::string_view id = trimmed(m_header);
            const std::optional<std::string> name =
                isBareIndex(id) ? m_tools.nameForArguments(m_arguments) : std::nullopt;
            if (!name) {
                malformed(m_header + std::string(kArgumentBegin) + m_arguments);
                return;
            }
            beginCall(std::string(id), *name);
            addInput(std::string(trimmed(m_arguments)));
        }
        if (m_result.calls.back().arguments.empty())
            addInput("{}");
        ParsedCall &call = m_result.calls.back();
        const Result<JsonValue> json = parseJson(call.arguments);
        call.jsonOk = json.has_value();
        call.isObject = json && json->is(JsonValue::Kind::Object);
        call.complete = complete;
        m_ended = m_result.calls.size();
    }

    DeclaredTools m_tools;
    bool m_hasTools;
    bool m_dropsThinkEnd; // a closing without an opening is dropped from the answer
    bool m_stopTexts;
    std::string_view m_thinkBegin, m_thinkEnd;

    State m_state = State::AnswerStart;
    bool m_finishing = false;
    std::string m_pending;      // arrived, not decided
    std::size_t m_at = 0;       // of m_pending, already taken
    std::size_t m_spaceEnd = 0; // of the white-space at the beginning of m_pending
    std::string m_space;        // white-space that may turn out to stand at an end
    std::string m_header;       // of the present call
    std::string m_arguments;    // of the present call, untrimmed
    bool m_named = false;       // the present call's header names its tool

    ParsedReply m_result;
    std::vector<ReplyDelta> m_deltas;
    std::size_t m_ended = 0, m_taken = 0; // calls
};

ReplyParser::ReplyParser(const ReplyParserOptions &options) : m_machine(std::make_unique<Machine>(options)) {}
ReplyParser::~ReplyParser() = default;
ReplyParser::ReplyParser(ReplyParser &&) noexcept = default;
ReplyParser &ReplyParser::operator=(ReplyParser &&) noexcept = default;

std::vector<ReplyDelta> ReplyParser::feed(std::string_view piece)
{
    m_machine->feed(piece);
    return m_machine->takeDeltas();
}

std::vector<ReplyDelta> ReplyParser::finish()
{
    if (!m_machine->stopped())
        m_machine->finish();
    return m_machine->takeDeltas();
}

const ParsedReply &ReplyParser::result() const
{
    return m_machine->result();
}

std::vector<ParsedCall> ReplyParser::takeCalls()
{
    return m_machine->takeCalls();
}

bool ReplyParser::stopped() const
{
    return m_machine->stopped();
}

ParsedReply parseReply(std::string_view raw, const ReplyParserOptions &options)
{
    ReplyParser parser(options);
    parser.feed(raw);
    parser.finish();
    return parser.result();
}

} // namespace perilune
