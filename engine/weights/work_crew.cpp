#include "engine/weights/work_crew.h"

#include <algorithm>

namespace perilune {

WorkCrew::WorkCrew(unsigned threads)
{
    const unsigned all = threads ? threads : std::max(std::thread::hardware_concurrency(), 1u);
    for (unsigned i = 1; i < all; ++i)
        m_threads.emplace_back([this] { work(); });
}

WorkCrew::~WorkCrew()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    for (std::thread &thread : m_threads)
        thread.join();
}

void WorkCrew::run(std::uint64_t count, const std::function<void(std::uint64_t)> &step)
{
    std::unique_lock lock(m_mutex);
    m_step = &step;
    m_next = m_finished = 0;
    m_count = count;
    m_wake.notify_all();
    takeSteps(lock);
    m_done.wait(lock, [this] { return m_finished == m_count; });
    m_step = nullptr;
}

void WorkCrew::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_ending || (m_step && m_next < m_count); });
        if (m_ending)
            return;
        takeSteps(lock);
    }
}

void WorkCrew::takeSteps(std::unique_lock<std::mutex> &lock)
{
    while (m_next < m_count) {
        const std::uint64_t mine = m_next++;
        const std::function<void(std::uint64_t)> &step = *m_step;
        lock.unlock();
        step(mine);
        lock.lock();
        if (++m_finished == m_count)
            m_done.notify_all();
    }
}

} // namespace perilune
