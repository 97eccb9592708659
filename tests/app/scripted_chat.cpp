// A chat in the terminal whose model and tools misbehave, for terminal_chat_test: the loop of perilune-cli
// over a scripted engine. Arguments: the file of what was approved, whether it asks (0 or 1), and then what
// each reply is: "say:TEXT" (a byte at a time), "think:TEXT", or "call:TOOL:ARGUMENTS". Percent escapes stand
// for bytes. The last argument is the file that the messages of the last request go to.
#include "app/cli/chat_loop.h"
#include "tests/support/hostile_tools.h"
#include "tests/support/scripted_engine.h"

#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace perilune;

namespace {

std::string unescaped(std::string_view text)
{
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            bytes += text[i];
            continue;
        }
        bytes += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
        i += 2;
    }
    return bytes;
}

test::ScriptedReply replyOf(std::string_view line)
{
    test::ScriptedReply reply;
    const std::string_view kind = line.substr(0, line.find(':'));
    const std::string rest = unescaped(line.substr(kind.size() + 1));
    if (kind == "call") {
        const std::size_t end = rest.find(':');
        const std::string name = rest.substr(0, end);
        reply.events.emplace_back(ToolCallReady{
            {"functions." + name + ":0", name, rest.substr(end + 1)}
        });
        reply.finish = ReplySummary::Finish::ToolCalls;
        return reply;
    }
    for (const char byte : rest) {
        if (kind == "think")
            reply.events.emplace_back(ThinkingDelta{std::string(1, byte)});
        else
            reply.events.emplace_back(TextDelta{std::string(1, byte)});
    }
    return reply;
}

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    ToolRegistry registry;
    for (const auto &tool : test::hostileTools()) {
        if (!registry.add(tool))
            return 1;
    }
    const auto script = std::make_shared<test::Script>();
    for (std::size_t i = 2; i + 1 < arguments.size(); ++i)
        script->say(replyOf(arguments[i]));
    test::ScriptedEngine engine(script);
    cli::ChatTools tools;
    tools.registry = &registry;
    tools.on = registry.names();
    tools.limits.time = std::chrono::milliseconds(1500);
    tools.limits.resultBytes = 100;
    tools.asks = arguments[1] == "1";
    tools.choices = arguments[0];
    ChatRequest request;
    request.toolsJson = registry.declarations(tools.on);
    cli::ChatLoop chat({.engine = &engine, .recorder = nullptr, .tools = tools}, request);
    const int status = chat.say("Go", {});

    std::ofstream out(arguments.back(), std::ios::binary);
    const std::vector<ChatRequest> requests = script->requests();
    for (const Message &message : requests.back().messages) {
        if (message.role == Role::Tool)
            out << cli::textOf(message) << '\n';
    }
    out.close();
    std::_Exit(status); // a tool that hangs may still run
}
