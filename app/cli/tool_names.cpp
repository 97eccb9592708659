#include "app/cli/tool_names.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace perilune::cli {

namespace {

constexpr std::string_view kBuiltin = "builtin";

std::vector<std::string> pieces(std::string_view value)
{
    std::vector<std::string> pieces;
    for (std::size_t begin = 0; begin <= value.size();) {
        const std::size_t end = std::min(value.find(',', begin), value.size());
        pieces.emplace_back(value.substr(begin, end - begin));
        begin = end + 1;
    }
    return pieces;
}

std::string listOf(const std::vector<std::string> &names)
{
    std::string list;
    for (const std::string &name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

} // namespace

Result<std::optional<std::vector<std::string>>> namedTools(const std::string &value,
                                                           const ToolRegistry &tools, BuiltinMeans builtin)
{
    using Names = std::optional<std::vector<std::string>>;
    std::vector<std::string> wanted, unknown;
    for (std::string &name : pieces(value)) {
        if (name == kBuiltin) {
            std::ranges::move(builtin == BuiltinMeans::All ? tools.names() : tools.usualNames(),
                              std::back_inserter(wanted));
        } else if (tools.find(name)) {
            wanted.push_back(std::move(name));
        } else {
            unknown.push_back(std::move(name));
        }
    }
    if (wanted.empty())
        return Names();
    if (!unknown.empty())
        return Error{ErrorCode::InvalidInput, "--tools: there is no tool named \"" + unknown.front() +
                                                  "\"; there are " + listOf(tools.names()) +
                                                  ", and builtin for those that come with the program"};
    std::vector<std::string> ordered = tools.names();
    std::erase_if(ordered, [&](const std::string &name) { return std::ranges::count(wanted, name) == 0; });
    return Names(std::move(ordered));
}

} // namespace perilune::cli
