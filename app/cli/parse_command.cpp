#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "app/cli/text_lines.h"
#include "engine/text/reply_parser.h"
#include "engine/text/utf8.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string thinking;
    bool lines = false;
};

JsonValue callToJson(const ParsedCall &call)
{
    JsonValue json = JsonValue::object();
    json.add("id", JsonValue::string(call.id));
    json.add("name", JsonValue::string(call.name));
    json.add("arguments", JsonValue::string(call.arguments));
    json.add("json_ok", JsonValue::boolean_(call.jsonOk));
    json.add("complete", JsonValue::boolean_(call.complete));
    return json;
}

JsonValue replyToJson(const ParsedReply &reply, bool nullThinking)
{
    JsonValue calls = JsonValue::array(), malformed = JsonValue::array();
    for (const ParsedCall &call : reply.calls)
        calls.items.push_back(callToJson(call));
    for (const std::string &raw : reply.malformed)
        malformed.items.push_back(JsonValue::string(raw));
    JsonValue json = JsonValue::object();
    json.add("thinking",
             reply.thinking.empty() && nullThinking ? JsonValue() : JsonValue::string(reply.thinking));
    json.add("content", JsonValue::string(reply.text));
    json.add("tool_calls", std::move(calls));
    json.add("malformed", std::move(malformed));
    return json;
}

Result<JsonValue> parsedLine(const JsonValue &line, ReplyParserOptions options)
{
    const Result<std::optional<bool>> thinking = flagOf(line, "thinking");
    if (!thinking)
        return thinking.error();
    options.thinking = thinking->value_or(options.thinking);
    if (const JsonValue *tools = line.find("tools"))
        options.toolsJson = toJson(*tools);
    ReplyParser parser(options);
    const JsonValue *chunks = line.find("chunks");
    if (chunks && chunks->is(JsonValue::Kind::Array)) {
        for (const JsonValue &chunk : chunks->items) {
            if (!chunk.is(JsonValue::Kind::String))
                return Error{ErrorCode::InvalidInput, "a chunk is not a text"};
            parser.feed(chunk.text);
        }
    } else {
        const Result<std::string> raw = textOf(line, "raw");
        if (!raw)
            return raw.error();
        parser.feed(*raw);
    }
    parser.finish();
    return replyToJson(parser.result(), false);
}

void printForPeople(const ParsedReply &reply)
{
    if (!reply.thinking.empty())
        std::cout << "thinking: " << forOutput(reply.thinking) << '\n';
    if (!reply.text.empty())
        std::cout << "answer: " << forOutput(reply.text) << '\n';
    for (const ParsedCall &call : reply.calls)
        std::cout << "call " << forOutput(call.id + ": " + call.name + ' ' + call.arguments)
                  << (call.complete ? "" : " (cut off)") << '\n';
    for (const std::string &raw : reply.malformed)
        std::cout << "not understood: " << forOutput(raw) << '\n';
}

int parse(const Options &options)
{
    endAtSignal();
    const Result<ChatFamily> family = chosenFamily(options.common);
    if (!family)
        return fail(family.error());
    ReplyParserOptions parser;
    parser.family = *family;
    parser.thinking = onOrOff(options.thinking).value_or(true);
    if (options.lines)
        return answerLines([&](const JsonValue &line) { return parsedLine(line, parser); });
    const Result<std::string> raw = readStandardInput();
    if (!raw)
        return fail(raw.error());
    const ParsedReply reply = parseReply(repairedUtf8(*raw), parser);
    if (options.common.json)
        printLine(replyToJson(reply, true));
    else
        printForPeople(reply);
    return kDone;
}

} // namespace

void addParseCommand(CLI::App &app, Run &run)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand(
        "parse", "Split raw model output on standard input into thinking, answer and tool calls");
    addCommonOptions(*command, options->common);
    command->add_option("--thinking", options->thinking, "whether the prompt let the model think: on or off")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_flag(
        "--lines", options->lines,
        R"(answer each line {"raw":…} or {"chunks":[…]}, with "thinking" and "tools", by a line)");
    command->callback([options, &run] { run = [options] { return parse(*options); }; });
}

} // namespace perilune::cli
