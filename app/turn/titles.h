#pragma once

#include "app/concurrency/worker.h"
#include "app/turn/reply_task.h"
#include "app/turn/store_thread.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace perilune {

/// What asks a model for the title of a conversation, put behind it: so nearly all of the prompt is in the
/// engine's cache already, and stays there for the next turn. `toolsJson` is what its turns declared, for the
/// same reason.
ChatRequest titleRequest(std::vector<Message> conversation, std::string toolsJson);

/// A title out of what the model said: one line, without quotes, marks of Markdown and a full stop. Empty
/// where it is none: a sentence, a list, too long.
std::string titleFrom(std::string_view said);

/// Gives conversations titles by the model while nobody waits for it. A turn of a person comes first: it
/// stops what is being done here, which is then done later. All functions on the thread of `store`'s Post.
class Titles : public std::enable_shared_from_this<Titles> {
public:
    struct Services {
        StoreThread *store = nullptr;
        Worker *engineWorker = nullptr;
        std::shared_ptr<EngineSide> side;
        std::chrono::milliseconds idleFor{0}; ///< 0: no titles are made
        std::function<bool()> idle;           ///< no turn runs or waits
        std::function<void(ConversationId, const std::string &title)> named;
    };

    explicit Titles(Services services) : m_services(std::move(services)) {}

    /// An answer in `conversation` is complete.
    void answered(ConversationId conversation, const std::string &toolsJson);
    /// A person's turn begins: the engine is theirs.
    void yield();
    /// No turn runs or waits any more.
    void rest();

private:
    void next(std::uint64_t pause);
    void ask(ConversationId conversation, std::vector<Message> messages);
    void take(ConversationId conversation, const std::string &said, bool stopped);

    Services m_services;
    struct Wanted {
        ConversationId conversation = 0;
        std::string toolsJson;
    };
    std::deque<Wanted> m_wanted;
    std::stop_source m_stop;
    bool m_asking = false;
    std::uint64_t m_pause = 0; ///< counts the times of rest: only the last one's timer counts
};

} // namespace perilune
