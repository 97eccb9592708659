#include "app/tools/call_tool.h"

#include "app/tools/schema_check.h"
#include "engine/base/whole_characters.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace perilune {

namespace {

constexpr int kMostGivenUp = 4;
constexpr std::size_t kLongestFault = 2000; // bytes; a fault may quote what the model wrote
constexpr const char *kStopped = "the person stopped this call";

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

/// A refusal in at most `most` bytes; where they are too few, a note says so.
Message refusal(const ToolCallPart &call, std::string_view why, std::size_t most)
{
    std::string sentence = printable(why);
    if (sentence.size() > most) {
        const std::size_t kept = wholeUpTo(sentence, most);
        sentence = sentence.substr(0, kept) + "\n[The reason was cut: the first " + std::to_string(kept) +
                   " of " + std::to_string(sentence.size()) + " bytes are shown.]";
    }
    return message(call, {TextPart{std::string(kToolFault)}, TextPart{std::move(sentence)}});
}

CallOutcome faulty(CallOutcome::Kind kind, const ToolCallPart &call, const std::string &why)
{
    return {kind, refusedCall(call, why)};
}

/// What a tool says is never taken for a fault: see isFault().
void setApartFromFaults(ToolResult &result)
{
    auto *first = std::get_if<TextPart>(&result.front());
    if (!first || first->text != kToolFault)
        return;
    if (auto *second = result.size() > 1 ? std::get_if<TextPart>(&result[1]) : nullptr) {
        first->text += second->text;
        result.erase(result.begin() + 1);
    } else {
        first->text.pop_back(); // the space
    }
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A guess that is rather too high, and where it reaches `most`: two letters, or a half of a character of
/// another script, are a token; a blank belongs to the word behind it.
struct TokenGuess {
    std::size_t tokens = 0, bytes = 0;
};
TokenGuess guessTokens(std::string_view text, std::size_t most)
{
    std::size_t halves = 0; // of tokens
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool word = isLetter(text[i]);
        const bool beforeWord = text[i] == ' ' && i + 1 < text.size() && isLetter(text[i + 1]);
        const bool script = static_cast<unsigned char>(text[i]) >= 0x80;
        const std::size_t cost = beforeWord ? 0 : word || script ? 1 : 2;
        if ((halves + cost + 1) / 2 > most) // the blank before a word goes with it
            return {(halves + 1) / 2, wholeUpTo(text, word && i > 0 && text[i - 1] == ' ' ? i - 1 : i)};
        halves += cost;
    }
    return {(halves + 1) / 2, text.size()};
}

/// What of a result goes on: clean words up to the limit, pictures up to theirs, nothing else.
ToolResult limited(ToolResult result, const ToolLimits &limits)
{
    ToolResult kept;
    std::size_t left = limits.resultBytes, tokens = limits.resultTokens, all = 0, pictures = 0;
    const std::size_t room = left;
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
            if (const std::size_t fits = std::min(wholeUpTo(text, left), bytesWithin(text, tokens));
                fits < text.size()) {
                text.resize(fits);
                cut = true;
            }
            left -= text.size();
            tokens -= std::min(tokens, tokensAtMost(text));
            if (!text.empty())
                kept.emplace_back(TextPart{std::move(text)});
        } else if (auto *media = std::get_if<MediaPart>(&part); media && pictures++ < limits.pictures) {
            kept.emplace_back(std::move(*media));
        }
    }
    std::string note;
    if (cut)
        note = "\n[The result was cut: the first " + std::to_string(room - left) + " of " +
               std::to_string(all) + " bytes are shown.]";
    if (pictures > limits.pictures)
        note += "\n[" + std::to_string(pictures - limits.pictures) + " more pictures were left out.]";
    if (!note.empty())
        kept.emplace_back(TextPart{note});
    if (kept.empty())
        kept.emplace_back(TextPart{"(The tool returned nothing.)"});
    setApartFromFaults(kept);
    return kept;
}

/// Whether the model can be shown `picture`. One that can't be read would make every further prompt of its
/// conversation fail.
Status checkPicture(const MediaPart &picture, const ToolRegistry::PictureCheck &check,
                    const ToolContext &context, const std::stop_token &stop)
{
    std::error_code failed;
    std::string why;
    if (picture.kind != MediaPart::Kind::Image)
        why = "it is a clip";
    else if (!context.seesPictures)
        why = "this model can't see pictures";
    else if (!std::filesystem::is_regular_file(picture.path, failed))
        why = "there is no such file";
    else if (!check)
        why = "pictures can't be read here";
    else if (const Status shown = check(picture.path, stop); !shown)
        why = shown.error().message;
    if (why.empty())
        return Done{};
    return Error{ErrorCode::InvalidInput, "the tool gave a picture that can't be shown, " +
                                              (picture.name.empty() ? picture.path : picture.name) + ": " +
                                              why};
}

/// What a call needs on its thread.
struct Job {
    std::shared_ptr<const Tool> tool;
    std::shared_ptr<std::atomic<int>> running;
    ToolRegistry::PictureCheck check;
    JsonValue arguments;
    ToolContext context;
    std::size_t pictures = 0; ///< how many are looked at; more are left out anyway
};

