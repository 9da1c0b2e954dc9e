#include "chat/run_queue.hpp"

#include "base/block_on.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
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
    EXPECT_TRUE(block_on(queue.turn("3")));
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
    EXPECT_FALSE(queue.readmit("ben", "3"));
    queue.leave("1");
    queue.leave("2");
    EXPECT_TRUE(block_on(queue.turn("3")));
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
    EXPECT_EQ(queue.position("b0"), 1U) << "ana has a run running";
    EXPECT_EQ(queue.position("a0"), 2U);
    EXPECT_EQ(queue.position("b1"), 3U);
    EXPECT_EQ(queue.position("a1"), 4U);
    EXPECT_EQ(queue.position("a2"), 5U);
    EXPECT_EQ(queue.position("a99"), 102U);
    // They begin in this order.
    std::string running = "now";
    std::vector<std::string> waiting{"b1", "a2", "b0", "a1", "a0"};
    for (std::size_t turn = 0; turn < 5; ++turn) {
        std::string next;
        for (const auto& each : waiting)
            if (queue.position(each) == 1U) next = each;
        ASSERT_FALSE(next.empty());
        queue.leave(running);
        EXPECT_TRUE(block_on(queue.turn(next)));
        running = next;
        std::erase(waiting, next);
    }
    EXPECT_TRUE(waiting.empty());
}

TEST(RunQueue, AFreePlaceGoesToTheUserWithTheFewestRunning)
{
    RunQueue queue(4, 100);
    for (const char* each : {"a1", "a2", "a3"}) EXPECT_TRUE(*queue.enter("ana", each));
    EXPECT_TRUE(*queue.enter("ben", "b1"));
    for (const char* each : {"a4", "a5"}) EXPECT_FALSE(*queue.enter("ana", each));
    for (const char* each : {"b2", "b3"}) EXPECT_FALSE(*queue.enter("ben", each));
    EXPECT_FALSE(*queue.enter("cem", "c1"));
    const std::vector<std::string> expected{"c1", "b2", "b3", "a4", "a5"};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(queue.position(expected[i]), i + 1) << expected[i];
    // Ana has three, ben one, cem none; ana's end first.
    queue.leave("a1");
    EXPECT_EQ(queue.position("c1"), std::nullopt);
    queue.leave("a2");
    EXPECT_EQ(queue.position("b2"), std::nullopt) << "ana had a place last, and each has one now";
    queue.leave("a3");
    EXPECT_EQ(queue.position("a4"), std::nullopt) << "ana has none";
    queue.leave("c1");
    EXPECT_EQ(queue.position("a5"), std::nullopt) << "ben has two";
    queue.leave("a4");
    EXPECT_EQ(queue.position("b3"), std::nullopt);
    EXPECT_EQ(queue.waiting(), 0U);
}

TEST(RunQueue, OneOfSeveralUsersNeverHasAllPlaces)
{
    for (const std::size_t places : {1U, 2U, 5U}) {
        RunQueue queue(places, 100);
        queue.share();
        std::size_t begun = 0;
        for (int i = 0; i < 10; ++i)
            if (*queue.enter("ana", "a" + std::to_string(i))) ++begun;
        EXPECT_EQ(begun, places == 1 ? 1U : places - 1) << places;
        if (places == 1) continue;
        EXPECT_TRUE(*queue.enter("ben", "b0")) << "at once, though others wait";
        EXPECT_FALSE(*queue.enter("ben", "b1"));
        queue.leave("b0");
        EXPECT_EQ(queue.position("b1"), std::nullopt);
        queue.leave("b1");
        EXPECT_EQ(queue.running(), places - 1) << "ana still waits, and one place is kept";
        queue.leave("a0");
        EXPECT_EQ(queue.running(), places - 1) << "her next one has begun";
        EXPECT_TRUE(*queue.enter("cem", "c0"));
    }
}

// As runs that wait in the line of several servers use it.
TEST(RunQueue, APlaceIsTakenAtOnceOrNotAtAll)
{
    RunQueue queue(2, 10);
    EXPECT_TRUE(queue.enter_at_once("ana", "1"));
    EXPECT_TRUE(queue.users_without_room().empty());
    queue.share();
    EXPECT_EQ(queue.users_without_room(), std::vector<std::string>{"ana"});
    EXPECT_FALSE(queue.enter_at_once("ana", "2"));
    EXPECT_TRUE(queue.enter_at_once("ben", "3"));
    EXPECT_FALSE(queue.enter_at_once("cem", "4"));
    EXPECT_EQ(queue.running(), 2U);
    EXPECT_EQ(queue.waiting(), 0U);
    queue.leave("4");
    queue.leave("1");
    EXPECT_TRUE(queue.enter_at_once("cem", "4"));
}

