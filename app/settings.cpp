#include "app/settings.h"

#include "app/places.h"
#include "engine/base/output_file.h"
#include "engine/base/read_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

namespace perilune {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::uint64_t kLongestFile = 16 << 20; // bytes

constexpr std::pair<const char *, Settings::Theme> kThemes[] = {
    {"system", Settings::Theme::System},
    {"light",  Settings::Theme::Light },
    {"dark",   Settings::Theme::Dark  },
};

/// Reads `key` where it has a value of the right kind within the limits; else leaves `value` alone.
template <typename Number>
void readNumber(const Json &document, const char *key, std::optional<Number> &value, double least,
                double most)
{
    const auto found = document.find(key);
    if (found == document.end() || !found->is_number())
        return;
    const double number = found->get<double>();
    if (number >= least && number <= most)
        value = static_cast<Number>(number);
}

template <typename Number>
void writeWish(Json &document, const char *key, const std::optional<Number> &value)
{
    if (value)
        document[key] = *value;
    else
        document.erase(key);
}

template <typename Number>
void readNumber(const Json &document, const char *key, Number &value, double least, double most)
{
    std::optional<Number> given;
    readNumber(document, key, given, least, most);
    value = given.value_or(value);
}

void readBool(const Json &document, const char *key, bool &value)
{
    if (const auto found = document.find(key); found != document.end() && found->is_boolean())
        value = found->get<bool>();
}

void readText(const Json &document, const char *key, std::string &value)
{
    if (const auto found = document.find(key); found != document.end() && found->is_string())
        value = found->get<std::string>();
}

constexpr std::size_t kMostShortcuts = 200;

void readTexts(const Json &document, const char *key, std::map<std::string, std::string> &values)
{
    const auto found = document.find(key);
    if (found == document.end() || !found->is_object() || found->size() > kMostShortcuts)
        return;
    for (const auto &[name, value] : found->items()) {
        if (value.is_string())
            values[name] = value.get<std::string>();
    }
}

Settings fromJson(const Json &document)
{
    Settings settings;
    std::string theme;
    readText(document, "theme", theme);
    for (const auto &[name, value] : kThemes) {
        if (theme == name)
            settings.theme = value;
    }
    readNumber(document, "textScale", settings.textScale, 0.5, 3.0);
    readBool(document, "highContrast", settings.highContrast);
    readBool(document, "reducedMotion", settings.reducedMotion);
    readTexts(document, "shortcuts", settings.shortcuts);
    readBool(document, "thinking", settings.thinking);
    readBool(document, "titles", settings.titles);
    readNumber(document, "temperature", settings.sampling.temperature, 0.0, 2.0);
    readNumber(document, "topP", settings.sampling.topP, 0.0, 1.0);
    readNumber(document, "minP", settings.sampling.minP, 0.0, 1.0);
    readNumber(document, "topK", settings.sampling.topK, 0.0, 1e6);
    readNumber(document, "maxNewTokens", settings.maxNewTokens, 1.0, 1e6);
    readText(document, "modelFolder", settings.modelFolder);
    readText(document, "device", settings.device);
    readNumber(document, "contextTokens", settings.contextTokens, 0.0, 1e7);
    readNumber(document, "windowWidth", settings.windowWidth, 200.0, 20000.0);
    readNumber(document, "windowHeight", settings.windowHeight, 200.0, 20000.0);
    readBool(document, "windowMaximized", settings.windowMaximized);
    readNumber(document, "sidebarWidth", settings.sidebarWidth, 0.0, 2000.0);
    return settings;
}

void intoJson(const Settings &settings, Json &document)
{
    for (const auto &[name, value] : kThemes) {
        if (settings.theme == value)
            document["theme"] = name;
    }
    document["textScale"] = settings.textScale;
    document["highContrast"] = settings.highContrast;
    document["reducedMotion"] = settings.reducedMotion;
    document["shortcuts"] = settings.shortcuts;
    document["thinking"] = settings.thinking;
    document["titles"] = settings.titles;
    writeWish(document, "temperature", settings.sampling.temperature);
    writeWish(document, "topP", settings.sampling.topP);
    writeWish(document, "minP", settings.sampling.minP);
    writeWish(document, "topK", settings.sampling.topK);
    document["maxNewTokens"] = settings.maxNewTokens;
    document["modelFolder"] = settings.modelFolder;
    document["device"] = settings.device;
    document["contextTokens"] = settings.contextTokens;
    document["windowWidth"] = settings.windowWidth;
    document["windowHeight"] = settings.windowHeight;
    document["windowMaximized"] = settings.windowMaximized;
    document["sidebarWidth"] = settings.sidebarWidth;
}

} // namespace

SettingsFile SettingsFile::open(fs::path path)
{
    SettingsFile file;
    file.m_path = std::move(path);
    Result<std::string> text = readFile(file.m_path.string(), kLongestFile);
    if (!text && text.error().code == ErrorCode::NotFound)
        return file;
    if (!text) {
        file.m_notice = text.error().message + "; the usual settings are in use.";
        return file;
    }
    file.m_document = *std::move(text);
    const Json document = Json::parse(file.m_document, nullptr, /*allow_exceptions=*/false);
    if (document.is_object()) {
        file.m_values = fromJson(document);
        return file;
    }
    const fs::path aside = file.m_path.string() + ".damaged";
    std::error_code failed;
    fs::rename(file.m_path, aside, failed);
    file.m_notice = "The settings in " + file.m_path.string() + " are damaged" +
                    (failed ? std::string() : " and were put aside as " + aside.filename().string()) +
                    "; the usual ones are in use.";
    file.m_document.clear();
    return file;
}

Status SettingsFile::save(const Settings &values)
{
    Json document = Json::parse(m_document, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object())
        document = Json::object();
    intoJson(values, document);
    std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
    if (Status written = replaceFile(m_path, text); !written)
        return std::move(written).error().during("keeping the settings");
    m_document = std::move(text);
    m_values = values;
    return Done{};
}

fs::path defaultSettingsPath()
{
    return places::configFolder() / "settings.json";
}

} // namespace perilune
