#include "engine/text/folder_template.h"

#include "engine/base/sha256.h"
#include "engine/text/json_value.h"
#include "engine/text/text_file.h"

#include <utility>

namespace perilune {

namespace {

constexpr std::uint64_t kLargestFile = 64u << 20;
constexpr std::string_view kKey = "chat_template";

/// The text under "chat_template" of a JSON file, if there is such a key.
Result<FolderTemplate> templateIn(const std::string &path)
{
    const Result<std::string> file = readTextFile(path, kLargestFile);
    if (!file)
        return file.error();
    const Result<JsonValue> json = parseJson(*file);
    if (!json)
        return Error{ErrorCode::Corrupt, path + ": " + json.error().message};
    const JsonValue *value = json->find(kKey);
    if (!value || value->is(JsonValue::Kind::Null))
        return FolderTemplate{};
    const std::string place = "chat_template of " + path;
    if (value->is(JsonValue::Kind::String))
        return FolderTemplate{value->text, place};
    for (const JsonValue &named : value->items) {
        const JsonValue *name = named.find("name"), *text = named.find("template");
        if (name && name->text == "default" && text && text->is(JsonValue::Kind::String))
            return FolderTemplate{text->text, place};
    }
    return Error{ErrorCode::Corrupt,
                 path + ": chat_template is neither a text nor a list with one for default"};
}

std::string sha256Of(std::string_view text)
{
    Sha256 hash;
    hash.add(text);
    return hash.finishHex();
}

} // namespace

Result<FolderTemplate> readFolderTemplate(const std::string &folder)
{
    const std::string path = folder + "/chat_template.jinja";
    if (fileExists(path)) {
        Result<std::string> text = readTextFile(path, kLargestFile);
        if (!text)
            return text.error();
        return FolderTemplate{*std::move(text), path};
    }
    for (const char *name : {"/chat_template.json", "/tokenizer_config.json"}) {
        if (!fileExists(folder + name))
            continue;
        Result<FolderTemplate> found = templateIn(folder + name);
        if (!found || !found->place.empty())
            return found;
    }
    return FolderTemplate{};
}

std::string remarkOnTemplate(const std::string &folder, ChatFamily family)
{
    const std::string made = "prompts are made in the form of " + std::string(chatFamilyTitle(family));
    const Result<FolderTemplate> own = readFolderTemplate(folder);
    if (!own)
        return own.error().message + "; " + made;
    if (own->place.empty())
        return {};
    const std::string hash = sha256Of(own->text);
    const KnownTemplate *other = nullptr;
    for (const KnownTemplate &known : knownTemplates()) {
        if (known.sha256 == hash && known.family == family)
            return {};
        if (known.sha256 == hash)
            other = &known;
    }
    if (other)
        return own->place + " is the template of " + std::string(chatFamilyTitle(other->family)) + ", but " +
               made;
    return own->place + " is a template that is not known (its SHA-256 begins with " + hash.substr(0, 12) +
           "); " + made + ", which may differ from it";
}

} // namespace perilune
