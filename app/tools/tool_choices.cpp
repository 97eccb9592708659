#include "app/tools/tool_choices.h"

#include "engine/text/json_value.h"

#include <charconv>
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

ToolChoices::ToolChoices(std::string_view json, std::function<void(const std::string &)> keep,
                         std::function<bool(Chat)> unkept)
    : m_keep(std::move(keep)),
      m_unkept(std::move(unkept))
{
    const Result<JsonValue> chosen = parseJson(json);
    if (!chosen)
        return;
    m_always = namesIn(chosen->find("always"));
    if (const JsonValue *on = chosen->find("on")) {
        for (const JsonValue &digits : on->items) {
            if (const auto chat = chatOf(digits.text))
                m_on.emplace(*chat, std::nullopt);
        }
    }
    if (const JsonValue *lists = chosen->find("chosen")) {
        for (const JsonValue::Member &member : lists->members) {
            const auto chat = chatOf(member.first);
            if (chat && m_on.contains(*chat))
                m_on[*chat] = namesIn(&member.second);
        }
    }
    if (const JsonValue *approved = chosen->find("approved")) {
        for (const JsonValue::Member &member : approved->members) {
            if (const auto chat = chatOf(member.first))
                m_approved[*chat] = namesIn(&member.second);
        }
    }
}

std::vector<std::string> ToolChoices::toolsOn(Chat chat, const ToolRegistry &registry) const
{
    const auto on = m_on.find(chat);
    if (on == m_on.end())
        return {};
    if (!on->second)
        return registry.usualNames();
    std::vector<std::string> names = registry.names();
    std::erase_if(names, [&](const std::string &name) { return !on->second->contains(name); });
    return names;
}

void ToolChoices::setOn(Chat chat, bool on)
{
    const auto known = m_on.find(chat);
    if (on ? known != m_on.end() && !known->second : known == m_on.end())
        return;
    if (on)
        m_on[chat] = std::nullopt;
    else
        m_on.erase(known);
    changed();
}

void ToolChoices::setTool(Chat chat, const std::string &tool, bool on, const ToolRegistry &registry)
{
    const std::vector<std::string> before = toolsOn(chat, registry);
    std::set<std::string> names(before.begin(), before.end());
    if (!registry.find(tool) || (on ? !names.insert(tool).second : names.erase(tool) == 0))
        return;
    const std::vector<std::string> usual = registry.usualNames();
    if (names.empty())
        m_on.erase(chat);
    else if (names == std::set<std::string>(usual.begin(), usual.end()))
        m_on[chat] = std::nullopt; // follows what is usual, should that change
    else
        m_on[chat] = std::move(names);
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

void ToolChoices::adopt(Chat chat, Chat from)
{
    auto there = m_on.extract(from);
    if (there.empty())
        return;
    m_on.try_emplace(chat, std::move(there.mapped()));
    changed();
}

std::string ToolChoices::withApprovalsOf(std::string_view mine, std::string_view others)
{
    ToolChoices both(mine);
    const ToolChoices other(others);
    both.m_always.insert(other.m_always.begin(), other.m_always.end());
    for (const auto &[chat, tools] : other.m_approved)
        both.m_approved[chat].insert(tools.begin(), tools.end());
    return both.json();
}

std::string ToolChoices::json() const
{
    JsonValue on = JsonValue::array(), chosen = JsonValue::object();
    JsonValue approved = JsonValue::object(), all = JsonValue::object();
    for (const auto &[chat, tools] : m_on) {
        if (chat <= 0 || (m_unkept && m_unkept(chat)))
            continue;
        on.items.push_back(JsonValue::integer(chat));
        if (tools)
            chosen.add(std::to_string(chat), listOf(*tools));
    }
    for (const auto &[chat, tools] : m_approved) {
        if (!m_unkept || !m_unkept(chat))
            approved.add(std::to_string(chat), listOf(tools));
    }
    all.add("always", listOf(m_always));
    all.add("on", std::move(on));
    all.add("chosen", std::move(chosen));
    all.add("approved", std::move(approved));
    return toJson(all);
}

void ToolChoices::changed() const
{
    if (m_keep)
        m_keep(json());
}

} // namespace perilune
