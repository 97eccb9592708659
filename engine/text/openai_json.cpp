#include "engine/text/openai_json.h"

#include "engine/base/shortened.h"
#include "engine/text/json_value.h"

#include <charconv>

namespace perilune {

namespace {

using Kind = JsonValue::Kind;

constexpr std::size_t kMostNotes = 20;
constexpr std::size_t kLargestConversation = std::size_t{256} << 20;

Error badInput(const std::string &place, const std::string &what)
{
    return {ErrorCode::InvalidInput, place + ": " + what};
}

/// A scalar as the template prints it; nothing for null and for what is not there.
std::string printed(const JsonValue *value)
{
    return value && !value->is(Kind::Null) ? pythonStr(*value) : std::string();
}

bool hasText(const JsonValue &object, std::string_view key, std::string_view text)
{
    const JsonValue *value = object.find(key);
    return value && value->is(Kind::String) && value->text == text;
}

bool marksPicturesByKey(ChatFamily family)
{
    return family == ChatFamily::KimiVl || family == ChatFamily::Moonlight;
}

/// The path of a file URL, with its escapes resolved; anything else as it is.
std::string pathOf(const std::string &url)
{
    if (!url.starts_with("file://"))
        return url;
    std::string path;
    for (std::size_t at = 7; at < url.size(); ++at) {
        unsigned byte = 0;
        const char *digits = url.data() + at + 1;
        const bool escape = url[at] == '%' && at + 2 < url.size() &&
                            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        path += escape ? static_cast<char>(byte) : url[at];
        at += escape ? 2 : 0;
    }
    return path;
}

/// What a media part names: {"image_url":{"url":…}}, {"image_url":…} or {"image":…}.
std::string mediaPath(const JsonValue &part, std::string_view key, std::string_view urlKey)
{
    for (const std::string_view name : {urlKey, key}) {
        const JsonValue *value = part.find(name);
        if (value && value->is(Kind::Object))
            value = value->find("url");
        if (value && value->is(Kind::String))
            return pathOf(value->text);
    }
    return {};
}

/// The published templates print nothing for a part that has neither a medium of theirs nor a text.
std::string passedOver(const JsonValue &part)
{
    const JsonValue *type = part.find("type");
    return type && type->is(Kind::String)
               ? "a part of the type \"" + shortened(type->text) + "\" is passed over"
               : "a part without a text is passed over";
}

Part partFromJson(const JsonValue &part, ChatFamily family, const std::string &place,
                  std::vector<std::string> &notes)
{
    const bool image = hasText(part, "type", "image") ||
                       (marksPicturesByKey(family) ? part.find("image") || part.find("image_url")
                                                   : hasText(part, "type", "image_url"));
    const bool video = hasText(part, "type", "video") || hasText(part, "type", "video_url");
    if (!image && !video) {
        if (!part.find("text"))
            notes.push_back(place + ": " + passedOver(part));
        return TextPart{printed(part.find("text"))};
    }
    MediaPart media;
    media.kind = image ? MediaPart::Kind::Image : MediaPart::Kind::Video;
    media.path = image ? mediaPath(part, "image", "image_url") : mediaPath(part, "video", "video_url");
    media.name = media.path.substr(media.path.rfind('/') + 1);
    return media;
}

Status readContent(const JsonValue *content, ChatFamily family, const std::string &place, Message &message,
                   std::vector<std::string> &notes)
{
    if (!content || content->is(Kind::Null))
        return Done{};
    if (content->is(Kind::String)) {
        if (!content->text.empty())
            message.parts.emplace_back(TextPart{content->text});
        return Done{};
    }
    if (!content->is(Kind::Array))
        return badInput(place, "content is neither a text nor a list of parts");
    for (const JsonValue &part : content->items) {
        if (!part.is(Kind::Object))
            return badInput(place, "a part of content is not an object");
        message.parts.push_back(partFromJson(part, family, place, notes));
    }
    return Done{};
}

Status readCalls(const JsonValue *calls, const std::string &place, Message &message)
{
    if (!calls || !calls->truthy())
        return Done{};
    if (!calls->is(Kind::Array))
        return badInput(place, "tool_calls is not a list");
    for (const JsonValue &call : calls->items) {
        const JsonValue *function = call.find("function");
        if (!function || !function->is(Kind::Object))
            return badInput(place, "a tool call has no function");
        ToolCallPart part{printed(call.find("id")), printed(function->find("name")), "{}"};
        if (const JsonValue *arguments = function->find("arguments"))
            part.argumentsJson = arguments->is(Kind::String) ? arguments->text : toJson(*arguments);
        message.parts.emplace_back(std::move(part));
    }
    return Done{};
}

void readThinking(const JsonValue &json, ChatFamily family, Message &message)
{
    const JsonValue *thinking = json.find("reasoning_content");
    if (const JsonValue *other = json.find("reasoning");
        family == ChatFamily::K26 && other && other->truthy())
        thinking = other;
    if (std::string text = printed(thinking); !text.empty())
        message.parts.emplace_back(ThinkingPart{std::move(text)});
}

Result<Message> messageFromJson(const JsonValue &json, ChatFamily family, const std::string &place,
                                std::vector<std::string> &notes)
{
    if (!json.is(Kind::Object))
        return badInput(place, "it is not an object");
    const JsonValue *role = json.find("role");
    if (!role || !role->is(Kind::String) || role->text.empty())
        return badInput(place, "it has no role");
    Message message;
    if (role->text == "system")
        message.role = Role::System;
    else if (role->text == "user")
        message.role = Role::User;
    else if (role->text == "assistant")
        message.role = Role::Assistant;
    else if (role->text == "tool")
        message.role = Role::Tool;
    else {
        message.role = Role::Other;
        message.roleName = role->text;
    }
    message.name = printed(json.find("name"));
    message.toolCallId = printed(json.find("tool_call_id"));
    if (message.role == Role::Assistant)
        readThinking(json, family, message);
    if (const Status read = readContent(json.find("content"), family, place, message, notes); !read)
        return read.error();
    if (message.role == Role::Assistant) {
        if (const Status read = readCalls(json.find("tool_calls"), place, message); !read)
            return read.error();
    } else if (const JsonValue *calls = json.find("tool_calls"); calls && calls->truthy()) {
        notes.push_back(place + ": tool_calls are passed over, for only an assistant makes them");
    }
    if (const JsonValue *call = json.find("function_call"); call && call->truthy())
        notes.push_back(place + ": function_call is passed over; tool_calls has taken its place");
    return message;
}

JsonValue textPart(std::string text)
{
    JsonValue part = JsonValue::object();
    part.add("type", JsonValue::string("text"));
    part.add("text", JsonValue::string(std::move(text)));
    return part;
}

JsonValue mediaPart(const MediaPart &media)
{
    const std::string key = media.kind == MediaPart::Kind::Image ? "image_url" : "video_url";
    JsonValue url = JsonValue::object();
    url.add("url", JsonValue::string(media.path));
    JsonValue part = JsonValue::object();
    part.add("type", JsonValue::string(key));
    part.add(key, std::move(url));
    return part;
}

JsonValue callToJson(const ToolCallPart &call)
{
    JsonValue function = JsonValue::object();
    function.add("name", JsonValue::string(call.name));
    function.add("arguments", JsonValue::string(call.argumentsJson));
    JsonValue json = JsonValue::object();
    json.add("id", JsonValue::string(call.id));
    json.add("type", JsonValue::string("function"));
    json.add("function", std::move(function));
    return json;
}

std::string roleOf(const Message &message)
{
    switch (message.role) {
    case Role::System: return "system";
    case Role::User: return "user";
    case Role::Assistant: return "assistant";
    case Role::Tool: return "tool";
    case Role::Other: break;
    }
    return message.roleName;
}

JsonValue messageToJson(const Message &message)
{
    std::string thinking;
    JsonValue content = JsonValue::array(), calls = JsonValue::array();
    bool media = false;
    for (const Part &part : message.parts) {
        if (const auto *thought = std::get_if<ThinkingPart>(&part)) {
            thinking += thought->text;
        } else if (const auto *text = std::get_if<TextPart>(&part)) {
            content.items.push_back(textPart(text->text));
        } else if (const auto *medium = std::get_if<MediaPart>(&part)) {
            content.items.push_back(mediaPart(*medium));
            media = true;
        } else if (const auto *call = std::get_if<ToolCallPart>(&part)) {
            calls.items.push_back(callToJson(*call));
        }
    }
    if (!media && content.items.size() <= 1) // the plain form, which every reader knows
        content =
            content.items.empty() ? JsonValue::string("") : JsonValue(content.items[0].members[1].second);

    JsonValue json = JsonValue::object();
    json.add("role", JsonValue::string(roleOf(message)));
    if (!message.name.empty())
        json.add("name", JsonValue::string(message.name));
    if (message.role == Role::Tool)
        json.add("tool_call_id", JsonValue::string(message.toolCallId));
    json.add("content", std::move(content));
    if (!thinking.empty())
        json.add("reasoning_content", JsonValue::string(std::move(thinking)));
    if (!calls.items.empty())
        json.add("tool_calls", std::move(calls));
    return json;
}

} // namespace

Result<Conversation> conversationFromJson(std::string_view json, ChatFamily family)
{
    if (json.size() > kLargestConversation)
        return Error{ErrorCode::InvalidInput, "the conversation is larger than 256 MiB"};
    const Result<JsonValue> document = parseJson(json);
    if (!document)
        return document.error();
    if (!document->is(Kind::Object))
        return Error{ErrorCode::InvalidInput, "a conversation is an object with the key messages"};
    const JsonValue *messages = document->find("messages");
    if (!messages || !messages->is(Kind::Array))
        return Error{ErrorCode::InvalidInput, "the conversation has no list under the key messages"};
    Conversation conversation;
    for (std::size_t i = 0; i < messages->items.size(); ++i) {
        Result<Message> message = messageFromJson(messages->items[i], family,
                                                  "message " + std::to_string(i + 1), conversation.notes);
        if (!message)
            return message.error();
        conversation.messages.push_back(*std::move(message));
    }
    const JsonValue *tools = document->find("tools");
    if (tools && !tools->is(Kind::Null)) {
        if (!tools->is(Kind::Array))
            return Error{ErrorCode::InvalidInput, "tools is not a list"};
        if (!tools->items.empty())
            conversation.toolsJson = toJson(*tools);
        if (!tools->items.empty() && !chatFeatures(family).tools)
            conversation.notes.insert(conversation.notes.begin(),
                                      "the tools are passed over: this family's template declares none");
    }
    if (const std::size_t all = conversation.notes.size(); all > kMostNotes) {
        conversation.notes.resize(kMostNotes);
        conversation.notes.push_back("and " + std::to_string(all - kMostNotes) + " more are passed over");
    }
    return conversation;
}

std::string conversationToJson(std::span<const Message> messages, std::string_view toolsJson)
{
    JsonValue list = JsonValue::array();
    for (const Message &message : messages)
        list.items.push_back(messageToJson(message));
    JsonValue document = JsonValue::object();
    document.add("messages", std::move(list));
    if (!toolsJson.empty()) {
        if (Result<JsonValue> tools = parseJson(toolsJson))
            document.add("tools", *std::move(tools));
    }
    return toJson(document);
}

} // namespace perilune
