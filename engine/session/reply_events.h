#pragma once

#include "engine/api/chat_engine.h"
#include "engine/text/reply_parser.h"
#include "engine/text/tokenizer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace perilune {

/// Turns the tokens of one reply into events.
///
/// Every call that the model began becomes a ToolCallReady, so that it is seen, kept and answered. One that
/// was written to its end carries its tool's name, whatever its arguments are. One that broke off, or that
/// can't be understood, has no name: it is never made. Its id and arguments are what the model wrote.
class ReplyEvents {
public:
    /// All of these outlive it.
    ReplyEvents(const Tokenizer &tokenizer, const ChatRequest &request, const ReplySink &sink);

    Status take(TokenId id);

    /// After the last token: tells what was held back, and writes down which calls broke off or could not be
    /// understood. A reply that stopped by itself with calls to make ends as Finish::ToolCalls.
    void finish(ReplySummary &summary);

private:
    /// Brings the parser to where `message` ends; what comes of it is known to who asked.
    void begin(ChatFamily family, const Message &message, bool thinking);
    void emit(const std::vector<ReplyDelta> &deltas);

    StreamingDecoder m_decoder;
    ReplyParser m_parser;
    const ReplySink &m_sink;
    std::size_t m_knownThinking = 0, m_knownText = 0; // bytes still to come that were there before
    std::size_t m_calls = 0;                          // that may be made
    std::size_t m_malformed = 0;                      // of the parser's, told
    std::vector<std::string> m_brokenOff;
};

} // namespace perilune
