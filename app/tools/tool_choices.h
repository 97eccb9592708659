#pragma once

#include "app/tools/tool_registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// How far a person's yes to a tool goes.
enum class Approval { Refused, Once, ThisChat, Always };

/// What a person chose about tools: which of them are on in which chats, and which may run without being
/// asked about again. Chat 0 is the one that isn't begun; of others that are not, below 0, nothing is kept.
/// One thread.
class ToolChoices {
public:
    using Chat = std::int64_t;

    /// `json` is what keep() was given; anything else counts as nothing chosen. `keep` is called with the
    /// whole after each change; it must not block.
    /// What is chosen for chats of which `unkept` holds is never handed to it.
    explicit ToolChoices(std::string_view json = {}, std::function<void(const std::string &)> keep = {},
                         std::function<bool(Chat)> unkept = {});

    /// Which tools of `registry` are on in a chat, in its order.
    std::vector<std::string> toolsOn(Chat chat, const ToolRegistry &registry) const;
    /// Switches the usual tools on, or all of them off.
    void setOn(Chat chat, bool on);
    /// Switches one tool.
    void setTool(Chat chat, const std::string &tool, bool on, const ToolRegistry &registry);

    bool approved(Chat chat, const std::string &tool) const;
    /// Once and Refused leave no trace.
    void approve(Chat chat, const std::string &tool, Approval approval);

    /// `mine` with what `others` allows besides, each as keep() was given them: another program may have
    /// asked the person meanwhile.
    static std::string withApprovalsOf(std::string_view mine, std::string_view others);

    /// The chat that was `from` is `chat` now; where that has switches of its own, it keeps them.
    void adopt(Chat chat, Chat from = 0);

private:
    std::string json() const;
    void changed() const;

    std::function<void(const std::string &)> m_keep;
    std::function<bool(Chat)> m_unkept;
    using Chosen = std::optional<std::set<std::string>>; ///< none: the usual ones
    std::map<Chat, Chosen> m_on;
    std::set<std::string> m_always;
    std::map<Chat, std::set<std::string>> m_approved;
};

} // namespace perilune
