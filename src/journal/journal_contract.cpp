#include "journal/contract_fixture.hpp"

#include <gmock/gmock.h>

namespace parley::journal {
namespace {

using testing::HasSubstr;

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
    EXPECT_THAT(append("run", 3, "x").error().detail, HasSubstr("event number 3 instead of 2"));
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

TEST_F(JournalContract, GivesManyEventsInTheirOrder)
{
    constexpr std::uint32_t count = 120;
    for (std::uint32_t number = 1; number <= count; ++number)
        for (const auto* run : {"a", "b"}) ASSERT_TRUE(append(run, number, std::to_string(number)));
    std::uint32_t next = 1;
    for (const std::string& text : read("a")) EXPECT_EQ(text, std::to_string(next++));
    EXPECT_EQ(next, count + 1);
    const auto news = wait_for(journal->read_all({{"a", 0}, {"b", 8}}, 1'000'000)).value();
    ASSERT_EQ(news.size(), 2U);
    for (const NewEvents& each : news) {
        next = each.of == 0 ? 1 : 9;
        for (const Record& record : each.records) EXPECT_EQ(record.number, next++);
        EXPECT_EQ(next, count + 1);
    }
}

TEST_F(JournalContract, ReadsSeveralRunsAtOnce)
{
    for (std::uint32_t number = 1; number <= 3; ++number)
        ASSERT_TRUE(append("a", number, std::string(40, static_cast<char>('0' + number))));
    ASSERT_TRUE(append("b", 1, "only"));
    const std::size_t each = Record::overhead + 40;
    const auto news = [&](std::vector<Wanted> wanted, std::size_t max_bytes = 1000) {
        return wait_for(journal->read_all(std::move(wanted), max_bytes)).value();
    };
    EXPECT_TRUE(news({}).empty());
    EXPECT_TRUE(news({{"a", 3}, {"b", 1}}).empty());
    const auto all = news({{"b", 1}, {"a", 1}});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].of, 1U);
    EXPECT_FALSE(all[0].has_ended);
    ASSERT_EQ(all[0].records.size(), 2U);
    EXPECT_EQ(all[0].records[0].number, 2U);
    EXPECT_EQ(all[0].records[1].bytes, std::string(40, '3'));
    EXPECT_EQ(news({{"a", 0}}, 2 * each)[0].records.size(), 2U);
    EXPECT_EQ(news({{"a", 0}}, 0)[0].records.size(), 1U);
    journal->end("a");
    const auto ended = news({{"a", 3}, {"b", 0}});
    ASSERT_EQ(ended.size(), 2U);
    for (const NewEvents& one : ended) {
        EXPECT_EQ(one.has_ended, one.of == 0);
        EXPECT_EQ(one.records.size(), one.of == 0 ? 0U : 1U);
    }
}

}  // namespace
}  // namespace parley::journal
