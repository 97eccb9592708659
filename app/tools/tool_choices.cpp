#include "app/tools/tool_choices.h"

#include "engine/text/json_value.h"

#include <charconv>
#include <optional>
#include <utility>

namespace perilune {

namespace {

std::optional<ToolChoices::Chat> chatOf(std::string_view digits)
{
    ToolChoices::Chat chat = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), chat);
    return error == std::errc() && end == digits.data() + digits.size() && chat > 0 ? std::optional(chat)
                                                                                    : std::nullopt;
}

std::set<std::string> namesIn(const JsonValue *list)
{
    std::set<std::string> names;
    if (!list)
        return names;
    for (const JsonValue &name : list->items) {
        if (name.is(JsonValue::Kind::String))
            names.insert(name.text);
    }
    return names;
}

JsonValue listOf(const std::set<std::string> &names)
{
    JsonValue list = JsonValue::array();
    for (const std::string &name : names)
        list.items.push_back(JsonValue::string(name));
    return list;
}

} // namespace

ToolChoices::ToolChoices(std::string_view json, std::function<void(const std::string &)> keep)
    : m_keep(std::move(keep))
{
    const Result<JsonValue> chosen = parseJson(json);
    if (!chosen)
        return;
    m_always = namesIn(chosen->find("always"));
    if (const JsonValue *on = chosen->find("on")) {
        for (const JsonValue &digits : on->items) {
            if (const auto chat = chatOf(digits.text))
                m_on.insert(*chat);
        }
    }
    if (const JsonValue *approved = chosen->find("approved")) {
        for (const JsonValue::Member &member : approved->members) {
            if (const auto chat = chatOf(member.first))
                m_approved[*chat] = namesIn(&member.second);
        }
    }
}

void ToolChoices::setOn(Chat chat, bool on)
{
    if (on ? m_on.insert(chat).second : m_on.erase(chat) > 0)
        changed();
}

bool ToolChoices::approved(Chat chat, const std::string &tool) const
{
    const auto here = m_approved.find(chat);
    return m_always.contains(tool) || (here != m_approved.end() && here->second.contains(tool));
}

void ToolChoices::approve(Chat chat, const std::string &tool, Approval approval)
{
    const bool isNew = (approval == Approval::Always && m_always.insert(tool).second) ||
                       (approval == Approval::ThisChat && m_approved[chat].insert(tool).second);
    if (isNew)
        changed();
}

void ToolChoices::adopt(Chat chat)
{
    if (m_on.erase(0) > 0)
        setOn(chat, true);
}

std::string ToolChoices::json() const
{
    JsonValue on = JsonValue::array(), approved = JsonValue::object(), all = JsonValue::object();
    for (const Chat chat : m_on) {
        if (chat != 0)
            on.items.push_back(JsonValue::integer(chat));
    }
    for (const auto &[chat, tools] : m_approved)
        approved.add(std::to_string(chat), listOf(tools));
    all.add("always", listOf(m_always));
    all.add("on", std::move(on));
    all.add("approved", std::move(approved));
    return toJson(all);
}

void ToolChoices::changed() const
{
    if (m_keep)
        m_keep(json());
}

} // namespace perilune
