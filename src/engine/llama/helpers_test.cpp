#include "engine/llama/helpers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace parley::engine::llama {
namespace {

TEST(Helpers, DoEachPieceOnce)
{
    for (const std::size_t threads : {0, 1, 3}) {
        Helpers helpers(threads);
        for (int round = 0; round < 200; ++round)
            for (const std::size_t count : {0, 1, 3, 4, 64}) {
                std::vector<std::atomic<int>> times(count);
                helpers.for_each(count, [&](std::size_t i) { ++times[i]; });
                EXPECT_TRUE(std::ranges::all_of(times, [](const auto& each) { return each == 1; }));
            }
    }
}

TEST(Helpers, WorkAtTheSameTime)
{
    Helpers helpers(3);
    std::atomic<int> waiting = 0;
    Mutex mutex;
    std::set<std::thread::id> threads;
    helpers.for_each(4, [&](std::size_t) {
        ++waiting;
        while (waiting < 4) std::this_thread::yield();  // Until all four have come.
        const MutexLock lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(threads.size(), 4U);
}

}  // namespace
}  // namespace parley::engine::llama
