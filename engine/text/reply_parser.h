#pragma once

#include "engine/api/message.h"
#include "engine/base/result.h"
#include "engine/text/chat_family.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perilune {

/// A call as the model wrote it.
struct ParsedCall {
    std::string id, name;
    std::string arguments; ///< trimmed; "{}" where the model wrote none
    bool jsonOk = false;   ///< `arguments` is JSON
    bool isObject = false; ///< … and an object; nothing else may be executed
    bool complete = false; ///< false where the end is missing: show it, never execute it
    bool operator==(const ParsedCall &) const = default;
};

struct ParsedReply {
    std::string thinking, text;
    std::vector<ParsedCall> calls;
    std::vector<std::string> malformed; ///< raw text of calls that could not be understood
    bool operator==(const ParsedReply &) const = default;
};

/// What one feed() made known. Concatenated over a reply, the deltas of a kind are that part of the result.
struct ReplyDelta {
    enum class Kind {
        Thinking,  ///< more of the thinking
        Text,      ///< more of the answer
        CallName,  ///< a call has begun: `text` is the tool's name, `call` its index
        CallInput, ///< more of the arguments of call `call`
    };
    Kind kind = Kind::Text;
    std::string text;
    std::size_t call = 0;
    bool operator==(const ReplyDelta &) const = default;
};

struct ReplyParserOptions {
    ChatFamily family = ChatFamily::K25;
    bool thinking = true;  ///< the prompt left the reply inside the thinking, or lets it think
    std::string toolsJson; ///< the declared tools; names calls that carry a number only
    /// A stop token's text ends the reply: for output that is known as text only. Off where who decodes sees
    /// the ids and words that merely spell a stop token are words.
    bool stopTexts = true;
};

/// Splits raw model output into thinking, answer and tool calls while it arrives.
///
/// Any split of the output gives the same result. What is held back is at most the longest marker, plus white
/// space that may yet turn out to be trailing, however much there is: white space at the end of the thinking
/// is none of it, and only what follows tells whether it stands there. (The arguments of a call whose header
/// is a number are held back to their end, for they name its tool.) Nothing of a complete marker ever shows.
class ReplyParser {
public:
    explicit ReplyParser(const ReplyParserOptions &options);
    ~ReplyParser();
    ReplyParser(ReplyParser &&) noexcept;
    ReplyParser &operator=(ReplyParser &&) noexcept;

    /// Takes more of the output and returns what it made certain.
    std::vector<ReplyDelta> feed(std::string_view piece);

    /// Ends the output: what was held back is released as plain text of the part it stands in.
    std::vector<ReplyDelta> finish();

    /// Everything understood so far; final after finish().
    const ParsedReply &result() const;

    /// Calls that ended since the last takeCalls(): each is handed out once, in order.
    std::vector<ParsedCall> takeCalls();

    /// A stop marker was seen in the text: nothing that follows counts.
    bool stopped() const;

private:
    class Machine;
    std::unique_ptr<Machine> m_machine;
};

/// The whole of an output at once.
ParsedReply parseReply(std::string_view raw, const ReplyParserOptions &options);

} // namespace perilune
