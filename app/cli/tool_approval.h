#pragma once

#include "app/cli/standard_input.h"
#include "app/tools/tool_choices.h"
#include "engine/api/message.h"

#include <filesystem>
#include <string>

namespace perilune::cli {

/// Asks at the terminal before a tool runs for the first time, and remembers the answer: once, for this chat,
/// or always (in the file that the window's choices are in, which counts here too).
class ToolApproval {
public:
    enum class Decision { Allowed, Refused, Stopped };

    /// Without `asks` every tool that was named on the command line is allowed: there is nobody to ask.
    /// `choices` is the file; `input` outlives this.
    ToolApproval(bool asks, std::filesystem::path choices, StandardInput &input);

    /// Whether `call` may run in `chat`, which is 0 where it isn't stored. May wait for the person; Stopped
    /// where they interrupt or their input ends.
    Decision decide(ToolChoices::Chat chat, const ToolCallPart &call);

private:
    void keep(ToolChoices::Chat chat, const std::string &tool, Approval approval);

    bool m_asks;
    std::filesystem::path m_file;
    StandardInput &m_input;
    ToolChoices m_choices;
};

/// What a person means by `answer` to "Allow?": o(nce), c(hat), a(lways), n(o), y(es) for once; none where it
/// is none of these.
std::optional<Approval> approvalFrom(const std::string &answer);

} // namespace perilune::cli
