#include "engine/text/tool_call.h"

#include "engine/text/json_value.h"

#include <algorithm>
#include <utility>

namespace perilune {

std::optional<std::string> toolNameOfId(std::string_view id)
{
    static constexpr std::string_view prefix = "functions.";
    const std::size_t colon = id.rfind(':');
    if (colon == std::string_view::npos || !isBareIndex(id.substr(colon + 1)))
        return std::nullopt;
    std::string_view name = id.substr(0, colon);
    if (name.starts_with(prefix))
        name.remove_prefix(prefix.size());
    if (name.empty())
        return std::nullopt;
    return std::string(name);
}

bool isBareIndex(std::string_view id)
{
    return !id.empty() && std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
}

DeclaredTools::DeclaredTools(std::string_view toolsJson)
{
    if (toolsJson.empty())
        return;
    const Result<JsonValue> tools = parseJson(toolsJson);
    if (!tools)
        return;
    for (const JsonValue &entry : tools->items) {
        const JsonValue *function = entry.find("function");
        const JsonValue *name = function ? function->find("name") : nullptr;
        if (!name || !name->is(JsonValue::Kind::String))
            continue;
        Tool tool{name->text, {}};
        const JsonValue *parameters = function->find("parameters");
        if (const JsonValue *properties = parameters ? parameters->find("properties") : nullptr) {
            for (const JsonValue::Member &property : properties->members)
                tool.parameters.push_back(property.first);
        }
        m_tools.push_back(std::move(tool));
    }
}

std::optional<std::string> DeclaredTools::nameForArguments(std::string_view arguments) const
{
    const Result<JsonValue> json = parseJson(arguments);
    if (!json || !json->is(JsonValue::Kind::Object))
        return std::nullopt;
    std::size_t best = 0;
    const Tool *winner = nullptr;
    for (const Tool &tool : m_tools) {
        const auto known = static_cast<std::size_t>(
            std::ranges::count_if(json->members, [&tool](const JsonValue::Member &member) {
                return std::ranges::find(tool.parameters, member.first) != tool.parameters.end();
            }));
        if (known > best) {
            best = known;
            winner = &tool;
        } else if (known == best) {
            winner = nullptr;
        }
    }
    return winner ? std::optional(winner->name) : std::nullopt;
}

} // namespace perilune
