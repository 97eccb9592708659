#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// What a call's header says, white-space around it removed: "functions.NAME:INDEX", the prefix optional. The
/// name is everything up to the last colon. None for a header of another form.
std::optional<std::string> toolNameOfId(std::string_view id);

/// A header that is a number only names no tool; the arguments may.
bool isBareIndex(std::string_view id);

/// The tools that a reply may call.
class DeclaredTools {
public:
    /// From a JSON array of OpenAI tool schemas; what is not one is left out.
    explicit DeclaredTools(std::string_view toolsJson);

    /// The one tool whose parameters have the most of these arguments' keys. None where no key fits, two
    /// tools fit alike, or `arguments` is no JSON object.
    std::optional<std::string> nameForArguments(std::string_view arguments) const;

private:
    struct Tool {
        std::string name;
        std::vector<std::string> parameters;
    };
    std::vector<Tool> m_tools;
};

} // namespace perilune
