#include "engine/model/config_reader.h"

#include "engine/base/shortened.h"

#include <cstdio>

namespace perilune {

namespace {

std::string shown(const nlohmann::json &value)
{
    return shortened(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

std::string shown(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
}

} // namespace

bool ConfigReader::has(const char *key) const
{
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

const nlohmann::json *ConfigReader::find(const char *key, bool required, const char *expected)
{
    const auto found = m_object.find(key);
    if (found != m_object.end() && !found->is_null())
        return &*found;
    if (required)
        refuse(key, expected, found == m_object.end() ? "nothing" : "null");
    return nullptr;
}

std::uint32_t ConfigReader::size(const char *key, std::optional<std::uint32_t> missing, std::uint32_t least,
                                 std::uint32_t most)
{
    const nlohmann::json *value = find(key, !missing, "a whole number");
    if (!value)
        return missing.value_or(least);
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() < least ||
        value->get<std::uint64_t>() > most) {
        refuse(key, "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
               shown(*value));
        return missing.value_or(least);
    }
    return value->get<std::uint32_t>();
}

std::uint32_t ConfigReader::sizeOrNull(const char *key, std::uint32_t most)
{
    if (const auto found = m_object.find(key); found != m_object.end() && found->is_null())
        return 0;
    return size(key, {}, 0, most);
}

std::vector<std::uint32_t> ConfigReader::sizes(const char *key, std::vector<std::uint32_t> missing)
{
    const nlohmann::json *value = find(key, false, "");
    if (!value)
        return missing;
    std::vector<std::uint32_t> result;
    for (const nlohmann::json &item : *value) {
        if (!value->is_array() || !item.is_number_unsigned() || item.get<std::uint64_t>() > 1u << 24) {
            refuse(key, "a list of whole numbers", shown(*value));
            return missing;
        }
        result.push_back(item.get<std::uint32_t>());
    }
    return result;
}

double ConfigReader::number(const char *key, std::optional<double> missing, double least, double most)
{
    const nlohmann::json *value = find(key, !missing, "a number");
    if (!value)
        return missing.value_or(least);
    const bool fits = value->is_number() && value->get<double>() >= least && value->get<double>() <= most;
    if (!fits) {
        refuse(key, "a number from " + shown(least) + " to " + shown(most), shown(*value));
        return missing.value_or(least);
    }
    return value->get<double>();
}

bool ConfigReader::truth(const char *key, bool missing)
{
    const nlohmann::json *value = find(key, false, "");
    if (value && !value->is_boolean())
        refuse(key, "true or false", shown(*value));
    return value && value->is_boolean() ? value->get<bool>() : missing;
}

std::string ConfigReader::text(const char *key, const std::string &missing)
{
    const nlohmann::json *value = find(key, false, "");
    if (value && !value->is_string())
        refuse(key, "a text", shown(*value));
    return value && value->is_string() ? value->get<std::string>() : missing;
}

const nlohmann::json &ConfigReader::object(const char *key)
{
    static const nlohmann::json kNothing = nlohmann::json::object();
    const nlohmann::json *value = find(key, false, "");
    if (value && !value->is_object())
        refuse(key, "an object", shown(*value));
    return value && value->is_object() ? *value : kNothing;
}

void ConfigReader::refuse(const std::string &key, const std::string &expected, const std::string &found)
{
    if (m_fault.empty())
        m_fault = nameOf(key) + " must be " + expected + ", but there is " + found;
}

} // namespace perilune
