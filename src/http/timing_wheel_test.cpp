#include "http/timing_wheel.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace parley::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Counted final : public Deadline {
public:
    int count = 0;
    std::function<void()> then = [] {};

private:
    void expired() override
    {
        ++count;
        then();
    }
};

class TimingWheelTest : public testing::Test {
protected:
    ManualClock clock;
    TimingWheel wheel{clock};

    void pass(milliseconds time)
    {
        for (; time > milliseconds(0); time -= milliseconds(10)) {
            clock.advance(milliseconds(10));
            wheel.advance();
        }
    }
};

TEST_F(TimingWheelTest, ExpiresNeverEarlyAndHardlyLate)
{
    for (const auto wait : {milliseconds(0), milliseconds(1), milliseconds(250),
                            milliseconds(10'000), milliseconds(75'000), milliseconds(250'000)}) {
        Counted deadline;
        pass(milliseconds(70));
        deadline.arm(wheel, wait);
        if (wait > milliseconds(0)) pass(wait - milliseconds(10));
        EXPECT_EQ(deadline.count, 0) << wait.count();
        pass(2 * TimingWheel::tick + milliseconds(10));
        EXPECT_EQ(deadline.count, 1) << wait.count();
        EXPECT_FALSE(deadline.armed());
    }
}

TEST_F(TimingWheelTest, KeepsItsWordAfterTheLoopWasHeldUp)
{
    Counted deadline;
    clock.advance(seconds(5));  // The wheel did not turn meanwhile.
    deadline.arm(wheel, seconds(1));
    wheel.advance();
    EXPECT_EQ(deadline.count, 0);
    pass(milliseconds(990));
    EXPECT_EQ(deadline.count, 0);
    pass(milliseconds(300));
    EXPECT_EQ(deadline.count, 1);
}

TEST_F(TimingWheelTest, ForgetsWhatWasDisarmedMovedOrDestroyed)
{
    Counted disarmed, moved;
    auto destroyed = std::make_unique<Counted>();
    disarmed.arm(wheel, seconds(1));
    moved.arm(wheel, seconds(1));
    destroyed->arm(wheel, seconds(1));
    disarmed.disarm();
    moved.arm(wheel, seconds(3));
    destroyed.reset();
    pass(seconds(2));
    EXPECT_EQ(disarmed.count, 0);
    EXPECT_EQ(moved.count, 0);
    pass(seconds(2));
    EXPECT_EQ(moved.count, 1);
}

TEST_F(TimingWheelTest, BearsThatOneExpiringChangesTheOthers)
{
    Counted first, again;
    auto victim = std::make_unique<Counted>();
    first.then = [&] {
        victim.reset();
        again.disarm();
        first.arm(wheel, seconds(1));
    };
    first.arm(wheel, seconds(1));
    victim->arm(wheel, seconds(1));
    again.arm(wheel, seconds(1));
    pass(milliseconds(1200));
    EXPECT_EQ(first.count, 1);
    EXPECT_EQ(again.count, 0);
    pass(milliseconds(1300));
    EXPECT_EQ(first.count, 2);
}

TEST_F(TimingWheelTest, MayGoBeforeItsDeadlines)
{
    Counted deadline;
    {
        TimingWheel short_lived(clock);
        deadline.arm(short_lived, seconds(1));
    }
    EXPECT_FALSE(deadline.armed());
}

}  // namespace
}  // namespace parley::http
