#include "engine/text/reply_parser.h"
#include "engine/text/utf8.h"

#include "tests/engine/text/text_golden.h"
#include "tests/support/plain_reply.h"

using namespace perilune;
using namespace perilune::test;

class ReplyParserTest : public QObject {
    Q_OBJECT

private slots:
    void parsesEveryCase();
    void streamsEndAlike();
    void anySplitGivesTheSame();
    void randomSplitsOfRandomOutputGiveTheSame();
    void aPlainReadingGivesTheSame();
    void deltasAreTheResult();
    void holdsBackAtMostTheLongestMarker();
    void kimiVlThinksInWords();
    void familiesDifferInWhereTheyStart();
    void wordsOfAStopTokenAreWordsWhereIdsDecide();
    void handsOutEachCallOnce();
    void longOutputIsNotSlow();

private:
    std::string m_tools = textData("parse/tools.json");
};

static ReplyParserOptions optionsOf(const JsonValue &one, const std::string &tools)
{
    return {ChatFamily::K25, isTrue(one, "thinking_enabled", true), tools};
}

static ParsedReply expectedOf(const JsonValue &expected)
{
    ParsedReply reply;
    reply.thinking = member(expected, "thinking").text;
    reply.text = member(expected, "text").text;
    for (const JsonValue &call : member(expected, "tool_calls").items) {
        const std::string &arguments = member(call, "arguments").text;
        reply.calls.push_back(
            {member(call, "id").text, member(call, "name").text, arguments, isTrue(call, "json_ok", false),
             isTrue(call, "json_ok", false) && arguments.starts_with("{"), isTrue(call, "complete", false)});
    }
    if (const JsonValue *malformed = expected.find("malformed")) {
        for (const JsonValue &raw : malformed->items)
            reply.malformed.push_back(raw.text);
    }
    return reply;
}

/// What the pieces give, and that the deltas add up to it.
static ParsedReply parsePieces(const std::vector<std::string> &pieces, const ReplyParserOptions &options)
{
    ReplyParser parser(options);
    std::string thinking, text;
    std::vector<std::string> names, inputs;
    const auto take = [&](const std::vector<ReplyDelta> &deltas) {
        for (const ReplyDelta &delta : deltas) {
            if (delta.kind == ReplyDelta::Kind::Thinking)
                thinking += delta.text;
            if (delta.kind == ReplyDelta::Kind::Text)
                text += delta.text;
            if (delta.kind == ReplyDelta::Kind::CallName) {
                names.push_back(delta.text);
                inputs.emplace_back();
            }
            if (delta.kind == ReplyDelta::Kind::CallInput)
                inputs.at(delta.call) += delta.text;
        }
    };
    for (const std::string &piece : pieces)
        take(parser.feed(piece));
    take(parser.finish());
    const ParsedReply reply = parser.result();
    if (thinking != reply.thinking || text != reply.text || names.size() != reply.calls.size())
        qFatal("the deltas are not the result");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] != reply.calls[i].name || inputs[i] != reply.calls[i].arguments)
            qFatal("the deltas of a call are not the call");
    }
    return reply;
}

static std::vector<std::string> bytesOf(const std::string &text)
{
    std::vector<std::string> bytes;
    for (const char byte : text)
        bytes.emplace_back(1, byte);
    return bytes;
}

void ReplyParserTest::parsesEveryCase()
{
    for (const JsonValue &one : textCases("parse/cases.jsonl")) {
        const ParsedReply reply = parseReply(member(one, "raw").text, optionsOf(one, m_tools));
        QVERIFY2(reply == expectedOf(member(one, "expected")), member(one, "id").text.c_str());
    }
}

void ReplyParserTest::streamsEndAlike()
{
    std::map<std::string, ParsedReply>
        policy; // where the references and cases.jsonl differ, the latter holds
    for (const JsonValue &one : textCases("parse/cases.jsonl"))
        policy[member(one, "id").text] = expectedOf(member(one, "expected"));
    for (const JsonValue &one : textCases("parse/streaming.jsonl")) {
        std::vector<std::string> chunks;
        for (const JsonValue &chunk : member(one, "chunks").items)
            chunks.push_back(chunk.text);
        const std::string id = member(one, "id").text;
        const ParsedReply reply = parsePieces(chunks, optionsOf(one, m_tools));
        const auto known = policy.find(id.substr(0, id.find('/')));
        QVERIFY2(known != policy.end() && reply == known->second, id.c_str());
    }
}

