#include "http/allowance.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace parley::http {
namespace {

TEST(Allowance, OnePayerGetsItsShareAndNoMore)
{
    Allowance allowance(1000, 100);
    EXPECT_TRUE(allowance.take("a", 60));
    EXPECT_FALSE(allowance.take("a", 41));
    EXPECT_TRUE(allowance.take("a", 40));
    EXPECT_TRUE(allowance.take("b", 100)) << "another one's share is not touched";
    allowance.give_back("a", 60);
    EXPECT_TRUE(allowance.take("a", 60));
}

TEST(Allowance, ARefusedPayerLeavesNothingBehind)
{
    Allowance allowance(100, 80);
    EXPECT_TRUE(allowance.take("a", 80));
    EXPECT_FALSE(allowance.take("a", 1));
    EXPECT_FALSE(allowance.take("b", 30));
    EXPECT_EQ(allowance.taken(), 80U);
    EXPECT_EQ(allowance.payers(), 1U);
}

TEST(Allowance, AllTogetherHaveALimit)
{
    Allowance allowance(250, 100);
    EXPECT_TRUE(allowance.take("a", 100));
    EXPECT_TRUE(allowance.take("b", 100));
    EXPECT_FALSE(allowance.take("c", 51));
    EXPECT_FALSE(allowance.take("", 51)) << "also for those without a name";
    EXPECT_TRUE(allowance.take("", 50));
}

TEST(Allowance, WhoHoldsNothingMayTakeMoreThanAShare)
{
    Allowance allowance(1000, 100);
    EXPECT_TRUE(allowance.take("a", 500));
    EXPECT_FALSE(allowance.take("a", 1));
    EXPECT_FALSE(allowance.take("b", 501)) << "but never more than all";
}

TEST(Allowance, ForgetsThoseWhoHoldNothing)
{
    Allowance allowance(1'000'000, 1000);
    {
        std::vector<std::unique_ptr<Share>> shares;
        for (int i = 0; i < 500; ++i) {
            shares.push_back(std::make_unique<Share>(allowance));
            shares.back()->charge_to(std::to_string(i));
            EXPECT_TRUE(shares.back()->take(10));
        }
        EXPECT_EQ(allowance.payers(), 500U);
        shares[0]->reset();
        EXPECT_EQ(allowance.payers(), 499U);
    }
    EXPECT_EQ(allowance.payers(), 0U);
    EXPECT_EQ(allowance.taken(), 0U);
}

TEST(Allowance, TakesBackAPartOfAShare)
{
    Allowance allowance(1000, 500);
    Share share(allowance);
    share.charge_to("a");
    EXPECT_TRUE(share.take(400));
    share.shrink_to(400);
    share.shrink_to(4000);
    EXPECT_EQ(allowance.taken(), 400U);
    share.shrink_to(100);
    EXPECT_EQ(allowance.taken(), 100U);
    EXPECT_TRUE(allowance.take("a", 400));
    EXPECT_FALSE(allowance.take("a", 1));
    allowance.give_back("a", 400);
    share.shrink_to(0);
    EXPECT_EQ(allowance.payers(), 0U);
    EXPECT_TRUE(share.take(500)) << "the payer is the same";
    EXPECT_EQ(allowance.payers(), 1U);
}

TEST(Allowance, ComesOutEvenWhenManyTakeAtOnce)
{
    Allowance allowance(1000, 300);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&allowance, i] {
            for (int round = 0; round < 2000; ++round) {
                Share share(allowance);
                share.charge_to(std::to_string(i % 2));
                if (share.take(100)) share.take(150);
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(allowance.taken(), 0U);
    EXPECT_EQ(allowance.payers(), 0U);
}

}  // namespace
}  // namespace parley::http
