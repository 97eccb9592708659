#include "app/tools/call_tool.h"

#include "app/tools/schema_check.h"
#include "engine/base/whole_characters.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace perilune {

namespace {

constexpr int kMostGivenUp = 4;
constexpr std::size_t kLongestFault = 2000; // bytes; a fault may quote what the model wrote

/// Between who waits for a call and the thread that makes it. It outlives whoever goes first.
struct Exchange {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<Result<ToolResult>> answer;
    std::stop_source stop;
};

Message message(const ToolCallPart &call, ToolResult parts)
{
    return {.role = Role::Tool, .parts = std::move(parts), .name = {}, .toolCallId = call.id, .roleName = {}};
}

CallOutcome faulty(CallOutcome::Kind kind, const ToolCallPart &call, const std::string &why)
{
    return {kind, refusedCall(call, why)};
}

std::string printable(std::string_view text)
{
    std::string clean;
    const std::string repaired = repairedUtf8(text);
    clean.reserve(repaired.size());
    for (std::size_t i = 0; i < repaired.size(); ++i) {
        const char c = repaired[i];
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\r' && i + 1 < repaired.size() && repaired[i + 1] == '\n')
            continue;
        if (c == '\r')
            clean += '\n';
        else if (byte == 0xC2 && static_cast<unsigned char>(repaired[i + 1]) < 0xA0) // U+0080 to U+009F
            clean += "\xEF\xBF\xBD", ++i;
        else if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F)
            clean += "\xEF\xBF\xBD";
        else
            clean += c;
    }
    return clean;
}

/// What of a result goes on: clean words up to the limit, pictures up to theirs, nothing else.
ToolResult limited(ToolResult result, const ToolLimits &limits)
{
    ToolResult kept;
    std::size_t left = limits.resultBytes, all = 0, pictures = 0;
    bool cut = false;
    for (Part &part : result) {
        if (auto *words = std::get_if<TextPart>(&part)) {
            // Cleaning makes at most three bytes of one: what lies far behind the limit needn't be looked at.
            std::string_view beginning = words->text;
            if (beginning.size() > left + 4) {
                beginning = beginning.substr(0, wholeUpTo(beginning, left + 4));
                cut = true;
            }
            std::string text = printable(beginning);
            all += std::max(words->text.size(), text.size());
            if (text.size() > left) {
                text.resize(wholeUpTo(text, left));
                cut = true;
            }
            left -= text.size();
            if (!text.empty())
                kept.emplace_back(TextPart{std::move(text)});
        } else if (auto *media = std::get_if<MediaPart>(&part); media && pictures++ < limits.pictures) {
            kept.emplace_back(std::move(*media));
        }
    }
    std::string note;
    if (cut)
        note = "\n[The result was cut: the first " + std::to_string(limits.resultBytes - left) + " of " +
               std::to_string(all) + " bytes are shown.]";
    if (pictures > limits.pictures)
        note += "\n[" + std::to_string(pictures - limits.pictures) + " more pictures were left out.]";
    if (!note.empty())
        kept.emplace_back(TextPart{note});
    if (kept.empty())
        kept.emplace_back(TextPart{"(The tool returned nothing.)"});
    return kept;
}

Result<ToolResult> guardedRun(const Tool &tool, const JsonValue &arguments, const ToolContext &context,
                              const std::stop_token &stop)
{
    try {
        return tool.run(arguments, context, stop);
    } catch (const std::exception &fault) {
        return Error{ErrorCode::Io, std::string("the tool broke off: ") + fault.what()};
    } catch (...) {
        return Error{ErrorCode::Io, "the tool broke off"};
    }
}

Result<JsonValue> argumentsOf(const ToolRegistry::Entry &entry, const ToolCallPart &call)
{
    Result<JsonValue> arguments = parseJson(call.argumentsJson.empty() ? "{}" : call.argumentsJson);
    if (!arguments)
        return std::move(arguments).error().during("the arguments are no JSON");
    if (!arguments->is(JsonValue::Kind::Object))
        return Error{ErrorCode::InvalidInput, "the arguments are no JSON object"};
    if (Status fits = checkSchema(entry.parameters, *arguments); !fits)
        return std::move(fits).error();
    return arguments;
}

