#pragma once

#include "app/tools/tool.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace perilune {

/// Finds words in the person's other conversations: the one that asks is before the model anyway.
class SearchChats : public Tool {
public:
    struct Hit {
        std::string title, excerpt;
    };
    struct Wanted {
        std::string text;
        std::int64_t except = 0; ///< the conversation that asks; 0: none that is stored
        std::uint32_t limit = 0;
        std::stop_token stop{};
    };
    /// Called on the call's thread, and may outlive everything else.
    using Find = std::function<Result<std::vector<Hit>>(const Wanted &wanted)>;

    explicit SearchChats(Find find);

    std::string name() const override { return "search_chats"; }
    std::string description() const override;
    std::string parametersJson() const override;
    Result<ToolResult> run(const JsonValue &arguments, const ToolContext &context,
                           const std::stop_token &stop) const override;

private:
    Find m_find;
};

} // namespace perilune