Result<ToolResult> madeAndChecked(const Job &job, const std::stop_token &stop)
{
    Result<ToolResult> result = job.tool->run(job.arguments, job.context, stop);
    std::size_t pictures = 0;
    for (std::size_t i = 0; result && i < result->size(); ++i) {
        const auto *picture = std::get_if<MediaPart>(&(*result)[i]);
        if (!picture || pictures++ >= job.pictures)
            continue;
        if (Status good = checkPicture(*picture, job.check, job.context, stop); !good)
            return std::move(good).error();
    }
    return result;
}

Result<ToolResult> guardedRun(const Job &job, const std::stop_token &stop)
{
    try {
        return madeAndChecked(job, stop);
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
Status begin(Job job, const std::shared_ptr<Exchange> &exchange)
{
    const std::shared_ptr<std::atomic<int>> running = job.running;
    if (running->fetch_add(1) >= kMostGivenUp) {
        --*running;
        return Error{ErrorCode::Io, "earlier calls of " + job.tool->name() + " still hang"};
    }
    try {
        std::thread([job = std::move(job), exchange] {
            Result<ToolResult> answer = guardedRun(job, exchange->stop.get_token());
            --*job.running;
            const std::lock_guard lock(exchange->mutex);
            exchange->answer = std::move(answer);
            exchange->changed.notify_all();
        }).detach();                   // see callTool: it may hang for ever
    } catch (const std::exception &) { // no thread, or no memory for one
        --*running;
        return Error{ErrorCode::Io, "the system has no thread for it"};
    }
    return Done{};
}

} // namespace

bool isFault(const Message &result)
{
    const auto *first = result.parts.empty() ? nullptr : std::get_if<TextPart>(&result.parts.front());
    return first && first->text == kToolFault;
}

std::size_t tokensAtMost(std::string_view text)
{
    return guessTokens(text, SIZE_MAX / 4).tokens;
}

std::size_t bytesWithin(std::string_view text, std::size_t tokens)
{
    return guessTokens(text, tokens).bytes;
}

Message refusedCall(const ToolCallPart &call, const std::string &why)
{
    return refusal(call, why, kLongestFault);
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

std::string whyNoCalls(ReplySummary::Finish finish, int round, const ToolLimits &limits)
{
    if (finish == ReplySummary::Finish::Cancelled)
        return kStopped;
    if (finish == ReplySummary::Finish::Length)
        return "the answer reached its longest allowed length, so its calls were not made";
    return asksAgain(round, limits) ? std::string() : overLimit({round, 0}, limits);
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

std::vector<Message> withEveryResult(std::vector<Message> messages)
{
    std::vector<Message> whole;
    whole.reserve(messages.size());
    std::vector<ToolCallPart> open; // calls that have no result yet
    const auto close = [&] {
        for (const ToolCallPart &call : std::exchange(open, {}))
            whole.push_back(refusedCall(call, "the program ended before this call had a result"));
    };
    for (Message &next : messages) {
        if (next.role == Role::Tool) {
            const auto answered = std::ranges::find(open, next.toolCallId, &ToolCallPart::id);
            if (answered != open.end())
                open.erase(answered);
        } else {
            close();
            if (next.role == Role::Assistant)
                open = callsOf(next);
        }
        whole.push_back(std::move(next));
    }
    close();
    return whole;
}

Status checkCall(const ToolRegistry &registry, const ToolCallPart &call)
{
    if (call.name.empty())
        return Error{ErrorCode::InvalidInput,
                     "this call broke off or can't be understood, so it was not made; a call is "
                     "functions.NAME:NUMBER and its arguments as a JSON object"};
    const ToolRegistry::Entry *entry = registry.find(call.name);
    if (!entry)
        return Error{ErrorCode::InvalidInput, "there is no tool named " + call.name};
    const Result<JsonValue> arguments = argumentsOf(*entry, call);
    return arguments ? Status(Done{}) : arguments.error();
}

CallOutcome callTool(const ToolRegistry &registry, const ToolCallPart &call, ToolContext context,
                     const ToolLimits &limits, const std::stop_token &stop)
{
    using Kind = CallOutcome::Kind;
    if (const Status can = checkCall(registry, call); !can)
        return faulty(Kind::Failed, call, can.error().message);
    if (stop.stop_requested())
        return faulty(Kind::Stopped, call, kStopped);
    const ToolRegistry::Entry &entry = *registry.find(call.name);
    Job job{.tool = entry.tool,
            .running = entry.running,
            .check = registry.pictureCheck(),
            .arguments = *argumentsOf(entry, call),
            .context = std::move(context),
            .pictures = limits.pictures};
    const auto exchange = std::make_shared<Exchange>();
    if (Status begun = begin(std::move(job), exchange); !begun)
        return faulty(Kind::Failed, call, begun.error().message);

    std::unique_lock lock(exchange->mutex);
    exchange->changed.wait_for(lock, stop, limits.time, [&] { return exchange->answer.has_value(); });
    std::optional<Result<ToolResult>> given = std::move(exchange->answer);
    lock.unlock();
    if (!given) {
        exchange->stop.request_stop();
        if (stop.stop_requested())
            return faulty(Kind::Stopped, call, kStopped);
        return faulty(Kind::TimedOut, call,
                      "the tool did not answer within " + std::to_string(limits.time.count()) + " ms");
    }
    Result<ToolResult> answer = *std::move(given);
    if (!answer)
        return {Kind::Failed,
                refusal(call, answer.error().message, std::min(limits.resultBytes, kLongestFault))};
    return {Kind::Done, message(call, limited(*std::move(answer), limits))};
}

} // namespace perilune
