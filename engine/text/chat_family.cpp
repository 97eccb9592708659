#include "engine/text/chat_family.h"

#include "engine/text/folder_template.h"
#include "engine/text/json_value.h"
#include "engine/text/text_file.h"

#include <array>
#include <cstdint>

namespace perilune {

namespace {

struct FamilyNames {
    ChatFamily family;
    std::string_view name, title;
};

constexpr FamilyNames kFamilies[] = {
    {ChatFamily::K25,        "k25",         "Kimi K2.5"       },
    {ChatFamily::K26,        "k26",         "Kimi K2.6"       },
    {ChatFamily::K2,         "k2",          "Kimi K2"         },
    {ChatFamily::K2Thinking, "k2_thinking", "Kimi K2 Thinking"},
    {ChatFamily::KimiVl,     "kimi_vl",     "Kimi-VL"         },
    {ChatFamily::Moonlight,  "moonlight",   "Moonlight"       },
};

constexpr std::uint64_t kLargestSmallFile = 64u << 20;

/// What tells families of one model type apart: the folder's own chat template, wherever it stands, and the
/// names of its added tokens. What is missing or can't be read is no fault here.
std::string templateText(const std::string &folder)
{
    const Result<FolderTemplate> own = readFolderTemplate(folder);
    std::string text = own ? own->text : std::string();
    const Result<std::string> file = readTextFile(folder + "/tokenizer_config.json", kLargestSmallFile);
    const Result<JsonValue> config = file ? parseJson(*file) : Result<JsonValue>(file.error());
    if (const JsonValue *added = config ? config->find("added_tokens_decoder") : nullptr)
        text += '\n' + toJson(*added);
    return text;
}

bool mentions(const std::string &text, std::string_view word)
{
    return text.find(word) != std::string::npos;
}

ChatFamily k2FamilyOf(const std::string &text)
{
    return mentions(text, "reasoning_content") || mentions(text, "</think>") ? ChatFamily::K2Thinking
                                                                             : ChatFamily::K2;
}

} // namespace

std::optional<ChatFamily> chatFamilyFromName(std::string_view name)
{
    for (const FamilyNames &row : kFamilies) {
        if (row.name == name)
            return row.family;
    }
    return std::nullopt;
}

std::string_view chatFamilyName(ChatFamily family)
{
    return kFamilies[static_cast<std::size_t>(family)].name;
}

std::string_view chatFamilyTitle(ChatFamily family)
{
    return kFamilies[static_cast<std::size_t>(family)].title;
}

Result<ChatFamily> detectChatFamily(const std::string &folder)
{
    const std::string path = folder + "/config.json";
    const Result<std::string> file = readTextFile(path, kLargestSmallFile);
    if (!file)
        return file.error();
    const Result<JsonValue> config = parseJson(*file);
    if (!config)
        return Error{ErrorCode::Corrupt, path + ": " + config.error().message};
    const JsonValue *type = config->find("model_type");
    if (!type || !type->is(JsonValue::Kind::String))
        return Error{ErrorCode::Corrupt, path + ": there is no model_type"};
    if (type->text == "kimi_k25")
        return mentions(templateText(folder), "preserve_thinking") ? ChatFamily::K26 : ChatFamily::K25;
    if (type->text == "kimi_vl")
        return ChatFamily::KimiVl;
    if (type->text == "kimi_k2")
        return k2FamilyOf(templateText(folder));
    if (type->text == "deepseek_v3") {
        const std::string text = templateText(folder);
        return mentions(text, "tool_calls_section_begin") ? k2FamilyOf(text) : ChatFamily::Moonlight;
    }
    return Error{ErrorCode::Unsupported,
                 path + ": model_type is \"" + type->text +
                     "\", but kimi_k25, kimi_k2, kimi_vl and deepseek_v3 are what is known"};
}

ChatFeatures chatFeatures(ChatFamily family)
{
    switch (family) {
    case ChatFamily::K25:
    case ChatFamily::K26:
        return {.images = true, .video = true, .tools = true, .thinking = true, .thinkingSwitch = true};
    case ChatFamily::K2: return {.tools = true};
    case ChatFamily::K2Thinking: return {.tools = true, .thinking = true};
    case ChatFamily::KimiVl: return {.images = true, .thinking = true};
    case ChatFamily::Moonlight: return {};
    }
    return {};
}

} // namespace perilune
