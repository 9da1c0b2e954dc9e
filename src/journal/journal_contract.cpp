#include "journal/contract_fixture.hpp"

#include <gmock/gmock.h>

namespace parley::journal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST_F(JournalContract, GivesBackWhatWasAppended)
{
    const std::string odd("\0\n\xff", 3);
    ASSERT_TRUE(append("run_a", 1, "first"));
    ASSERT_TRUE(append("run_b", 1, odd));
    ASSERT_TRUE(append("run_a", 2, ""));
    EXPECT_EQ(read("run_a"), Texts({"first", ""}));
    EXPECT_EQ(read("run_b"), Texts({odd}));
    reopen();
    EXPECT_EQ(read("run_a"), Texts({"first", ""}));
    EXPECT_EQ(read("run_b"), Texts({odd}));
}

TEST_F(JournalContract, SaysWhatItHasOfARun)
{
    ASSERT_TRUE(append("run_a", 1, "first"));
    ASSERT_TRUE(append("run_a", 2, "second"));
    EXPECT_EQ(state("run_a"), (RunState{.first = 1, .last = 2}));
    EXPECT_EQ(state("run_b"), std::nullopt);
    EXPECT_EQ(state(""), std::nullopt);
    EXPECT_EQ(journal->figures().runs, 1U);
    reopen();
    EXPECT_EQ(state("run_a"), (RunState{.first = 1, .last = 2}));
    journal->end("run_a");
    EXPECT_EQ(state("run_a"), std::nullopt);
}

TEST_F(JournalContract, TakesSeveralFramesTogether)
{
    const std::vector<Frame> frames{frame("one"), frame("two"), frame("three")};
    ASSERT_TRUE(wait_for(journal->append("run", 1, frames)));
    ASSERT_TRUE(append("run", 4, "four"));
    EXPECT_EQ(read("run"), Texts({"one", "two", "three", "four"}));
    EXPECT_EQ(journal->figures().records, 4U);
}

TEST_F(JournalContract, RefusesNumbersThatRepeatOrLeaveAGap)
{
    EXPECT_EQ(append("run", 2, "x").error().code, Errc::internal);
    EXPECT_EQ(append("run", 0, "x").error().code, Errc::internal);
    ASSERT_TRUE(append("run", 1, "one"));
    EXPECT_EQ(append("run", 1, "x").error().code, Errc::internal);
    EXPECT_EQ(append("run", 3, "x").error().code, Errc::internal);
    EXPECT_THAT(append("run", 3, "x").error().detail, HasSubstr("3 came, 2 is next"));
    ASSERT_TRUE(append("run", 2, "two"));
    reopen();
    EXPECT_EQ(append("run", 2, "x").error().code, Errc::internal);
    ASSERT_TRUE(append("run", 3, "three"));
    EXPECT_EQ(read("run"), Texts({"one", "two", "three"}));
}

TEST_F(JournalContract, RefusesWhatIsNoEventOfARun)
{
    EXPECT_EQ(append("", 1, "x").error().code, Errc::internal);
    EXPECT_EQ(append(std::string(41, 'r'), 1, "x").error().code, Errc::internal);
    const std::array<Frame, 1> missing{};
    EXPECT_EQ(wait_for(journal->append("run", 1, missing)).error().code, Errc::internal);
    EXPECT_EQ(wait_for(journal->append("run", 1, {})).error().code, Errc::internal);
    EXPECT_TRUE(append(std::string(40, 'r'), 1, "x"));
}

TEST_F(JournalContract, ReadsPageByPage)
{
    for (std::uint32_t number = 1; number <= 5; ++number)
        ASSERT_TRUE(append("run", number, std::string(40, static_cast<char>('0' + number))));
    const auto count = [&](std::uint32_t after, std::size_t max_bytes) {
        return wait_for(journal->read("run", after, max_bytes))->size();
    };
    const std::size_t each = Record::overhead + 40;
    EXPECT_EQ(count(0, 2 * each + 20), 2U);
    EXPECT_EQ(count(0, 2 * each), 2U);
    EXPECT_EQ(count(0, 2 * each - 1), 1U);
    EXPECT_EQ(count(0, 0), 1U);  // Otherwise a reader would never make progress.
    EXPECT_EQ(count(3, 1000), 2U);
    EXPECT_EQ(count(5, 1000), 0U);
    EXPECT_EQ(count(4'000'000'000, 1000), 0U);
    const auto page = wait_for(journal->read("run", 3, 1000));
    EXPECT_EQ(page->at(0).number, 4U);
    EXPECT_EQ(page->at(0).bytes, std::string(40, '4'));
}

TEST_F(JournalContract, DoesNotFindRunsThatItDoesNotHave)
{
    ASSERT_TRUE(append("run", 1, "x"));
    EXPECT_EQ(wait_for(journal->read("other", 0, 100)).error().code, Errc::not_found);
    EXPECT_EQ(wait_for(journal->read("", 0, 100)).error().code, Errc::not_found);
    journal->end("run");
    journal->end("run");
    journal->end("never seen");
    EXPECT_EQ(wait_for(journal->read("run", 0, 100)).error().code, Errc::not_found);
    EXPECT_EQ(journal->figures().runs, 0U);
}

TEST_F(JournalContract, KeepsOnlyTheRunsThatHaveNotEnded)
{
    for (const auto* run : {"a", "b", "c"}) ASSERT_TRUE(append(run, 1, run));
    reopen();
    journal->keep_only(std::vector<std::string>{"b", "never seen"});
    EXPECT_THAT(last_numbers({"a", "b", "c", "never seen"}), ElementsAre(Pair("b", 1)));
    EXPECT_EQ(read("b"), Texts({"b"}));
    journal->keep_only({});
    EXPECT_EQ(journal->figures().runs, 0U);
    EXPECT_TRUE(append("a", 1, "anew"));
}

}  // namespace
}  // namespace parley::journal
