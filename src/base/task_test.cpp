#include "base/task.hpp"

#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace parley {
namespace {

class OffloadTest : public testing::Test {
protected:
    // Runs a task on this thread's loop and rethrows its exceptions.
    void run(Task<> task)
    {
        std::exception_ptr failure;
        boost::asio::co_spawn(loop, std::move(task),
                              [&](std::exception_ptr thrown) { failure = thrown; });
        loop.run();
        loop.restart();
        if (failure) std::rethrow_exception(failure);
    }

    boost::asio::io_context loop{1};
    boost::asio::thread_pool pool{1};
};

TEST_F(OffloadTest, WorksOnThePoolAndComesBackToTheLoop)
{
    const auto here = std::this_thread::get_id();
    bool finished = false;
    auto task = [&]() -> Task<> {
        const auto there = co_await offload(pool, [] { return std::this_thread::get_id(); });
        EXPECT_NE(there, here);
        EXPECT_EQ(std::this_thread::get_id(), here);
        finished = true;
    };
    run(task());
    EXPECT_TRUE(finished);
}

TEST_F(OffloadTest, PassesOnWhatTheWorkThrows)
{
    const auto here = std::this_thread::get_id();
    std::string caught;
    auto task = [&]() -> Task<> {
        try {
            co_await offload(pool, []() -> int { throw std::runtime_error("no such table"); });
        } catch (const std::runtime_error& failure) {
            caught = failure.what();
            EXPECT_EQ(std::this_thread::get_id(), here);
        }
    };
    run(task());
    EXPECT_EQ(caught, "no such table");
}

TEST_F(OffloadTest, TakesAndGivesValuesThatOnlyMove)
{
    std::unique_ptr<int> result;
    auto task = [&]() -> Task<> {
        auto number = std::make_unique<int>(7);
        result = co_await offload(pool, [number = std::move(number)]() mutable {
            ++*number;
            return std::move(number);
        });
    };
    run(task());
    EXPECT_EQ(*result, 8);
}

TEST_F(OffloadTest, KeepsTheLoopAliveWhileTheWorkGoesOn)
{
    // The pool has one thread and both tasks wait for it: both must complete.
    int sum = 0;
    auto add = [&](int number) -> Task<> {
        sum += co_await offload(pool, [number] { return number; });
    };
    auto both = [&]() -> Task<> {
        boost::asio::co_spawn(loop, add(1), boost::asio::detached);
        co_await add(2);
    };
    run(both());
    EXPECT_EQ(sum, 3);
}

TEST_F(OffloadTest, PassesOnValuesWithoutADefault)
{
    struct Row {
        explicit Row(int number) : id(number) {}
        int id;
    };
    int id = 0;
    auto task = [&]() -> Task<> { id = (co_await offload(pool, [] { return Row(7); })).id; };
    run(task());
    EXPECT_EQ(id, 7);
}

}  // namespace
}  // namespace parley