void ReplyParserTest::anySplitGivesTheSame()
{
    for (const JsonValue &one : textCases("parse/cases.jsonl")) {
        const std::string raw = member(one, "raw").text;
        const ParsedReply expected = expectedOf(member(one, "expected"));
        const ReplyParserOptions options = optionsOf(one, m_tools);
        QVERIFY2(parsePieces(bytesOf(raw), options) == expected, member(one, "id").text.c_str());
        for (std::size_t cut = 0; cut <= std::min<std::size_t>(raw.size(), 600); ++cut)
            QVERIFY2(parsePieces({raw.substr(0, cut), raw.substr(cut)}, options) == expected,
                     member(one, "id").text.c_str());
    }
}

static std::string randomOutput(Random &random)
{
    static const std::vector<std::string> atoms = {"<think>",
                                                   "</think>",
                                                   "<|tool_calls_section_begin|>",
                                                   "<|tool_calls_section_end|>",
                                                   "<|tool_call_section_begin|>",
                                                   "<|tool_call_begin|>",
                                                   "<|tool_call_argument_begin|>",
                                                   "<|tool_call_end|>",
                                                   "functions.calc:0",
                                                   "calc:1",
                                                   "7",
                                                   ":",
                                                   "{\"expr\": 1}",
                                                   "{\"city\": \"",
                                                   "\"}",
                                                   " ",
                                                   "\n",
                                                   "\u3000",
                                                   "é",
                                                   "🙂",
                                                   "word",
                                                   "<",
                                                   "<|",
                                                   "[",
                                                   "[EO",
                                                   "◁think▷",
                                                   "◁/think▷",
                                                   "|>"};
    std::string raw;
    for (std::size_t count = random.below(24); count > 0; --count)
        raw += atoms[random.below(atoms.size())];
    if (random.below(8) == 0)
        raw += "<|im_end|> behind";
    return raw;
}

void ReplyParserTest::randomSplitsOfRandomOutputGiveTheSame()
{
    Random random(17);
    for (int i = 0; i < 4000; ++i) {
        const std::string raw = randomOutput(random);
        const ReplyParserOptions options = {static_cast<ChatFamily>(random.below(6)), random.below(2) == 0,
                                            m_tools};
        const ParsedReply whole = parseReply(raw, options);
        std::vector<std::string> pieces;
        for (std::size_t at = 0; at < raw.size();) {
            const std::size_t length = 1 + random.below(9);
            pieces.push_back(raw.substr(at, length));
            at += length;
        }
        QVERIFY2(parsePieces(pieces, options) == whole, raw.c_str());
        QVERIFY2(parsePieces(bytesOf(raw), options) == whole, raw.c_str());
    }
}

void ReplyParserTest::aPlainReadingGivesTheSame()
{
    for (const JsonValue &one : textCases("parse/cases.jsonl")) {
        const ReplyParserOptions options = optionsOf(one, m_tools);
        QVERIFY2(plainReply(member(one, "raw").text, options) == expectedOf(member(one, "expected")),
                 member(one, "id").text.c_str());
    }
    Random random(23);
    for (int i = 0; i < 20'000; ++i) {
        const std::string raw = randomOutput(random);
        ReplyParserOptions options{static_cast<ChatFamily>(random.below(6)), random.below(2) == 0, m_tools};
        options.stopTexts = random.below(4) != 0;
        QVERIFY2(parseReply(raw, options) == plainReply(raw, options), raw.c_str());
    }
}

