#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace perilune {

/// Threads that share the steps of one job at a time. They live as long as the crew, and the caller works
/// too.
class WorkCrew {
public:
    /// `threads` with the caller's; 0 for one for each of the machine's.
    explicit WorkCrew(unsigned threads = 0);
    ~WorkCrew();
    WorkCrew(const WorkCrew &) = delete;
    WorkCrew &operator=(const WorkCrew &) = delete;

    /// Calls step(0) … step(count - 1), each once, in any order and at the same time; returns when all are
    /// done. Steps must not throw.
    void run(std::uint64_t count, const std::function<void(std::uint64_t)> &step);

private:
    void work();
    /// Takes steps until none is left; `lock` is held before and after.
    void takeSteps(std::unique_lock<std::mutex> &lock);

    std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    const std::function<void(std::uint64_t)> *m_step = nullptr;
    std::uint64_t m_next = 0, m_count = 0, m_finished = 0;
    bool m_ending = false;
    std::vector<std::thread> m_threads; // last, so that the rest is there when they start
};

} // namespace perilune
