#include "app/tools/tool_registry.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kLongestName = 64;

bool isToolName(std::string_view name)
{
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
    };
    return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, allowed);
}

} // namespace

Status ToolRegistry::add(std::shared_ptr<const Tool> tool, Usually usually)
{
    Entry entry;
    entry.name = tool->name();
    entry.description = tool->description();
    if (!isToolName(entry.name))
        return Error{ErrorCode::InvalidInput,
                     "a tool's name is 1 to 64 letters, digits, '_' or '-', not \"" + entry.name + "\""};
    if (find(entry.name))
        return Error{ErrorCode::InvalidInput, "there is a tool named " + entry.name + " already"};
    Result<JsonValue> parameters = parseJson(tool->parametersJson());
    if (!parameters)
        return std::move(parameters).error().during("the parameters of the tool " + entry.name);
    if (!parameters->is(JsonValue::Kind::Object))
        return Error{ErrorCode::InvalidInput,
                     "the parameters of the tool " + entry.name + " are no JSON object"};
    entry.parameters = *std::move(parameters);
    entry.tool = std::move(tool);
    entry.usual = usually == Usually::On;
    entry.running = std::make_shared<std::atomic<int>>(0);
    m_entries.push_back(std::move(entry));
    return Done{};
}

const ToolRegistry::Entry *ToolRegistry::find(std::string_view name) const
{
    const auto found = std::ranges::find(m_entries, name, &Entry::name);
    return found == m_entries.end() ? nullptr : &*found;
}

std::vector<std::string> ToolRegistry::names() const
{
    std::vector<std::string> names;
    names.reserve(m_entries.size());
    for (const Entry &entry : m_entries)
        names.push_back(entry.name);
    return names;
}

std::vector<std::string> ToolRegistry::usualNames() const
{
    std::vector<std::string> names;
    for (const Entry &entry : m_entries) {
        if (entry.usual)
            names.push_back(entry.name);
    }
    return names;
}

std::string ToolRegistry::declarations(std::span<const std::string> names) const
{
    JsonValue list = JsonValue::array();
    for (const Entry &entry : m_entries) {
        if (std::ranges::find(names, entry.name) == names.end())
            continue;
        JsonValue function = JsonValue::object();
        function.add("name", JsonValue::string(entry.name));
        function.add("description", JsonValue::string(entry.description));
        function.add("parameters", entry.parameters);
        JsonValue declaration = JsonValue::object();
        declaration.add("type", JsonValue::string("function"));
        declaration.add("function", std::move(function));
        list.items.push_back(std::move(declaration));
    }
    return list.items.empty() ? std::string() : toJson(list);
}

} // namespace perilune
