#include "engine/llama/thread_choice.hpp"

#include <gtest/gtest.h>

namespace parley::engine::llama {
namespace {

using namespace std::chrono_literals;

// Steps of 100 ms in which each thread gets this share of a core.
void compute(ThreadChoice& choice, double share, int steps = 1)
{
    for (int i = 0; i < steps; ++i)
        choice.computed(100ms, std::chrono::nanoseconds(
                                   static_cast<std::int64_t>(1e8 * share * choice.threads())));
}

TEST(ThreadChoice, UsesAllThreadsOnAQuietMachine)
{
    ThreadChoice choice(4);
    compute(choice, 0.97, 100);
    EXPECT_EQ(choice.threads(), 4);
}

TEST(ThreadChoice, UsesFewerWhileOthersTakeTheCores)
{
    ThreadChoice choice(4);
    compute(choice, 0.5);
    EXPECT_EQ(choice.threads(), 2);
    compute(choice, 0.5);
    EXPECT_EQ(choice.threads(), 1);
    compute(choice, 0.1, 1000);
    EXPECT_EQ(choice.threads(), 1) << "Not even one has a core of its own";
}

TEST(ThreadChoice, TriesMoreAgainAndLessOftenInVain)
{
    ThreadChoice choice(2);
    compute(choice, 0.5);
    int steps = 0;
    for (int expected : {10, 20, 40, 80}) {
        for (steps = 0; choice.threads() == 1 && steps < 1000; ++steps) compute(choice, 1);
        EXPECT_EQ(steps, expected);
        compute(choice, 0.5);
        EXPECT_EQ(choice.threads(), 1);
    }
    for (steps = 0; choice.threads() == 1 && steps < 1000; ++steps) compute(choice, 1);
    compute(choice, 1, 100);
    EXPECT_EQ(choice.threads(), 2) << "The machine is quiet again";
    compute(choice, 0.5);
    for (steps = 0; choice.threads() == 1 && steps < 1000; ++steps) compute(choice, 1);
    EXPECT_EQ(steps, 10);
}

TEST(ThreadChoice, DoesNotJudgeByAMoment)
{
    ThreadChoice choice(2);
    choice.computed(10ms, 2ms);
    choice.computed(100ms, 200ms);
    EXPECT_EQ(choice.threads(), 2);
}

TEST(ThreadChoice, KeepsOneThread)
{
    ThreadChoice choice(1);
    compute(choice, 0.1, 10);
    compute(choice, 1, 100);
    EXPECT_EQ(choice.threads(), 1);
}

}  // namespace
}  // namespace parley::engine::llama
