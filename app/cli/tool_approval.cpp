#include "app/cli/tool_approval.h"

#include "app/cli/command.h"
#include "app/cli/terminal_text.h"
#include "app/tools/shown_call.h"
#include "engine/base/output_file.h"
#include "engine/base/read_file.h"

#include <cstdint>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

namespace perilune::cli {

namespace {

std::string bytesOf(const std::filesystem::path &path)
{
    constexpr std::uint64_t longest = 16 << 20;
    Result<std::string> text = readFile(path.string(), longest);
    return text ? *std::move(text) : std::string();
}

/// As it is, in one line and in one direction.
std::string asked(std::string_view text)
{
    return forTerminal(unmasked(text, "?"));
}

} // namespace

std::optional<Approval> approvalFrom(const std::string &answer)
{
    for (const auto &[word, approval] : {
             std::pair{"once",   Approval::Once    },
             std::pair{"yes",    Approval::Once    },
             std::pair{"chat",   Approval::ThisChat},
             std::pair{"always", Approval::Always  },
             std::pair{"no",     Approval::Refused }
    }) {
        if (answer == word || answer == std::string(1, *word))
            return approval;
    }
    return std::nullopt;
}

ToolApproval::ToolApproval(bool asks, std::filesystem::path choices, StandardInput &input)
    : m_asks(asks),
      m_file(std::move(choices)),
      m_input(input),
      m_choices(asks ? bytesOf(m_file) : std::string())
{
}

ToolApproval::Decision ToolApproval::decide(ToolChoices::Chat chat, const ToolCallPart &call)
{
    if (!m_asks || m_choices.approved(chat, call.name))
        return Decision::Allowed;
    m_input.discard();
    std::cerr << "May " << asked(call.name) << " run with " << asked(call.argumentsJson) << "?\n";
    std::string line;
    for (;;) {
        std::cerr << "[o]nce, in this [c]hat, [a]lways, [n]o: " << std::flush;
        if (!m_input.line(line)) {
            std::cerr << '\n';
            return Decision::Stopped;
        }
        const std::optional<Approval> approval = approvalFrom(line);
        if (!approval)
            continue;
        if (*approval == Approval::Refused)
            return Decision::Refused;
        m_choices.approve(chat, call.name, *approval);
        keep(chat, call.name, *approval);
        return Decision::Allowed;
    }
}

void ToolApproval::keep(ToolChoices::Chat chat, const std::string &tool, Approval approval)
{
    if (approval == Approval::Once || (approval == Approval::ThisChat && chat == 0))
        return;
    // Read anew: the window may have written meanwhile.
    ToolChoices kept(bytesOf(m_file), [this](const std::string &json) {
        if (const Status written = replaceFile(m_file, json); !written)
            (void)fail(written.error());
    });
    kept.approve(chat, tool, approval);
}

} // namespace perilune::cli
