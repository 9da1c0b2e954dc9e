#include "chat/queue_place.hpp"

#include "base/block_on.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

namespace parley::chat {
namespace {

TEST(QueuePlace, HasItsTurnWithoutTheLoopIfAPlaceIsFree)
{
    RunQueue queue(1, 1);
    const auto place = QueuePlace::take(queue, "ana", "1");
    ASSERT_TRUE(place);
    bool loop_went_on = false;
    EXPECT_TRUE(block_on([&]() -> Task<bool> {
        boost::asio::post(co_await boost::asio::this_coro::executor, [&] { loop_went_on = true; });
        const bool has_its_turn = co_await (*place)->turn();
        EXPECT_FALSE(loop_went_on);
        co_return has_its_turn;
    }()));
}

TEST(QueuePlace, WaitsIfNoneIsFree)
{
    RunQueue queue(1, 1);
    ASSERT_TRUE(*queue.enter("ben", "other"));
    const auto place = QueuePlace::take(queue, "ana", "1");
    ASSERT_TRUE(place);
    EXPECT_TRUE(block_on([&]() -> Task<bool> {
        boost::asio::post(co_await boost::asio::this_coro::executor, [&] { queue.leave("other"); });
        const bool has_its_turn = co_await (*place)->turn();
        EXPECT_EQ(queue.running(), 1U);
        EXPECT_EQ(queue.waiting(), 0U);
        co_return has_its_turn;
    }()));
}

TEST(QueuePlace, HasNoTurnAfterItWasWithdrawn)
{
    RunQueue queue(1, 1);
    ASSERT_TRUE(*queue.enter("ben", "other"));
    const auto place = QueuePlace::take(queue, "ana", "1");
    ASSERT_TRUE(place);
    (*place)->withdraw();
    EXPECT_FALSE(block_on((*place)->turn()));
}

}  // namespace
}  // namespace parley::chat
