#include "auth/hashing_thread.hpp"

#include "base/block_on.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace parley::auth {
namespace {

// Work that lasts until the test opens the gate.
class Gate {
public:
    Task<Result<int>> pass(HashingThread& thread, int number)
    {
        return thread.run<int>([this, opened = opened_, number]() -> Result<int> {
            entered_ = true;
            entered_.notify_all();
            opened.wait();
            return number;
        });
    }
    void open() { gate_.set_value(); }
    void wait_for_the_first() { entered_.wait(false); }

private:
    std::atomic<bool> entered_ = false;
    std::promise<void> gate_;
    std::shared_future<void> opened_ = gate_.get_future().share();
};

TEST(HashingThread, TakesOnlySoManyThatWait)
{
    constexpr int waiting = 3;
    HashingThread thread(waiting);
    Gate gate;
    std::vector<Task<Result<int>>> tasks;
    for (int i = 0; i < 1 + waiting; ++i) tasks.push_back(gate.pass(thread, i));
    const auto one_too_many = [](HashingThread& full, Gate& closed) -> Task<Result<int>> {
        auto refused = co_await full.run<int>([]() -> Result<int> { return 0; });
        closed.open();
        co_return refused;
    };
    tasks.push_back(one_too_many(thread, gate));

    const auto results = block_on_all(std::move(tasks));
    for (int i = 0; i < 1 + waiting; ++i)
        EXPECT_EQ(results[static_cast<std::size_t>(i)].value(), i);
    const Error error = results.back().error();
    EXPECT_EQ(error.code, Errc::overloaded);
    EXPECT_EQ(error.retry_after, std::chrono::seconds(3));

    // All work is done, so as much is accepted again.
    Gate open;
    open.open();
    std::vector<Task<Result<int>>> again;
    for (int i = 0; i < 1 + waiting; ++i) again.push_back(open.pass(thread, i));
    for (const auto& result : block_on_all(std::move(again))) EXPECT_TRUE(result);
}

TEST(HashingThread, WorksOneByOneInOrderOnOneThread)
{
    HashingThread thread(100);
    std::vector<int> order;  // Without a mutex: TSan reports concurrent runs.
    std::set<std::thread::id> threads;
    std::vector<Task<Result<int>>> tasks;
    for (int i = 0; i < 100; ++i)
        tasks.push_back(thread.run<int>([&order, &threads, i]() -> Result<int> {
            order.push_back(i);
            threads.insert(std::this_thread::get_id());
            return i;
        }));
    const auto results = block_on_all(std::move(tasks));
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(results[static_cast<std::size_t>(i)].value(), i);
        EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    }
    EXPECT_EQ(threads.size(), 1U);
    EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(HashingThread, AnswersWhatWaitsWhenItCloses)
{
    auto thread = std::make_unique<HashingThread>(10);
    Gate gate;
    std::vector<Task<Result<int>>> tasks;
    for (int i = 0; i < 5; ++i) tasks.push_back(gate.pass(*thread, i));
    const auto end = [](std::unique_ptr<HashingThread>& doomed, Gate& closed) -> Task<Result<int>> {
        closed.wait_for_the_first();
        doomed->close();
        auto late = co_await closed.pass(*doomed, 99);
        closed.open();
        doomed.reset();
        co_return late;
    };
    tasks.push_back(end(thread, gate));

    const auto results = block_on_all(std::move(tasks));
    EXPECT_EQ(results[0].value(), 0) << "it was being worked on";
    for (std::size_t i = 1; i < results.size(); ++i)
        EXPECT_EQ(results[i].error().code, Errc::shutting_down) << i;
}

TEST(HashingThread, GivesItsPlaceBackWhereWorkThrows)
{
    HashingThread thread(0);
    const auto throws = [](HashingThread& on) -> Task<bool> {
        try {
            static_cast<void>(
                co_await on.run<int>([]() -> Result<int> { throw std::runtime_error("bug"); }));
            co_return false;
        } catch (const std::runtime_error&) {
            co_return true;
        }
    };
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(block_on(throws(thread)));
    EXPECT_EQ(block_on(thread.run<int>([]() -> Result<int> { return 7; })).value(), 7);
}

TEST(HashingThread, ServesManyLoops)
{
    HashingThread thread(1000);
    int sum = 0;  // Also without a mutex.
    std::vector<std::thread> loops;
    for (int loop = 0; loop < 4; ++loop)
        loops.emplace_back([&thread, &sum] {
            std::vector<Task<Result<int>>> tasks;
            for (int i = 0; i < 50; ++i)
                tasks.push_back(thread.run<int>([&sum]() -> Result<int> { return ++sum; }));
            for (const auto& result : block_on_all(std::move(tasks))) EXPECT_TRUE(result);
        });
    for (std::thread& loop : loops) loop.join();
    EXPECT_EQ(sum, 200);
}

}  // namespace
}  // namespace parley::auth
