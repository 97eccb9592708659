// Any split of a reply gives the same; the deltas of a kind, concatenated, are the result; and the result is
// what a plain reading of the whole gives.
#include "engine/text/reply_parser.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/plain_reply.h"

using namespace perilune;
using namespace perilune::fuzz;

namespace {

constexpr const char *kTools = R"([{"type":"function","function":{"name":"calc","parameters":{"type":"object",
"properties":{"a":{"type":"string"}}}}},{"type":"function","function":{"name":"find","parameters":{"type":"object",
"properties":{"b":{"type":"string"},"c":{"type":"string"}}}}}])";

/// What deltas add up to.
struct Shown {
    std::string thinking, text;
    std::vector<std::string> names, inputs;

    void take(const std::vector<ReplyDelta> &deltas)
    {
        for (const ReplyDelta &delta : deltas) {
            require(!delta.text.empty(), "no delta is empty");
            switch (delta.kind) {
            case ReplyDelta::Kind::Thinking: thinking += delta.text; break;
            case ReplyDelta::Kind::Text: text += delta.text; break;
            case ReplyDelta::Kind::CallName:
                require(delta.call == names.size(), "calls begin in order");
                names.push_back(delta.text);
                inputs.emplace_back();
                break;
            case ReplyDelta::Kind::CallInput:
                require(delta.call + 1 == names.size(), "the last call grows");
                inputs.back() += delta.text;
                break;
            }
        }
    }
};

ParsedReply inPieces(std::string_view raw, const ReplyParserOptions &options, std::size_t longest)
{
    ReplyParser parser(options);
    Shown shown;
    std::vector<ParsedCall> handedOut;
    const auto takeCalls = [&] {
        for (ParsedCall &call : parser.takeCalls())
            handedOut.push_back(std::move(call));
    };
    std::size_t length = 1;
    for (std::size_t at = 0; at < raw.size(); at += length) {
        length = longest == 1 ? 1 : 1 + (at * 2654435761u >> 7) % longest;
        shown.take(parser.feed(raw.substr(at, length)));
        takeCalls();
    }
    shown.take(parser.finish());
    takeCalls();
    const ParsedReply &reply = parser.result();
    require(shown.thinking == reply.thinking && shown.text == reply.text, "the deltas are the result");
    require(shown.names.size() == reply.calls.size(), "each call has begun once");
    for (std::size_t i = 0; i < reply.calls.size(); ++i)
        require(shown.names[i] == reply.calls[i].name && shown.inputs[i] == reply.calls[i].arguments,
                "the deltas of a call are the call");
    require(handedOut == reply.calls, "each call is handed out once");
    return reply;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    Input input(data, size);
    ReplyParserOptions options;
    options.family = static_cast<ChatFamily>(input.below(6));
    const std::size_t choices = input.below(256);
    options.thinking = choices & 1;
    options.stopTexts = choices & 2;
    options.toolsJson = choices & 4 ? kTools : "";
    const std::string_view raw = input.rest();

    const ParsedReply whole = parseReply(raw, options);
    require(whole == test::plainReply(raw, options), "the result is the plain reading's");
    require(inPieces(raw, options, 1) == whole, "a split at every byte gives the same");
    require(inPieces(raw, options, 2 + (choices >> 3)) == whole, "any split gives the same");
    return 0;
}