/// Begins the call on a thread of its own.
Status begin(const ToolRegistry::Entry &entry, JsonValue arguments, ToolContext context,
             const std::shared_ptr<Exchange> &exchange)
{
    if (entry.running->fetch_add(1) >= kMostGivenUp) {
        --*entry.running;
        return Error{ErrorCode::Io, "earlier calls of " + entry.name + " still hang"};
    }
    try {
        std::thread([tool = entry.tool, running = entry.running, arguments = std::move(arguments),
                     context = std::move(context), exchange] {
            Result<ToolResult> answer = guardedRun(*tool, arguments, context, exchange->stop.get_token());
            --*running;
            const std::lock_guard lock(exchange->mutex);
            exchange->answer = std::move(answer);
            exchange->changed.notify_all();
        }).detach();                   // see callTool: it may hang for ever
    } catch (const std::exception &) { // no thread, or no memory for one
        --*entry.running;
        return Error{ErrorCode::Io, "the system has no thread for it"};
    }
    return Done{};
}

} // namespace

Message refusedCall(const ToolCallPart &call, const std::string &why)
{
    std::string sentence = printable(why);
    if (sentence.size() > kLongestFault)
        sentence = sentence.substr(0, wholeUpTo(sentence, kLongestFault)) + "\xE2\x80\xA6";
    return message(call, {TextPart{std::string(kToolFault) + sentence}});
}

std::string overLimit(CallPlace place, const ToolLimits &limits)
{
    if (place.round > limits.rounds)
        return "no more calls are made in this turn, " + std::to_string(limits.rounds) +
               " rounds are the limit; answer with what is known";
    if (place.index >= limits.calls)
        return "at most " + std::to_string(limits.calls) + " calls are made at a time";
    return {};
}

bool asksAgain(int round, const ToolLimits &limits)
{
    return round <= limits.rounds + 1;
}

std::vector<ToolCallPart> callsOf(const Message &answer)
{
    std::vector<ToolCallPart> calls;
    for (const Part &part : answer.parts) {
        if (const auto *call = std::get_if<ToolCallPart>(&part))
            calls.push_back(*call);
    }
    return calls;
}

CallOutcome callTool(const ToolRegistry &registry, const ToolCallPart &call, ToolContext context,
                     const ToolLimits &limits, const std::stop_token &stop)
{
    using Kind = CallOutcome::Kind;
    const ToolRegistry::Entry *entry = registry.find(call.name);
    if (!entry)
        return faulty(Kind::Failed, call, "there is no tool named " + call.name);
    Result<JsonValue> arguments = argumentsOf(*entry, call);
    if (!arguments)
        return faulty(Kind::Failed, call, arguments.error().message);
    if (stop.stop_requested())
        return faulty(Kind::Stopped, call, "the person stopped this call");
    const auto exchange = std::make_shared<Exchange>();
    if (Status begun = begin(*entry, *std::move(arguments), std::move(context), exchange); !begun)
        return faulty(Kind::Failed, call, begun.error().message);

    std::unique_lock lock(exchange->mutex);
    exchange->changed.wait_for(lock, stop, limits.time, [&] { return exchange->answer.has_value(); });
    std::optional<Result<ToolResult>> given = std::move(exchange->answer);
    lock.unlock();
    if (!given) {
        exchange->stop.request_stop();
        if (stop.stop_requested())
            return faulty(Kind::Stopped, call, "the person stopped this call");
        return faulty(Kind::TimedOut, call,
                      "the tool did not answer within " + std::to_string(limits.time.count()) + " ms");
    }
    Result<ToolResult> answer = *std::move(given);
    if (!answer) {
        std::string why = std::move(answer.error().message);
        if (why.size() > limits.resultBytes)
            why.resize(wholeUpTo(why, limits.resultBytes));
        return faulty(Kind::Failed, call, why);
    }
    return {Kind::Done, message(call, limited(*std::move(answer), limits))};
}

} // namespace perilune
