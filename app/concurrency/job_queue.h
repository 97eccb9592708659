#pragma once

#include "app/concurrency/post.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace perilune {

/// What a window's event loop is to the window, for programs without one: any thread posts, the thread
/// that owns the queue runs the jobs.
class JobQueue {
public:
    using Clock = std::chrono::steady_clock;

    void post(std::function<void()> job, std::chrono::milliseconds delay = {})
    {
        {
            const std::lock_guard lock(m_mutex);
            m_jobs.emplace(Due{Clock::now() + delay, m_posted++}, std::move(job));
        }
        m_changed.notify_one();
    }

    /// The function to hand to those who post here. The queue must outlive it.
    Post poster()
    {
        return [this](std::function<void()> job, std::chrono::milliseconds delay) {
            post(std::move(job), delay);
        };
    }

    /// Runs jobs on the calling thread until `done()` holds (looked at after each job) or `limit` has
    /// passed. Returns whether it holds.
    bool runUntil(const std::function<bool()> &done, std::chrono::milliseconds limit)
    {
        const auto end = Clock::now() + limit;
        while (!done()) {
            std::unique_lock lock(m_mutex);
            const auto due = m_jobs.empty() ? end : std::min(end, m_jobs.begin()->first.first);
            if (due > Clock::now()) {
                m_changed.wait_until(lock, due);
                if (Clock::now() >= end)
                    return false;
                continue;
            }
            if (m_jobs.empty())
                return false;
            const auto job = std::move(m_jobs.extract(m_jobs.begin()).mapped());
            lock.unlock();
            job();
        }
        return true;
    }

private:
    using Due = std::pair<Clock::time_point, std::uint64_t>;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<Due, std::function<void()>> m_jobs;
    std::uint64_t m_posted = 0;
};

} // namespace perilune
