#include "chat/run_queue.hpp"

#include "base/run.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace parley::chat {
namespace {

TEST(RunQueue, LetsSoManyRunAndTheOthersWait)
{
    RunQueue queue(2, 10);
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_TRUE(*queue.enter("ana", "2"));
    EXPECT_FALSE(*queue.enter("ana", "3"));
    EXPECT_EQ(queue.running(), 2U);
    EXPECT_EQ(queue.waiting(), 1U);
    EXPECT_EQ(queue.position("3"), 1U);
    EXPECT_EQ(queue.position("1"), std::nullopt);
    queue.leave("1");
    EXPECT_TRUE(run(queue.turn("3")));
    EXPECT_EQ(queue.position("3"), std::nullopt);
    EXPECT_EQ(queue.running(), 2U);
}

TEST(RunQueue, RefusesWhenTheLineIsFull)
{
    RunQueue queue(1, 1);
    EXPECT_TRUE(queue.enter("ana", "1"));
    EXPECT_TRUE(queue.enter("ana", "2"));
    const auto refused = queue.enter("ben", "3");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::overloaded);
    EXPECT_TRUE(refused.error().retry_after);
    EXPECT_FALSE(queue.enter_again("ben", "3"));
    queue.leave("1");
    queue.leave("2");
    EXPECT_TRUE(run(queue.turn("3")));
}

TEST(RunQueue, GivesEachUserAShareOfTheLine)
{
    RunQueue queue(1, 12);
    EXPECT_TRUE(*queue.enter("ana", "now"));
    const auto taken_by = [&](const std::string& user) {
        int taken = 0;
        while (queue.enter(user, user + std::to_string(taken))) ++taken;
        return taken;
    };
    EXPECT_EQ(taken_by("ana"), 6);
    EXPECT_EQ(taken_by("ben"), 3);
    EXPECT_EQ(taken_by("cem"), 2);
    EXPECT_EQ(taken_by("dan"), 1);
    EXPECT_EQ(taken_by("eva"), 0);
    const auto refused = queue.enter("eva", "e");
    EXPECT_EQ(refused.error().code, Errc::overloaded);
    EXPECT_TRUE(refused.error().retry_after);
    queue.leave("ana0");
    EXPECT_EQ(taken_by("ana"), 0) << "she has her share";
    EXPECT_EQ(taken_by("eva"), 1);
}

TEST(RunQueue, UsersTakeTurns)
{
    RunQueue queue(1, 1000);
    EXPECT_TRUE(*queue.enter("ana", "now"));
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(*queue.enter("ana", "a" + std::to_string(i)));
    EXPECT_FALSE(*queue.enter("ben", "b0"));
    EXPECT_FALSE(*queue.enter("ben", "b1"));
    EXPECT_EQ(queue.position("a0"), 1U);
    EXPECT_EQ(queue.position("b0"), 2U);
    EXPECT_EQ(queue.position("a1"), 3U);
    EXPECT_EQ(queue.position("b1"), 4U);
    EXPECT_EQ(queue.position("a2"), 5U);
    EXPECT_EQ(queue.position("a99"), 102U);
    // And that is the order in which they are begun.
    std::string running = "now";
    std::vector<std::string> waiting{"b1", "a2", "b0", "a1", "a0"};
    for (std::size_t turn = 0; turn < 5; ++turn) {
        std::string next;
        for (const auto& each : waiting)
            if (queue.position(each) == 1U) next = each;
        ASSERT_FALSE(next.empty());
        queue.leave(running);
        EXPECT_TRUE(run(queue.turn(next)));
        running = next;
        std::erase(waiting, next);
    }
    EXPECT_TRUE(waiting.empty());
}

TEST(RunQueue, WhoLeavesTheLineHoldsNobodyUp)
{
    RunQueue queue(1, 10);
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_FALSE(*queue.enter("ana", "2"));
    EXPECT_FALSE(*queue.enter("ana", "3"));
    queue.withdraw("1");  // Has begun.
    EXPECT_EQ(queue.running(), 1U);
    queue.withdraw("2");
    queue.leave("2");
    queue.leave("never came");
    EXPECT_EQ(queue.position("3"), 1U);
    EXPECT_FALSE(run(queue.turn("2")));
    queue.leave("1");
    EXPECT_TRUE(run(queue.turn("3")));
    queue.leave("3");
    EXPECT_EQ(queue.running(), 0U);
    EXPECT_EQ(queue.waiting(), 0U);
}

TEST(RunQueue, WhoWaitsIsToldWhenItLeaves)
{
    RunQueue queue(1, 10);
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_FALSE(*queue.enter("ana", "2"));
    EXPECT_FALSE(*queue.enter("ben", "3"));
    const auto leave_both = [&]() -> Task<bool> {
        queue.leave("2");
        queue.leave("1");
        co_return true;
    };
    std::vector<Task<bool>> tasks;
    tasks.push_back(queue.turn("2"));
    tasks.push_back(queue.turn("3"));
    tasks.push_back(leave_both());
    EXPECT_EQ(run_all(std::move(tasks)), (std::vector<bool>{false, true, true}));
}

}  // namespace
}  // namespace parley::chat
