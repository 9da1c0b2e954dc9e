#include "journal/file/writer_wakeup.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace parley::journal::file {
namespace {

// A thread that counts each wake-up and sleeps again.
class Sleeper {
public:
    ~Sleeper()
    {
        {
            const MutexLock lock(wakeup->mutex);
            stopping_ = true;
            wakeup->wake();
        }
        thread_.join();
    }

    void give(const Executor& loop)
    {
        const MutexLock lock(wakeup->mutex);
        ++work_;
        wakeup->wake_after_loop_turn(loop);
    }
    int done() const
    {
        const MutexLock lock(wakeup->mutex);
        return done_;
    }
    void wait_until_asleep()
    {
        while (!asleep()) std::this_thread::yield();
    }
    void wait_until_done(int count)
    {
        while (done() < count) std::this_thread::yield();
    }

    const std::shared_ptr<WriterWakeup> wakeup = std::make_shared<WriterWakeup>();

private:
    bool asleep() const
    {
        const MutexLock lock(wakeup->mutex);
        return asleep_;
    }
    void work()
    {
        MutexLock lock(wakeup->mutex);
        while (!stopping_) {
            done_ += std::exchange(work_, 0);
            asleep_ = true;
            wakeup->wait(lock);
            asleep_ = false;
        }
    }

    int work_ = 0;
    int done_ = 0;
    bool asleep_ = false;
    bool stopping_ = false;
    std::thread thread_{[this] { work(); }};
};

TEST(WriterWakeup, WakesOnlyWhenTheTurnHasEnded)
{
    Sleeper sleeper;
    sleeper.wait_until_asleep();
    boost::asio::io_context loop{1};
    for (int i = 0; i < 3; ++i)
        boost::asio::post(loop, [&] {
            sleeper.give(loop.get_executor());
            EXPECT_EQ(sleeper.done(), 0);
        });
    loop.run();
    sleeper.wait_until_done(3);
}

TEST(WriterWakeup, WakesForEachLoopByItself)
{
    Sleeper sleeper;
    sleeper.wait_until_asleep();
    boost::asio::io_context slow{1};
    boost::asio::io_context loop{1};
    sleeper.give(slow.get_executor());  // Its turn ends after the other one's.
    sleeper.give(loop.get_executor());
    loop.run();
    sleeper.wait_until_done(2);
    sleeper.wait_until_asleep();
    slow.run();  // May wake it, but without need.
    slow.restart();
    sleeper.give(slow.get_executor());
    slow.run();
    sleeper.wait_until_done(3);
}

TEST(WriterWakeup, WakesWhenTheLoopGoesBeforeItsTurnEnds)
{
    Sleeper sleeper;
    sleeper.wait_until_asleep();
    {
        boost::asio::io_context loop{1};
        sleeper.give(loop.get_executor());
        EXPECT_EQ(sleeper.done(), 0);
    }
    sleeper.wait_until_done(1);
}

TEST(WriterWakeup, MayBeUsedWhenTheThreadHasGone)
{
    boost::asio::io_context loop{1};
    {
        Sleeper sleeper;
        sleeper.wait_until_asleep();
        sleeper.give(loop.get_executor());
    }
    loop.run();
}

}  // namespace
}  // namespace parley::journal::file
