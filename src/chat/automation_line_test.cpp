#include "base/block_on.hpp"
#include "chat/run_queue.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::chat {
namespace {

class AutomationLine : public testing::Test {
protected:
    bool runs(const std::string& run) const { return !queue.position(run); }

    ManualClock clock;
    RunQueue queue{2, 10, clock};
};

TEST_F(AutomationLine, WaitsBehindPeople)
{
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_TRUE(*queue.enter("ben", "2"));
    EXPECT_FALSE(*queue.enter("ana", "digest", Line::automations));
    EXPECT_FALSE(*queue.enter("ana", "report", Line::automations));
    EXPECT_FALSE(*queue.enter("ben", "3"));
    EXPECT_FALSE(*queue.enter("cem", "4"));
    EXPECT_EQ(queue.waiting(), 4U);
    EXPECT_EQ(queue.position("digest"), 3U);
    EXPECT_EQ(queue.position("report"), 4U);
    queue.leave("1");
    queue.leave("2");
    EXPECT_TRUE(runs("3") && runs("4") && !runs("digest"));
    queue.leave("3");
    EXPECT_TRUE(runs("digest") && !runs("report"));
    queue.leave("4");
    EXPECT_TRUE(runs("report"));
    EXPECT_EQ(queue.waiting(), 0U);
}

TEST_F(AutomationLine, BeginsAtOnceIfThereIsAPlace)
{
    EXPECT_TRUE(*queue.enter("ana", "digest", Line::automations));
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_EQ(queue.running(), 2U);
}

TEST_F(AutomationLine, DoesNotStarve)
{
    EXPECT_TRUE(*queue.enter("ana", "0"));
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_FALSE(*queue.enter("ben", "digest", Line::automations));
    EXPECT_FALSE(*queue.enter("ana", "2"));
    EXPECT_FALSE(*queue.enter("ana", "3"));
    clock.advance(RunQueue::patience_with_people - std::chrono::milliseconds(1));
    queue.leave("0");
    EXPECT_TRUE(runs("2") && !runs("digest")) << "people come first";
    clock.advance(std::chrono::milliseconds(1));
    queue.leave("1");
    EXPECT_TRUE(runs("digest") && !runs("3")) << "it has waited for a minute";
    queue.leave("digest");
    EXPECT_TRUE(runs("3"));
}

TEST_F(AutomationLine, IsFairToPeopleAfterAMinute)
{
    EXPECT_TRUE(*queue.enter("cem", "0"));
    EXPECT_TRUE(*queue.enter("cem", "1"));
    for (const char* run : {"a1", "a2", "a3"})
        EXPECT_FALSE(*queue.enter("ana", run, Line::automations));
    clock.advance(RunQueue::patience_with_people);
    EXPECT_FALSE(*queue.enter("ben", "b1"));
    queue.leave("0");
    queue.leave("1");
    EXPECT_TRUE(runs("b1")) << "one user's automations do not hold up a person";
    EXPECT_TRUE(runs("a1") && !runs("a2"));
}

TEST_F(AutomationLine, LetsGo)
{
    EXPECT_TRUE(*queue.enter("ana", "0"));
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_FALSE(*queue.enter("ana", "digest", Line::automations));
    EXPECT_FALSE(queue.readmit("ana", "report", Line::automations));
    queue.withdraw("digest");
    EXPECT_FALSE(block_on(queue.turn("digest")));
    queue.leave("0");
    EXPECT_TRUE(block_on(queue.turn("report")));
    queue.leave("report");
    queue.leave("1");
    EXPECT_EQ(queue.running() + queue.waiting(), 0U);
}

TEST_F(AutomationLine, HasNoPartInTheShares)
{
    EXPECT_TRUE(*queue.enter("ana", "0"));
    EXPECT_TRUE(*queue.enter("ana", "1"));
    for (int i = 0; i < 50; ++i)
        EXPECT_FALSE(*queue.enter("ana", "digest" + std::to_string(i), Line::automations));
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(queue.enter("ana", "more" + std::to_string(i)));
    EXPECT_FALSE(queue.enter("ana", "one more"));
    EXPECT_TRUE(queue.enter("ben", "new"));
}

}  // namespace
}  // namespace parley::chat