void ReplyParserTest::deltasAreTheResult()
{
    ReplyParser parser({ChatFamily::K25, true, m_tools});
    using Kind = ReplyDelta::Kind;

    QCOMPARE(parser.feed("<think>Hm").size(), std::size_t(1));
    QVERIFY(parser.feed(" \n</thi").empty());
    QVERIFY((parser.feed("nk>Yes ") == std::vector<ReplyDelta>{
                                           {Kind::Text, "Yes ", 0}
    }));
    QVERIFY(parser.feed("<|tool_calls_section_begin|><|tool_call_begin|>functions.calc:0").empty());
    QVERIFY((parser.feed("<|tool_call_argument_begin|> {\"a\"") ==
             std::vector<ReplyDelta>{
                 {Kind::CallName,  "calc",   0},
                 {Kind::CallInput, "{\"a\"", 0}
    }));
    QVERIFY((parser.feed(": 1} ") == std::vector<ReplyDelta>{
                                         {Kind::CallInput, ": 1}", 0}
    }));
    QVERIFY(parser.takeCalls().empty());
    QVERIFY(parser.feed("<|tool_call_end|>").empty());
    QCOMPARE(parser.takeCalls().size(), std::size_t(1));
    QVERIFY(!parser.stopped());
    QVERIFY(parser.feed("<|im_end|>more").empty());
    QVERIFY(parser.stopped());
    QCOMPARE(parser.result().thinking, std::string("Hm"));
}

/// Whether `rest` may be held back: white space, and then the beginning of a marker or of a character.
static bool mayBeHeld(std::string_view rest)
{
    rest.remove_prefix(leadingSpace(rest));
    if (incompleteUtf8Tail(rest) == rest.size())
        return true;
    static constexpr std::string_view markers[] = {"<|tool_calls_section_begin|>",
                                                   "<|tool_call_section_begin|>",
                                                   "<|tool_calls_section_end|>",
                                                   "<|tool_call_section_end|>",
                                                   "<|tool_call_argument_begin|>",
                                                   "<|tool_call_begin|>",
                                                   "<|tool_call_end|>",
                                                   "<|im_end|>",
                                                   "[EOS]",
                                                   "[EOT]",
                                                   "<think>",
                                                   "</think>",
                                                   "\u25C1think\u25B7",
                                                   "\u25C1/think\u25B7"};
    return std::ranges::any_of(markers, [rest](std::string_view marker) {
        return rest.size() < marker.size() && marker.starts_with(rest);
    });
}

void ReplyParserTest::holdsBackAtMostTheLongestMarker()
{
    for (const char *fair : {"", " \n\u3000", "<", " <|tool_call_", "\xF0\x9F", "[EO", "\u25C1/thi"})
        QVERIFY2(mayBeHeld(fair), fair);
    for (const char *unfair : {"word", "<|tool_call_end|>", "<x", "a <", "< |"})
        QVERIFY2(!mayBeHeld(unfair), unfair);

    Random random(29);
    int looked = 0;
    for (int i = 0; i < 1500; ++i) {
        const std::string begun =
            random.below(3) == 0 ? "<|tool_call_begin|>functions.calc:0<|tool_call_argument_begin|>{" : "";
        const std::string raw = begun + randomOutput(random);
        const ReplyParserOptions options{static_cast<ChatFamily>(random.below(6)), random.below(2) == 0,
                                         m_tools};
        ReplyParser parser(options);
        for (std::size_t end = 1; end <= raw.size() && !parser.stopped(); ++end) {
            parser.feed(std::string_view(raw).substr(end - 1, 1));
            // Ending here would release what is held.
            const ParsedReply ended = parseReply(std::string_view(raw).substr(0, end), options);
            const ParsedReply &now = parser.result();
            const auto fair = [&](const std::string &all, const std::string &shown) {
                return all.starts_with(shown) && mayBeHeld(std::string_view(all).substr(shown.size()));
            };
            QVERIFY2(fair(ended.thinking, now.thinking) && fair(ended.text, now.text), raw.c_str());
            // Headers are shown when they are whole, and so is a call whose arguments name its tool.
            if (now.calls.empty() || now.calls.size() != ended.calls.size() ||
                ended.calls.back().arguments == "{}")
                continue;
            ++looked;
            QVERIFY2(fair(ended.calls.back().arguments, now.calls.back().arguments), raw.c_str());
        }
    }
    QVERIFY(looked > 1000);
}

