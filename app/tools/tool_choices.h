#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace perilune {

/// How far a person's yes to a tool goes.
enum class Approval { Refused, Once, ThisChat, Always };

/// What a person chose about tools: in which chats they are on, and which may run without being asked about
/// again. Chat 0 is the one that isn't begun. One thread.
class ToolChoices {
public:
    using Chat = std::int64_t;

    /// `json` is what keep() was given; anything else counts as nothing chosen. `keep` is called with the
    /// whole after each change; it must not block.
    explicit ToolChoices(std::string_view json = {}, std::function<void(const std::string &)> keep = {});

    bool on(Chat chat) const { return m_on.contains(chat); }
    void setOn(Chat chat, bool on);

    bool approved(Chat chat, const std::string &tool) const;
    /// Once and Refused leave no trace.
    void approve(Chat chat, const std::string &tool, Approval approval);

    /// The chat that wasn't begun is `chat` now.
    void adopt(Chat chat);

private:
    std::string json() const;
    void changed() const;

    std::function<void(const std::string &)> m_keep;
    std::set<Chat> m_on;
    std::set<std::string> m_always;
    std::map<Chat, std::set<std::string>> m_approved;
};

} // namespace perilune
