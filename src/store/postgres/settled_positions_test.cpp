#include "store/sql/settled_positions.hpp"

#include <gtest/gtest.h>

namespace parley::store::sql {
namespace {

class SettledPositionsTest : public testing::Test {
protected:
    void note(std::int64_t position, bool is_end)
    {
        positions.note_read(position, is_end, {.oldest = oldest, .next = oldest + running});
    }
    // All transactions that were running have ended.
    void wait() { oldest += running; }

    SettledPositions positions;
    static constexpr std::int64_t running = 10;
    std::int64_t oldest = 100;
};

TEST_F(SettledPositionsTest, ReadsOnAndThenBeginsAgain)
{
    EXPECT_EQ(positions.next_from(7), 7);
    note(20, false);
    EXPECT_EQ(positions.next_from(7), 20);
    note(30, true);
    EXPECT_EQ(positions.next_from(7), 7);
    EXPECT_EQ(positions.settled(), 0);
}

TEST_F(SettledPositionsTest, APositionIsSettledByAPassThatBeganLongAfterIt)
{
    note(30, true);
    oldest += running - 1;
    note(40, true);
    EXPECT_EQ(positions.settled(), 0);
    ++oldest;
    note(50, true);
    EXPECT_EQ(positions.settled(), 30);
}

// A message before 20 may have been committed after the pass had read up to 20.
TEST_F(SettledPositionsTest, ALongPassDoesNotSettleWhatItReadItself)
{
    note(20, false);
    wait();
    note(40, false);
    wait();
    note(60, true);
    EXPECT_EQ(positions.settled(), 0);
    note(60, false);
    EXPECT_EQ(positions.settled(), 0);
    note(61, true);
    EXPECT_EQ(positions.settled(), 40);
}

TEST_F(SettledPositionsTest, AnotherIndexBeginsWithNothing)
{
    positions.read_for(1);
    note(30, true);
    wait();
    note(30, true);
    ASSERT_EQ(positions.settled(), 30);
    note(40, false);
    positions.read_for(1);
    ASSERT_EQ(positions.settled(), 30);
    positions.read_for(2);
    EXPECT_EQ(positions.settled(), 0);
    EXPECT_EQ(positions.next_from(0), 0);
}

}  // namespace
}  // namespace parley::store::sql
