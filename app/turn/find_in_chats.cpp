#include "app/turn/find_in_chats.h"

#include "app/store/conversation_store.h"

#include <system_error>
#include <utility>

namespace perilune {

SearchChats::Find findInChats(std::filesystem::path folder)
{
    return [folder = std::move(folder)](
               const SearchChats::Wanted &wanted) -> Result<std::vector<SearchChats::Hit>> {
        std::error_code failed;
        if (!std::filesystem::exists(folder / "conversations.db", failed))
            return std::vector<SearchChats::Hit>(); // searching makes no store
        const auto store = ConversationStore::openForReading(folder);
        if (!store)
            return store.error();
        ConversationStore::SearchQuery query;
        query.text = wanted.text;
        query.limit = wanted.limit;
        query.except = wanted.except;
        query.stop = wanted.stop;
        const auto found = (*store)->search(query);
        if (!found)
            return found.error();
        std::vector<SearchChats::Hit> hits;
        hits.reserve(found->size());
        for (const ConversationStore::Hit &hit : *found)
            hits.push_back({hit.title, hit.excerpt});
        return hits;
    };
}

} // namespace perilune
