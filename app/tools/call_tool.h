#pragma once

#include "app/tools/tool_registry.h"
#include "engine/api/chat_engine.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

struct ToolLimits {
    std::chrono::milliseconds time{10'000}; ///< of one call
    std::size_t resultBytes = 16'384;       ///< of one result; the rest is cut, with a note at its end
    std::size_t resultTokens = SIZE_MAX;    ///< of one result, by a guess that is rather too high
    std::size_t pictures = 4;               ///< of one result
    int rounds = 8;                         ///< of calls in one turn
    std::size_t calls = 16;                 ///< in one round
};

/// What came of a call. `result` answers it, whatever happened: the model is owed one for each call.
struct CallOutcome {
    enum class Kind {
        Done,
        Failed,   ///< the arguments were refused, or the tool said why not, or it broke
        TimedOut, ///< nobody waits for it any more
        Stopped,  ///< by the person
    };
    Kind kind = Kind::Done;
    Message result; ///< of role Tool, with the call's id; isFault() unless Done
};

/// How many tokens `text` has, by a guess that is rather too high, for no tokenizer is at hand here: a word
/// has one for each two letters, other scripts one for each two bytes, each sign and digit is one.
std::size_t tokensAtMost(std::string_view text);
/// The most bytes of `text`, whole characters, that have no more than `tokens` by that guess.
std::size_t bytesWithin(std::string_view text, std::size_t tokens);

/// How a result begins that says why there is none.
inline constexpr std::string_view kToolFault = "Error: ";

/// Whether `result` says why there is none: its first part is kToolFault and nothing more, as refusedCall()
/// writes it. What a tool gives back never begins with such a part, whatever its words.
bool isFault(const Message &result);

/// Whether `call` can be made: the model wrote it to its end (one that broke off or can't be understood has
/// no name), its tool is there, and its arguments are what the tool takes. The error is for the model.
Status checkCall(const ToolRegistry &registry, const ToolCallPart &call);

/// Runs one call on a thread of its own and waits for it: at most `limits.time`, and only until `stop`. A
/// tool that goes on after that is left alone, and what it gives back is dropped; one that has four such
/// calls is not called again until one of them ends. Bytes that are not UTF-8 and control characters (but for
/// tab and newline) in the result are replaced by U+FFFD; a picture that the model can't be shown makes the
/// call a failed one. Never throws for what a tool does.
CallOutcome callTool(const ToolRegistry &registry, const ToolCallPart &call, ToolContext context,
                     const ToolLimits &limits, const std::stop_token &stop);

/// The answer to a call that was not made, in words.
Message refusedCall(const ToolCallPart &call, const std::string &why);

/// Which call of a turn: each reply that calls tools is a round, and its calls have a place.
struct CallPlace {
    int round = 1; ///< 1 is the first
    std::size_t index = 0;
};

/// Why the call in `place` goes beyond the limits, for the model; empty where it doesn't.
std::string overLimit(CallPlace place, const ToolLimits &limits);

/// Whether the model is asked again once the calls of `round` are answered. Those of the round after the last
/// are answered with refusals, so that it can say what it knows; then the turn is over.
bool asksAgain(int round, const ToolLimits &limits);

/// Why none of the calls of an answer is made that ended so, for the model; empty where they are.
std::string whyNoCalls(ReplySummary::Finish finish, int round, const ToolLimits &limits);

/// The calls of an answer, in order.
std::vector<ToolCallPart> callsOf(const Message &answer);

/// A conversation for the model, which is owed a result for each of its calls: where one is missing, for the
/// program ended or the disk was full, a refusal stands in its place.
std::vector<Message> withEveryResult(std::vector<Message> messages);

} // namespace perilune
