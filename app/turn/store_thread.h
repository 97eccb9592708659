#pragma once

#include "app/concurrency/post.h"
#include "app/concurrency/worker.h"
#include "app/store/conversation_store.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace perilune {

/// The store and the one thread that touches it.
class StoreThread {
public:
    using Open = std::function<std::unique_ptr<ConversationStore>()>; ///< never null
    using Opened = std::function<void(const std::string &readOnlyReason)>;

    /// Opens the store on its own thread, before its first job: that may take long, where an older program's
    /// conversations are upgraded. `opened` is called on the thread of `post`.
    StoreThread(Open open, Post post, Worker::FaultSink onFault, Opened opened)
        : m_post(std::move(post)),
          m_worker(Worker::AtEnd::RunRest, std::move(onFault))
    {
        m_worker.post([this, open = std::move(open), opened = std::move(opened)] {
            m_store = open();
            if (opened)
                m_post([opened, reason = m_store->readOnlyReason()] { opened(reason); }, {});
        });
    }

    /// `store` must have been made; from here on only this thread touches it. `post` brings answers back.
    StoreThread(std::unique_ptr<ConversationStore> store, Post post, Worker::FaultSink onFault = {})
        : m_store(std::move(store)),
          m_post(std::move(post)),
          m_worker(Worker::AtEnd::RunRest, std::move(onFault))
    {
    }

    /// Runs `job(ConversationStore &)` on the store thread.
    template <typename Function>
    void run(Function job, std::chrono::milliseconds delay = {})
    {
        m_worker.postAfter(delay, [this, job = std::move(job)]() mutable { job(*m_store); });
    }

    /// Runs `question(ConversationStore &)` on the store thread, then `then(answer)` on the thread of `post`.
    /// Whatever `then` refers to must live until then, or be guarded (QPointer, weak_ptr).
    template <typename Question, typename Then>
    void ask(Question question, Then then)
    {
        run([post = m_post, question = std::move(question),
             then = std::move(then)](ConversationStore &store) mutable {
            auto answer = std::make_shared<decltype(question(store))>(question(store));
            post([answer, then = std::move(then)]() mutable { then(std::move(*answer)); }, {});
        });
    }

    /// Brings answers back; for those who work elsewhere and answer to the same thread.
    const Post &post() const { return m_post; }

    /// For jobs: whether what is posted now runs at once, for the program is ending.
    bool ending() const { return m_worker.ending(); }

private:
    std::unique_ptr<ConversationStore> m_store;
    Post m_post;
    Worker m_worker; // last: its jobs use the members above
};

} // namespace perilune
