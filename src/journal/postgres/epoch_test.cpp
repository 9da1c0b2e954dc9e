// Readers learn that a run was taken over, and what the next server continues.
#include "journal/journal_for_tests.hpp"
#include "journal/postgres/database_for_tests.hpp"
#include "journal/postgres/postgres_journal.hpp"

namespace parley::journal::postgres {
namespace {

class EpochTest : public JournalTest {
protected:
    EpochTest()
    {
        journal = std::make_unique<PostgresJournal>(options_of(database, [this] { return me; }));
        database.add_run("run", me);
        for (const std::uint32_t number : {1U, 2U, 3U})
            EXPECT_TRUE(append("run", number, std::to_string(number)));
    }
    ~EpochTest() override { journal.reset(); }

    std::vector<NewEvents> news(std::uint32_t after, std::int64_t epoch)
    {
        return wait_for(
                   journal->read_all({{.run = "run", .after = after, .epoch = epoch}}, 1'000'000))
            .value();
    }

    TestDatabase database;
    const std::int64_t me = database.add_replica();
};

TEST_F(EpochTest, IsToldToReadersThatKnowAnotherOne)
{
    const auto first = news(3, -1);
    ASSERT_EQ(first.size(), 1U);
    ASSERT_TRUE(first[0].epoch);
    EXPECT_EQ(first[0].epoch->number, 0);
    EXPECT_EQ(first[0].epoch->last, 3U);
    EXPECT_TRUE(first[0].records.empty());
    EXPECT_FALSE(first[0].has_ended);
    EXPECT_TRUE(news(3, 0).empty());
    database.link.execute("UPDATE runs SET epoch = 1");
    const auto second = news(1, 0);
    ASSERT_EQ(second.size(), 1U);
    ASSERT_TRUE(second[0].epoch);
    EXPECT_EQ(second[0].epoch->number, 1);
    EXPECT_EQ(second[0].records.size(), 2U);
    EXPECT_TRUE(news(3, 1).empty());
}

TEST_F(EpochTest, HasTheLastEventThatACrashHasLeft)
{
    database.link.execute("DELETE FROM run_events WHERE number > 1");
    EXPECT_TRUE(news(3, 0).empty());
    database.link.execute("UPDATE runs SET epoch = 1");
    const auto told = news(3, 0);
    ASSERT_EQ(told.size(), 1U);
    ASSERT_TRUE(told[0].epoch);
    EXPECT_EQ(told[0].epoch->last, 1U);
    EXPECT_TRUE(told[0].records.empty());
    database.finish_run("run");
    const auto ended = news(3, 0);
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_TRUE(ended[0].has_ended);
    EXPECT_FALSE(ended[0].epoch);
}

}  // namespace
}  // namespace parley::journal::postgres
