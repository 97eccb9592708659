#include "app/tools/search_chats.h"

#include <utility>

namespace perilune {

namespace {

constexpr std::uint32_t kMostHits = 20;

} // namespace

SearchChats::SearchChats(Find find) : m_find(std::move(find)) {}

std::string SearchChats::description() const
{
    return "Find words in the person's other conversations.";
}

std::string SearchChats::parametersJson() const
{
    return R"({"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":200}},)"
           R"("required":["text"],"additionalProperties":false})";
}

Result<ToolResult> SearchChats::run(const JsonValue &arguments, const ToolContext &context,
                                    const std::stop_token &stop) const
{
    const Result<std::vector<Hit>> hits =
        m_find({arguments.find("text")->text, context.conversation, kMostHits, stop});
    if (!hits)
        return hits.error();
    if (hits->empty())
        return ToolResult{TextPart{"Nothing was found."}};
    std::string list;
    for (const Hit &hit : *hits)
        list += "- " + (hit.title.empty() ? std::string("(without a title)") : hit.title) + ": " +
                hit.excerpt + '\n';
    if (hits->size() == kMostHits)
        list += "There may be more; these are the newest.\n";
    list.pop_back();
    return ToolResult{TextPart{std::move(list)}};
}

} // namespace perilune