void ReplyParserTest::kimiVlThinksInWords()
{
    const ReplyParserOptions options{ChatFamily::KimiVl, true, ""};
    const ParsedReply reply =
        parseReply("◁think▷a plan\n◁/think▷The <|tool_call_begin|> answer◁/think▷", options);
    QCOMPARE(reply.thinking, std::string("a plan"));
    QCOMPARE(reply.text, std::string("The <|tool_call_begin|> answer"));
    QCOMPARE(parseReply("No plan.", options).text, std::string("No plan."));
}

void ReplyParserTest::familiesDifferInWhereTheyStart()
{
    for (const ChatFamily family : {ChatFamily::K25, ChatFamily::K26})
        QCOMPARE(parseReply("x", {family, true, ""}).thinking, std::string("x"));
    for (const ChatFamily family :
         {ChatFamily::K2, ChatFamily::K2Thinking, ChatFamily::KimiVl, ChatFamily::Moonlight})
        QCOMPARE(parseReply("x", {family, true, ""}).text, std::string("x"));
    QCOMPARE(parseReply(" <think>x</think>y", {ChatFamily::K2Thinking, true, ""}).thinking, std::string("x"));
}

void ReplyParserTest::wordsOfAStopTokenAreWordsWhereIdsDecide()
{
    ReplyParserOptions options{ChatFamily::K25, false, m_tools};
    const std::string raw = "<|im_end|> ends a message, [EOS] and [EOT] a text.";
    QCOMPARE(parseReply("a<|im_end|>b", options).text, std::string("a"));
    options.stopTexts = false;
    QCOMPARE(parseReply(raw, options).text, raw);
    const ParsedReply call = parseReply("<|tool_call_begin|>functions.calc:0<|tool_call_argument_begin|>"
                                        "{\"a\": \"[EOS]\"}<|tool_call_end|>",
                                        options);
    QCOMPARE(call.calls.size(), std::size_t(1));
    QCOMPARE(call.calls[0].arguments, std::string("{\"a\": \"[EOS]\"}"));
}

void ReplyParserTest::handsOutEachCallOnce()
{
    ReplyParser parser({ChatFamily::K25, false, m_tools});
    const std::string call =
        "<|tool_call_begin|>functions.calc:0<|tool_call_argument_begin|>{}<|tool_call_end|>";
    parser.feed(call + call);
    QCOMPARE(parser.takeCalls().size(), std::size_t(2));
    parser.feed("<|tool_call_begin|>functions.calc:2<|tool_call_argument_begin|>{\"a");
    QVERIFY(parser.takeCalls().empty());
    parser.finish();
    const std::vector<ParsedCall> rest = parser.takeCalls();
    QCOMPARE(rest.size(), std::size_t(1));
    QVERIFY(!rest[0].complete && !rest[0].jsonOk);
}

void ReplyParserTest::longOutputIsNotSlow()
{
    QElapsedTimer timer;
    timer.start();
    for (const char *unit :
         {"<|tool_call_end|>", "<", " ", "<|tool_call_begin|>", "<|tool_", "</think>", "word ", "<think>",
          "\n<think>", "<|tool_calls_section_begin|>", "<|tool_call_argument_begin|>",
          "<|tool_call_begin|>a:1<|tool_call_argument_begin|>{}<|tool_call_end|>"}) {
        std::string raw;
        while (raw.size() < 4'000'000)
            raw += unit;
        parseReply(raw, {ChatFamily::K25, true, m_tools});
        ReplyParser parser({ChatFamily::K25, true, m_tools});
        for (std::size_t at = 0; at < 1'000'000; at += 4)
            parser.feed(raw.substr(at, 4));
        parser.finish();
    }
    QVERIFY2(timer.elapsed() < 20'000, "60 MB took more than 20 seconds"); // a quadratic parser: hours
}

QTEST_GUILESS_MAIN(ReplyParserTest)
#include "reply_parser_test.moc"
