#include "app/cli/text_lines.h"

#include "app/cli/standard_input.h"
#include "engine/text/text_file.h"

#include <charconv>
#include <iostream>

namespace perilune::cli {

namespace {

constexpr std::uint64_t kLargestDocument = 256u << 20;

Result<JsonValue> answerLine(const std::string &line,
                             const std::function<Result<JsonValue>(const JsonValue &line)> &answer)
{
    const Result<JsonValue> object = parseJson(line);
    if (!object)
        return object.error();
    if (!object->is(JsonValue::Kind::Object))
        return Error{ErrorCode::InvalidInput, "the line is not a JSON object"};
    return answer(*object);
}

} // namespace

Result<ChatFamily> chosenFamily(const CommonOptions &options)
{
    if (const std::optional<ChatFamily> family = chatFamilyFromName(options.family))
        return *family;
    const Result<std::string> folder = modelFolder(options);
    if (!folder)
        return folder.error();
    return detectChatFamily(*folder);
}

Result<Tokenizer> chosenTokenizer(const CommonOptions &options)
{
    const Result<std::string> folder = modelFolder(options);
    if (!folder)
        return folder.error();
    return Tokenizer::load(*folder, chatFamilyFromName(options.family));
}

std::optional<bool> onOrOff(const std::string &word)
{
    return word.empty() ? std::nullopt : std::optional(word == "on");
}

void printLine(const JsonValue &value)
{
    std::cout << toJson(value) << '\n' << std::flush;
}

JsonValue errorObject(const std::string &what)
{
    JsonValue object = JsonValue::object();
    object.add("error", JsonValue::string(what));
    return object;
}

int answerLines(const std::function<Result<JsonValue>(const JsonValue &line)> &answer)
{
    StandardInput input;
    std::string line;
    while (input.line(line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const Result<JsonValue> answered = answerLine(line, answer);
        printLine(answered ? *answered : errorObject(answered.error().message));
        if (!std::cout)
            break; // the reader went away, which the end of the program says
    }
    if (const Status whole = input.whole(); !whole)
        return fail(whole.error());
    return interrupted().stop_requested() ? kInterrupted : kDone;
}

Result<std::string> readDocument(const std::string &path)
{
    if (path == "-")
        return readStandardInput();
    Result<std::string> text = readTextFile(path, kLargestDocument);
    if (!text)
        return whyUnreadable(text.error(), path);
    return text;
}

Result<std::optional<bool>> flagOf(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = object.find(key);
    if (!value || value->is(JsonValue::Kind::Null))
        return std::optional<bool>();
    if (!value->is(JsonValue::Kind::Boolean))
        return Error{ErrorCode::InvalidInput, std::string(key) + " is neither true nor false"};
    return std::optional(value->boolean);
}

Result<std::string> textOf(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = object.find(key);
    if (!value || !value->is(JsonValue::Kind::String))
        return Error{ErrorCode::InvalidInput, "there is no text under the key " + std::string(key)};
    return value->text;
}

JsonValue idsToJson(const std::vector<TokenId> &ids)
{
    JsonValue list = JsonValue::array();
    list.items.reserve(ids.size());
    for (const TokenId id : ids)
        list.items.push_back(JsonValue::integer(id));
    JsonValue object = JsonValue::object();
    object.add("ids", std::move(list));
    return object;
}

Result<std::vector<TokenId>> idsFromJson(const JsonValue &object)
{
    const JsonValue *list = object.find("ids");
    if (!list || !list->is(JsonValue::Kind::Array))
        return Error{ErrorCode::InvalidInput, "there is no list under the key ids"};
    std::vector<TokenId> ids;
    for (const JsonValue &item : list->items) {
        TokenId id = 0;
        const char *end = item.text.data() + item.text.size();
        const auto [stop, fault] = std::from_chars(item.text.data(), end, id);
        if (!item.is(JsonValue::Kind::Integer) || fault != std::errc() || stop != end)
            return Error{ErrorCode::InvalidInput, toJson(item) + " in ids is no token id"};
        ids.push_back(id);
    }
    return ids;
}

} // namespace perilune::cli
