#include "app/concurrency/event_buffer.h"
#include "app/concurrency/job_queue.h"
#include "app/concurrency/worker.h"

#include <QTest>

#include <atomic>
#include <future>
#include <stdexcept>
#include <vector>

using namespace perilune;
using namespace std::chrono_literals;

class WorkerTest : public QObject {
    Q_OBJECT

private slots:
    void runsInOrder();
    void delayedJobsWaitAndLetOthersPass();
    void destructionDropsTheRest();
    void destructionRunsTheRest();
    void exceptionIsToldAndTheNextJobRuns();
    void bufferSchedulesOnce();
    void bufferLosesNothing();
    void jobsSeeThatItIsEnding();
    void queueRunsOnTheCallersThread();
    void queueGivesUp();
};

void WorkerTest::runsInOrder()
{
    std::vector<int> order;
    std::promise<void> done;
    Worker worker;
    for (int i = 0; i < 100; ++i)
        worker.post([&order, i] { order.push_back(i); });
    worker.post([&] { done.set_value(); });
    done.get_future().wait();

    QCOMPARE(order.size(), std::size_t(100));
    QVERIFY(std::is_sorted(order.begin(), order.end()));
}

void WorkerTest::delayedJobsWaitAndLetOthersPass()
{
    std::vector<std::string> order;
    std::promise<void> done;
    const auto start = std::chrono::steady_clock::now();
    Worker worker;
    worker.postAfter(80ms, [&] { order.emplace_back("late"); });
    worker.postAfter(160ms, [&] { done.set_value(); });
    worker.postAfter(40ms, [&] { order.emplace_back("soon"); });
    worker.post([&] { order.emplace_back("now"); });
    done.get_future().wait();

    QCOMPARE(order, (std::vector<std::string>{"now", "soon", "late"}));
    QVERIFY(std::chrono::steady_clock::now() - start >= 160ms);
}

void WorkerTest::destructionDropsTheRest()
{
    std::atomic<int> ran = 0;
    {
        std::promise<void> begun;
        Worker worker;
        worker.post([&] {
            begun.set_value();
            std::this_thread::sleep_for(50ms);
            ++ran; // the job in hand ends
        });
        worker.post([&] { ran += 100; });
        begun.get_future().wait();
    }
    QCOMPARE(ran.load(), 1);
}

void WorkerTest::destructionRunsTheRest()
{
    std::vector<int> order;
    {
        Worker worker(Worker::AtEnd::RunRest);
        worker.postAfter(10s, [&] { order.push_back(3); });
        worker.post([&] { order.push_back(1); });
        worker.post([&] { order.push_back(2); });
    }
    QCOMPARE(order, (std::vector<int>{1, 2, 3}));
}

void WorkerTest::exceptionIsToldAndTheNextJobRuns()
{
    std::string fault;
    std::promise<void> done;
    Worker worker(Worker::AtEnd::DropRest, [&](const std::string &what) { fault = what; });
    worker.post([] { throw std::runtime_error("a library gave up"); });
    worker.post([&] { done.set_value(); });
    done.get_future().wait();

    QCOMPARE(fault, std::string("a library gave up"));
}

void WorkerTest::bufferSchedulesOnce()
{
    EventBuffer<int> buffer(50ms);

    QCOMPARE(buffer.append(1), std::optional(0ms));                         // the first goes at once
    QCOMPARE(buffer.append(2), std::optional<std::chrono::milliseconds>()); // its drain takes this one too
    QCOMPARE(buffer.drain(), (std::vector<int>{1, 2}));
    const auto delay = buffer.append(3);
    QVERIFY(delay.has_value() && *delay > 0ms && *delay <= 50ms);
    std::this_thread::sleep_for(60ms);
    QCOMPARE(buffer.drain(), std::vector<int>{3});
    QVERIFY(buffer.drain().empty());
}

void WorkerTest::bufferLosesNothing()
{
    // Two writers, a reader that drains only when it is told to.
    EventBuffer<int> buffer(1ms);
    std::vector<int> seen;
    {
        Worker reader(Worker::AtEnd::RunRest);
        const auto write = [&](int from) {
            for (int i = from; i < from + 5000; ++i) {
                if (const auto delay = buffer.append(i))
                    reader.postAfter(*delay, [&] {
                        for (const int event : buffer.drain())
                            seen.push_back(event);
                    });
            }
        };
        std::jthread other(write, 0);
        write(5000);
    }
    std::ranges::sort(seen);
    QCOMPARE(seen.size(), std::size_t(10'000));
    QCOMPARE(seen.front(), 0);
    QCOMPARE(seen.back(), 9'999);
}

void WorkerTest::jobsSeeThatItIsEnding()
{
    int tries = 0;
    bool before = true;
    {
        Worker worker(Worker::AtEnd::RunRest);
        std::function<void()> again = [&] {
            ++tries;
            if (!worker.ending())
                worker.postAfter(1h, again);
        };
        std::promise<void> begun;
        worker.post([&] {
            before = worker.ending();
            begun.set_value();
        });
        begun.get_future().wait();
        worker.postAfter(1h, again);
    }

    QVERIFY(!before);
    QCOMPARE(tries, 1);
}

void WorkerTest::queueRunsOnTheCallersThread()
{
    JobQueue queue;
    const auto here = std::this_thread::get_id();
    std::vector<int> order;
    Worker worker;
    worker.post([&, post = queue.poster()] {
        post([&] { order.push_back(2); }, 30ms);
        post(
            [&] {
                QVERIFY(std::this_thread::get_id() == here);
                order.push_back(1);
            },
            {});
    });

    QVERIFY(queue.runUntil([&] { return order.size() == 2; }, 5s));
    QCOMPARE(order, (std::vector<int>{1, 2}));
}

void WorkerTest::queueGivesUp()
{
    JobQueue queue;

    QVERIFY(!queue.runUntil([] { return false; }, 20ms));
}

QTEST_GUILESS_MAIN(WorkerTest)
#include "worker_test.moc"
