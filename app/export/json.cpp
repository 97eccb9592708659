#include "app/export/json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

namespace perilune {

using Json = nlohmann::ordered_json;

namespace {

// In the order of the enumerators.
constexpr std::array kRoles = {"system", "user", "assistant", "tool", "other"};
constexpr std::array kStates = {"streaming", "complete", "cancelled", "failed"};
constexpr std::array kFinishes = {"stop", "length", "tool_calls", "cancelled"};

template <typename Enum, std::size_t size>
std::optional<Enum> fromName(const std::array<const char *, size> &names, const std::string &name)
{
    for (std::size_t i = 0; i < size; ++i) {
        if (name == names[i])
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

std::string sha256Of(const MediaPart &part)
{
    return std::filesystem::path(part.path).filename().string();
}

/// How much of a medium the model was to see; what was left as it is isn't written.
Json choiceJson(const MediaChoice &choice)
{
    Json json = Json::object();
    if (choice.detail != MediaChoice::Detail::Full)
        json["detail"] = kDetailNames[static_cast<std::size_t>(choice.detail)];
    if (choice.fit != MediaChoice::Fit::Thin)
        json["fit"] = kFitNames[static_cast<std::size_t>(choice.fit)];
    if (choice.firstFrame)
        json["first_frame"] = true;
    if (choice.fromSeconds)
        json["from_s"] = *choice.fromSeconds;
    if (choice.toSeconds)
        json["to_s"] = *choice.toSeconds;
    if (choice.maxFrames)
        json["max_frames"] = *choice.maxFrames;
    return json;
}

Json partJson(const Part &part)
{
    if (const auto *text = std::get_if<TextPart>(&part))
        return {
            {"type", "text"    },
            {"text", text->text}
        };
    if (const auto *thinking = std::get_if<ThinkingPart>(&part))
        return {
            {"type",     "thinking"    },
            {"thinking", thinking->text}
        };
    if (const auto *call = std::get_if<ToolCallPart>(&part))
        return {
            {"type",      "tool_call"        },
            {"id",        call->id           },
            {"name",      call->name         },
            {"arguments", call->argumentsJson}
        };
    const auto &media = std::get<MediaPart>(part);
    Json json = {
        {"type",   media.kind == MediaPart::Kind::Video ? "video" : "image"},
        {"name",   media.name                                              },
        {"sha256", sha256Of(media)                                         }
    };
    if (media.choice != MediaChoice())
        json["choice"] = choiceJson(media.choice);
    return json;
}

Json statsJson(const ReplyStats &stats)
{
    const ReplySummary &summary = stats.summary;
    Json json;
    json["model"] = stats.model;
    json["device"] = stats.device;
    json["thinking"] = stats.thinking;
    json["temperature"] = stats.sampling.temperature;
    json["top_p"] = stats.sampling.topP;
    json["min_p"] = stats.sampling.minP;
    json["top_k"] = stats.sampling.topK;
    json["seed"] = std::to_string(summary.seed); // 64 bits: more than a JSON number holds everywhere
    json["max_new_tokens"] = stats.maxNewTokens;
    json["finish"] = kFinishes[static_cast<std::size_t>(summary.finish)];
    json["prompt_tokens"] = summary.promptTokens;
    json["cached_tokens"] = summary.cachedTokens;
    json["image_tokens"] = summary.imageTokens;
    json["new_tokens"] = summary.newTokens;
    json["first_token_s"] = stats.firstTokenSeconds;
    json["vision_s"] = summary.visionSeconds;
    json["prefill_s"] = summary.prefillSeconds;
    json["decode_s"] = summary.decodeSeconds;
    return json;
}

Json messageJson(const StoredMessage &stored, bool statistics)
{
    Json json;
    json["id"] = stored.id;
    json["parent"] = stored.parent == 0 ? Json(nullptr) : Json(stored.parent);
    json["role"] = kRoles[static_cast<std::size_t>(stored.message.role)];
    if (!stored.message.roleName.empty())
        json["role_name"] = stored.message.roleName;
    if (!stored.message.name.empty())
        json["name"] = stored.message.name;
    if (!stored.message.toolCallId.empty())
        json["tool_call_id"] = stored.message.toolCallId;
    json["state"] = kStates[static_cast<std::size_t>(stored.state)];
    json["note"] = stored.note;
    json["created"] = isoTime(stored.createdMs);
    json["finished"] = stored.finishedMs == 0 ? Json(nullptr) : Json(isoTime(stored.finishedMs));
    json["parts"] = Json::array();
    for (const Part &part : stored.message.parts)
        json["parts"].push_back(partJson(part));
    json["stats"] = stored.stats && statistics ? statsJson(*stored.stats) : Json(nullptr);
    return json;
}

std::string dumped(const Json &json, int depth)
{
    const std::string flat = json.dump(2, ' ', false, Json::error_handler_t::replace);
    std::string indented;
    for (const char c : flat) { // strings hold no line ends of their own
        indented += c;
        if (c == '\n')
            indented.append(static_cast<std::size_t>(depth), ' ');
    }
    return indented;
}

/// The document up to the messages, without its end.
std::string headJson(const ExportedChat &chat)
{
    const StoredConversation &conversation = chat.conversation;
    const ConversationRow &row = conversation.row;
    Json json;
    json["format"] = "perilune-conversation";
    json["version"] = 1;
    json["id"] = std::to_string(row.id);
    json["title"] = row.title;
    json["created"] = isoTime(row.createdMs);
    json["updated"] = isoTime(row.updatedMs);
    json["folder"] = chat.folder;
    json["tags"] = row.tags;
    json["pinned"] = row.pinnedMs != 0;
    json["archived"] = row.archivedMs != 0;
    json["system_prompt"] = conversation.systemPrompt;
    json["tip"] = conversation.path.empty() ? MessageId{0} : conversation.path.back().id;
    std::string head = dumped(json, 0);
    head.resize(head.size() - 2); // "\n}"
    return head;
}

/// `"SHA256": {…}` of a medium. A missing picture must not keep the words from being exported.
std::string mediumJson(const MediaPart &part, const ReadMedia &readMedia)
{
    const Result<std::string> bytes = readMedia(part);
    const Json entry = bytes ? Json{{"bytes", bytes->size()}, {"data", toBase64(*bytes)}}
                             : Json{{"missing", bytes.error().message}};
    return Json(sha256Of(part)).dump() + ": " + dumped(entry, 4);
}

Status writeMessages(const ExportedChat &chat, const ExportTarget &target)
{
    std::size_t done = 0;
    for (const StoredMessage &stored : chat.tree) {
        const std::string message = dumped(messageJson(stored, chat.choices.statistics), 4);
        if (Status written = target.write((done == 0 ? "\n    " : ",\n    ") + message); !written)
            return written;
        if (Status on = stepOf(target, ++done, chat.tree.size()); !on)
            return on;
    }
    return target.write(chat.tree.empty() ? "]" : "\n  ]");
}

Status writeMedia(const ExportedChat &chat, const ReadMedia &readMedia, const ExportTarget &target)
{
    std::set<std::string> known;
    for (const StoredMessage &stored : chat.tree) {
        for (const Part &any : stored.message.parts) {
            const auto *part = std::get_if<MediaPart>(&any);
            if (!readMedia || !part || !known.insert(sha256Of(*part)).second)
                continue;
            const char *before = known.size() == 1 ? "\n    " : ",\n    ";
            if (Status written = target.write(before + mediumJson(*part, readMedia)); !written)
                return written;
            if (Status on = stepOf(target, chat.tree.size(), chat.tree.size()); !on)
                return on;
        }
    }
    return target.write(known.empty() ? "}" : "\n  }");
}

} // namespace

Status writeJson(const ExportedChat &chat, const ReadMedia &readMedia, const ExportTarget &target)
{
    if (Status written = target.write(headJson(chat) + ",\n  \"messages\": ["); !written)
        return written;
    if (Status written = writeMessages(chat, target); !written)
        return written;
    if (Status written = target.write(",\n  \"media\": {"); !written)
        return written;
    if (Status written = writeMedia(chat, readMedia, target); !written)
        return written;
    return target.write("\n}\n");
}

std::string toJson(const ExportedChat &chat, const ReadMedia &readMedia)
{
    std::string document;
    const Status written = writeJson(chat, readMedia, {[&document](std::string_view piece) {
                                         document += piece;
                                         return Status(Done{});
                                     }});
    CHECK(written);
    return document;
}

namespace {

/// Reads with the place in mind. The first thing that is wrong is kept in `fault`; from then on the values
/// mean nothing, and fromJson gives the fault in their place.
class Reader {
public:
    Reader(const Json &json, std::string place, std::optional<Error> &fault)
        : m_json(json),
          m_place(std::move(place)),
          m_fault(fault)
    {
    }
    /// A part of the same document.
    Reader at(const Json &json, const std::string &place) const { return {json, place, m_fault}; }

    void fail(const std::string &expected) const
    {
        if (!m_fault)
            m_fault = Error{ErrorCode::InvalidInput, m_place + ": " + expected};
    }
    const Json *find(const char *key) const
    {
        const auto found = m_json.is_object() ? m_json.find(key) : m_json.end();
        return found == m_json.end() || found->is_null() ? nullptr : &*found;
    }
    std::string text(const char *key, const char *otherwise = "") const
    {
        const Json *found = find(key);
        if (!found || found->is_string())
            return found ? found->get<std::string>() : otherwise;
        fail(std::string("`") + key + "` must be text");
        return otherwise;
    }
    bool truth(const char *key) const
    {
        const Json *found = find(key);
        if (found && !found->is_boolean())
            fail(std::string("`") + key + "` must be true or false");
        return found && found->is_boolean() && found->get<bool>();
    }
    template <typename Number>
    Number number(const char *key) const
    {
        const Json *found = find(key);
        if (!found)
            return {};
        if constexpr (std::is_floating_point_v<Number>) {
            if (found->is_number())
                return found->get<Number>();
        } else if (found->is_number_unsigned()
                       ? std::in_range<Number>(found->get<std::uint64_t>())
                       : found->is_number_integer() && std::in_range<Number>(found->get<std::int64_t>())) {
            return found->get<Number>();
        }
        fail(std::string("`") + key + "` must be a number" +
             (std::is_integral_v<Number> ? " without a fraction, and not so large" : ""));
        return {};
    }
    const Json &list(const char *key) const
    {
        static const Json none = Json::array();
        const Json *found = find(key);
        if (found && found->is_array())
            return *found;
        fail(std::string("`") + key + "` must be a list");
        return none;
    }
    template <typename Enum, std::size_t size>
    Enum word(const std::array<const char *, size> &names, const char *key) const
    {
        const std::optional<Enum> value = fromName<Enum>(names, text(key));
        if (!value)
            fail("`" + std::string(key) + "` is unknown: " + text(key));
        return value.value_or(Enum{});
    }

private:
    const Json &m_json;
    std::string m_place;
    std::optional<Error> &m_fault;
};

MediaChoice readChoice(const Reader &reader)
{
    MediaChoice choice;
    if (reader.find("detail"))
        choice.detail = reader.word<MediaChoice::Detail>(kDetailNames, "detail");
    if (reader.find("fit"))
        choice.fit = reader.word<MediaChoice::Fit>(kFitNames, "fit");
    choice.firstFrame = reader.truth("first_frame");
    if (reader.find("from_s"))
        choice.fromSeconds = reader.number<double>("from_s");
    if (reader.find("to_s"))
        choice.toSeconds = reader.number<double>("to_s");
    if (reader.find("max_frames"))
        choice.maxFrames = reader.number<std::uint32_t>("max_frames");
    if (choice.maxFrames == 0u)
        reader.fail("`max_frames` must be above zero");
    return choice;
}

Part readPart(const Reader &reader, const std::string &place)
{
    const std::string type = reader.text("type");
    if (type == "text")
        return TextPart{reader.text("text")};
    if (type == "thinking")
        return ThinkingPart{reader.text("thinking")};
    if (type == "tool_call")
        return ToolCallPart{reader.text("id"), reader.text("name"), reader.text("arguments")};
    if (type != "image" && type != "video")
        reader.fail("`type` is unknown: " + type);
    MediaPart part;
    part.kind = type == "video" ? MediaPart::Kind::Video : MediaPart::Kind::Image;
    part.name = reader.text("name");
    part.path = reader.text("sha256");
    if (part.path.size() != 64 || part.path.find_first_not_of("0123456789abcdef") != std::string::npos)
        reader.fail("`sha256` must be 64 hexadecimal digits");
    if (const Json *choice = reader.find("choice"))
        part.choice = readChoice(reader.at(*choice, place + ", choice"));
    return part;
}

ReplyStats readStats(const Reader &reader)
{
    ReplyStats stats;
    ReplySummary &summary = stats.summary;
    stats.model = reader.text("model");
    stats.device = reader.text("device");
    stats.thinking = reader.truth("thinking");
    stats.sampling.temperature = reader.number<float>("temperature");
    stats.sampling.topP = reader.number<float>("top_p");
    stats.sampling.minP = reader.number<float>("min_p");
    stats.sampling.topK = reader.number<std::uint32_t>("top_k");
    summary.seed = std::strtoull(reader.text("seed", "0").c_str(), nullptr, 10);
    stats.sampling.seed = summary.seed;
    stats.maxNewTokens = reader.number<std::uint32_t>("max_new_tokens");
    summary.finish = reader.word<ReplySummary::Finish>(kFinishes, "finish");
    summary.promptTokens = reader.number<std::uint32_t>("prompt_tokens");
    summary.cachedTokens = reader.number<std::uint32_t>("cached_tokens");
    summary.imageTokens = reader.number<std::uint32_t>("image_tokens");
    summary.newTokens = reader.number<std::uint32_t>("new_tokens");
    stats.firstTokenSeconds = reader.number<double>("first_token_s");
    summary.visionSeconds = reader.number<double>("vision_s");
    summary.prefillSeconds = reader.number<double>("prefill_s");
    summary.decodeSeconds = reader.number<double>("decode_s");
    return stats;
}

StoredMessage readMessage(const Reader &reader, const std::string &place)
{
    StoredMessage stored;
    stored.id = reader.number<MessageId>("id");
    stored.parent = reader.number<MessageId>("parent");
    stored.message.role = reader.word<Role>(kRoles, "role");
    stored.message.roleName = reader.text("role_name");
    stored.message.name = reader.text("name");
    stored.message.toolCallId = reader.text("tool_call_id");
    stored.state = reader.word<MessageState>(kStates, "state");
    stored.note = reader.text("note");
    stored.createdMs = timeFromIso(reader.text("created"));
    stored.finishedMs = timeFromIso(reader.text("finished"));
    std::size_t index = 0;
    for (const Json &part : reader.list("parts")) {
        const std::string where = place + ", part " + std::to_string(++index);
        stored.message.parts.push_back(readPart(reader.at(part, where), where));
    }
    if (const Json *stats = reader.find("stats"))
        stored.stats = readStats(reader.at(*stats, place + ", stats"));
    return stored;
}

/// Where the chat stood in the list; documents of older versions don't say.
void readPlace(const Reader &reader, ImportedConversation &conversation)
{
    conversation.folder = reader.text("folder");
    conversation.pinned = reader.truth("pinned");
    conversation.archived = reader.truth("archived");
    if (!reader.find("tags"))
        return;
    for (const Json &tag : reader.list("tags")) {
        if (tag.is_string())
            conversation.tags.push_back(tag.get<std::string>());
        else
            reader.fail("`tags` must be a list of texts");
    }
}

void readMedia(const Reader &reader, ImportedConversation &conversation)
{
    const Json *media = reader.find("media");
    if (!media || !media->is_object())
        return;
    for (const auto &[sha256, entry] : media->items()) {
        const Reader item = reader.at(entry, "media " + sha256);
        Result<std::string> bytes = fromBase64(item.text("data"));
        if (!bytes)
            item.fail(bytes.error().message);
        else if (!bytes->empty())
            conversation.media.push_back({sha256, std::move(*bytes)});
    }
}

ImportedConversation readDocument(const Reader &reader)
{
    ImportedConversation conversation;
    if (reader.text("format") != "perilune-conversation")
        reader.fail("`format` must be perilune-conversation");
    if (reader.number<int>("version") != 1)
        reader.fail("this version of Perilune reads version 1");
    conversation.title = reader.text("title");
    conversation.systemPrompt = reader.text("system_prompt");
    conversation.tip = reader.number<MessageId>("tip");
    readPlace(reader, conversation);
    std::set<MessageId> seen{0};
    std::size_t index = 0;
    for (const Json &json : reader.list("messages")) {
        const std::string place = "message " + std::to_string(++index);
        const Reader item = reader.at(json, place);
        StoredMessage message = readMessage(item, place);
        if (!seen.contains(message.parent))
            item.fail("its parent must come before it");
        if (message.id <= 0 || !seen.insert(message.id).second)
            item.fail("`id` must be above zero and its own");
        conversation.tree.push_back(std::move(message));
    }
    readMedia(reader, conversation);
    return conversation;
}

} // namespace

Result<ImportedConversation> fromJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded())
        return Error{ErrorCode::InvalidInput, "the text is not JSON"};
    std::optional<Error> fault;
    ImportedConversation conversation = readDocument(Reader(json, "the document", fault));
    if (fault)
        return std::move(*fault);
    return conversation;
}

} // namespace perilune
