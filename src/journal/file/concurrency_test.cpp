#include "journal/file/file_journal_for_tests.hpp"

#include <boost/asio/detached.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace parley::journal::file {
namespace {

// A clock that blocks its callers until it is released: it holds the writer before its write.
class HeldClock final : public Clock {
public:
    TimePoint now() const override { return {}; }
    SteadyPoint steady() const override
    {
        std::unique_lock lock(mutex_);
        asked_ = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !held_; });
        return {};
    }
    void wait_until_asked() const
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return asked_; });
    }
    void let_go()
    {
        const std::scoped_lock lock(mutex_);
        held_ = false;
        changed_.notify_all();
    }

private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    mutable bool asked_ = false;
    bool held_ = true;
};

class ConcurrencyTest : public FileJournalTest {
protected:
    ~ConcurrencyTest() override
    {
        clock.let_go();
        journal.reset();
    }

    void spawn(std::string_view run, std::uint32_t number, std::string bytes = "x")
    {
        boost::asio::co_spawn(
            loop, journal->append(run, number, one(std::move(bytes))),
            [this](std::exception_ptr, Result<> result) { results.push_back(std::move(result)); });
    }

    HeldClock clock;
    boost::asio::io_context loop{1};
    std::vector<Result<>> results;
};

TEST_F(ConcurrencyTest, WhatWaitsWhenTheWriterIsFreeGoesOutInOneWrite)
{
    open({.clock = &clock});
    spawn("run", 1);
    loop.poll();
    clock.wait_until_asked();
    for (std::uint32_t number = 2; number <= 100; ++number) spawn("run", number);
    loop.poll();
    EXPECT_EQ(journal->figures().queued_appends, 100U);
    EXPECT_EQ(results.size(), 0U);
    clock.let_go();
    loop.run();
    EXPECT_EQ(results.size(), 100U);
    EXPECT_EQ(journal->figures().batches, 2U);
    EXPECT_EQ(journal->figures().queued_appends, 0U);
    EXPECT_EQ(journal->figures().queued_bytes, 0U);
    EXPECT_EQ(read("run").size(), 100U);
}

TEST_F(ConcurrencyTest, RefusesWhatIsMoreThanTheQueueHolds)
{
    const std::size_t limit = 100'000;
    open({.max_queued = limit, .clock = &clock});
    spawn("run", 1);
    loop.poll();
    clock.wait_until_asked();
    for (std::uint32_t number = 2; number <= 12; ++number)
        spawn("run", number, std::string(10'000, 'x'));
    loop.poll();  // Nine fit, besides the queue's own memory.
    EXPECT_EQ(journal->figures().queued_appends, 10U);
    EXPECT_LE(journal->figures().queued_bytes, limit);
    loop.poll();
    ASSERT_EQ(results.size(), 2U);
    for (const auto& result : results) EXPECT_EQ(result.error().code, Errc::overloaded);
    clock.let_go();
    loop.run();
    EXPECT_EQ(results.size(), 12U);
    EXPECT_EQ(read("run").size(), 10U);
    ASSERT_TRUE(append("run", 11, std::string(10'000, 'x')));  // There is room again.
}

TEST_F(ConcurrencyTest, AClosingJournalWritesAndAnswersWhatWaits)
{
    open({.clock = &clock});
    spawn("run", 1);
    loop.poll();
    clock.wait_until_asked();
    for (std::uint32_t number = 2; number <= 10; ++number) spawn("run", number);
    loop.poll();
    std::thread closing([&] { journal.reset(); });
    clock.let_go();
    closing.join();
    loop.run();
    EXPECT_EQ(results.size(), 10U);
    for (const auto& result : results) EXPECT_TRUE(result);
    open();
    EXPECT_EQ(read("run").size(), 10U);
}

TEST_F(ConcurrencyTest, RefusesMoreReadersThanItsLimit)
{
    open({.max_reads = 0});
    ASSERT_TRUE(append("run", 1, "x"));
    EXPECT_EQ(wait_for(journal->read("run", 0, 100)).error().code, Errc::overloaded);

    open({.max_reads = 1});
    std::size_t served = 0;
    for (int i = 0; i < 50; ++i)
        boost::asio::co_spawn(loop, journal->read("run", 0, 100),
                              [&](std::exception_ptr, Result<std::vector<Record>> page) {
                                  if (!page) EXPECT_EQ(page.error().code, Errc::overloaded);
                                  if (page) ++served;
                              });
    loop.run();
    EXPECT_GE(served, 1U);                 // The number of further ones depends on the speed of the
                                           // reader.
    EXPECT_EQ(read("run"), Texts({"x"}));  // No read is counted any more.
}

std::string text_of(std::string_view run, std::uint32_t number)
{
    return fmt::format("event {} of {}", number, run);
}

// One run: appends, while a reader on the other loop follows it to its end.
struct Following {
    static constexpr std::uint32_t events = 60;

    Task<> write(std::string run)
    {
        for (std::uint32_t number = 1; number <= events;) {
            std::vector<Frame> frames;
            for (std::uint32_t i = 0; i <= number % 3 && number + i <= events; ++i)
                frames.push_back(frame(text_of(run, number + i)));
            const auto appended = co_await journal.append(run, number, frames);
            EXPECT_TRUE(appended);
            number += static_cast<std::uint32_t>(frames.size());
        }
    }
    Task<> follow(std::string run)
    {
        std::uint32_t last = 0;
        while (last < events) {
            const auto page = co_await journal.read(run, last, 200);
            if (!page) {
                EXPECT_EQ(page.error().code, Errc::not_found);  // It has not begun yet.
                continue;
            }
            for (const Record& record : *page) {
                EXPECT_EQ(record.number, ++last);
                EXPECT_EQ(record.bytes, text_of(run, record.number));
            }
        }
        journal.end(run);
        ++followed;
    }

    Journal& journal;
    std::atomic<int> followed = 0;
};

TEST_F(ConcurrencyTest, ReadersFollowWritersOnTwoLoops)
{
    open({.segment_size = 5000});
    constexpr int runs = 40;
    Following following{*journal};
    std::array<boost::asio::io_context, 2> loops{boost::asio::io_context{1},
                                                 boost::asio::io_context{1}};
    for (std::size_t i = 0; i < runs; ++i) {
        const std::string run = fmt::format("run_{}", i);
        boost::asio::co_spawn(loops[i % 2], following.write(run), boost::asio::detached);
        boost::asio::co_spawn(loops[(i + 1) % 2], following.follow(run), boost::asio::detached);
    }
    std::thread other([&] { loops[1].run(); });
    loops[0].run();
    other.join();

    EXPECT_EQ(following.followed, runs);
    EXPECT_EQ(journal->figures().records, runs * Following::events);
    EXPECT_EQ(journal->figures().runs, 0U);
    settle();
    journal.reset();
    EXPECT_TRUE(files().empty());  // All of them have ended.
}

}  // namespace
}  // namespace parley::journal::file