TEST(RunQueue, ATicketPassesItsPlaceOn)
{
    RunQueue queue(2, 10);
    queue.share();
    EXPECT_TRUE(queue.readmit("", "ticket"));
    queue.pass_on("ticket", "ana", "1");
    EXPECT_EQ(queue.running(), 1U);
    EXPECT_EQ(queue.users_without_room(), std::vector<std::string>{"ana"});
    queue.leave("ticket");  // Is not there any more.
    EXPECT_EQ(queue.running(), 1U);
    EXPECT_TRUE(queue.readmit("", "ticket"));
    EXPECT_FALSE(*queue.enter("ben", "2"));
    queue.leave("ticket");
    EXPECT_TRUE(block_on(queue.turn("2")));
    EXPECT_FALSE(queue.readmit("", "ticket"));
    EXPECT_EQ(queue.waiting(), 0U);
    queue.pass_on("ticket", "cem", "3");  // It has no place.
    EXPECT_EQ(queue.running(), 2U);
    queue.leave("1");
    EXPECT_TRUE(block_on(queue.turn("ticket")));
    queue.leave("ticket");
    queue.leave("2");
    EXPECT_EQ(queue.running(), 0U);
}

TEST(RunQueue, TheOnlyUserHasAllPlaces)
{
    RunQueue queue(3, 100);
    for (const char* each : {"1", "2", "3"}) EXPECT_TRUE(*queue.enter("ana", each));
    EXPECT_FALSE(*queue.enter("ana", "4"));
    queue.share();
    queue.leave("1");
    EXPECT_EQ(queue.running(), 2U) << "there is somebody else now";
    EXPECT_TRUE(*queue.enter("ben", "5"));
}

// Random operations: no user has all places, and the positions are 1, 2, 3 and so on.
TEST(RunQueue, KeepsItsRulesWhateverHappens)
{
    std::minstd_rand random(7);
    RunQueue queue(4, 30);
    queue.share();
    std::vector<std::string> present;
    std::map<std::string, int> running;
    for (int step = 0; step < 5000; ++step) {
        const std::string user(1, "abc"[random() % 3]);
        if (random() % 2 == 0) {
            const std::string name = user + std::to_string(step);
            if (queue.enter(user, name)) present.push_back(name);
        } else if (!present.empty()) {
            const std::size_t gone = random() % present.size();
            queue.leave(present[gone]);
            present.erase(present.begin() + static_cast<std::ptrdiff_t>(gone));
        }
        running.clear();
        std::size_t all = 0;
        std::set<std::size_t> positions;
        for (const std::string& each : present) {
            if (const auto position = queue.position(each)) {
                positions.insert(*position);
                continue;
            }
            ++running[each.substr(0, 1)];
            ++all;
        }
        ASSERT_EQ(queue.running(), all);
        ASSERT_EQ(queue.running() + queue.waiting(), present.size());
        ASSERT_LE(all, 4U);
        for (const auto& [name, count] : running) ASSERT_LE(count, 3) << "of " << name;
        ASSERT_EQ(positions.size(), queue.waiting()) << "no two have the same";
        if (!positions.empty()) ASSERT_EQ(*positions.rbegin(), queue.waiting());
    }
}

TEST(RunQueue, WhoLeavesTheLineHoldsNobodyUp)
{
    RunQueue queue(1, 10);
    EXPECT_TRUE(*queue.enter("ana", "1"));
    EXPECT_FALSE(*queue.enter("ana", "2"));
    EXPECT_FALSE(*queue.enter("ana", "3"));
    queue.withdraw("1");  // It has begun.
    EXPECT_EQ(queue.running(), 1U);
    queue.withdraw("2");
    queue.leave("2");
    queue.leave("never came");
    EXPECT_EQ(queue.position("3"), 1U);
    EXPECT_FALSE(block_on(queue.turn("2")));
    queue.leave("1");
    EXPECT_TRUE(block_on(queue.turn("3")));
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
    EXPECT_EQ(block_on_all(std::move(tasks)), (std::vector<bool>{false, true, true}));
}

}  // namespace
}  // namespace parley::chat
