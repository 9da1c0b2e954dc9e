// The contract tests of what is kept of the events of ended runs, and of how it is forgotten.
#include "store/chat_contract_fixture.hpp"

namespace parley::store {
namespace {

class EventsContract : public ChatContractTest {
protected:
    std::string ended_with(std::string kept)
    {
        const RunWithMessages whole = begun(session, NewRoot{});
        FinishedRun end = end_of(whole.run);
        end.events = std::move(kept);
        EXPECT_TRUE(block_on(runs().finish_run(std::move(end))));
        return whole.run.id;
    }
    Result<std::string> events(const std::string& id) { return block_on(runs().events(id)); }
    bool are_kept(const std::string& id) { return events(id).has_value(); }
    std::size_t sweep(TimePoint events_before, std::size_t most = 100)
    {
        return block_on(runs().sweep_runs(events_before, clock.now(), most)).value();
    }

    const Session session = created(anas);
};

TEST_F(EventsContract, GivesThemBackByteForByte)
{
    for (const std::string& kept : {"a\0b"s, "\xff\xfe"s, std::string(700'000, 'x'), "\n"s})
        EXPECT_TRUE(events(ended_with(kept)).value() == kept);
}

TEST_F(EventsContract, HasNoneOfARunThatGoesOnOrIsNotThere)
{
    const RunWithMessages going_on = begun(session);
    EXPECT_EQ(events(going_on.run.id).error().code, Errc::not_found);
    EXPECT_EQ(events("run_none").error().code, Errc::not_found);
    EXPECT_EQ(events(ended_with("")).error().code, Errc::not_found);
}

TEST_F(EventsContract, HasNoOldFramesBesideThem)
{
    EXPECT_EQ(block_on(runs().old_frames(ended_with("kept"), 0, 100)).error().code,
              Errc::not_found);
    EXPECT_EQ(block_on(runs().old_frames(ended_with(""), 0, 100)).error().code, Errc::not_found);
}

TEST_F(EventsContract, ForgetsThoseOfRunsThatEndedBeforeATime)
{
    const std::string first = ended_with("1");
    const std::string second = ended_with(std::string(600'000, 'x'));
    const TimePoint end_of_second = clock.now();
    const std::string third = ended_with("3");
    const RunWithMessages going_on = begun(session, NewRoot{});

    EXPECT_EQ(sweep(end_of_second), 1U);
    EXPECT_EQ(events(first).error().code, Errc::not_found);
    EXPECT_TRUE(are_kept(second));
    EXPECT_EQ(sweep(end_of_second), 0U);
    EXPECT_EQ(sweep(later()), 2U);
    EXPECT_FALSE(are_kept(second));
    EXPECT_FALSE(are_kept(third));
    // The run itself, and what it said, stay.
    EXPECT_EQ(block_on(runs().find_run(anas, second)).value().answer->parts.at(0), "Because.");
    EXPECT_TRUE(finish(going_on));
    EXPECT_TRUE(are_kept(going_on.run.id));
}

TEST_F(EventsContract, ForgetsByTheTimeSinceWhenTheyAreKept)
{
    const auto ended_at = [&](TimePoint completed, TimePoint kept_since) {
        const RunWithMessages whole = begun(session, NewRoot{});
        FinishedRun end = end_of(whole.run);
        end.completed_at = completed;
        end.kept_since = kept_since;
        EXPECT_TRUE(block_on(runs().finish_run(std::move(end))));
        EXPECT_EQ(found(whole).run.kept_since, kept_since);
        EXPECT_EQ(found(whole).run.completed_at, completed);
        return whole.run.id;
    };
    const TimePoint now = later();
    const std::string by_a_slow_clock = ended_at(now - 48h, now);
    const std::string by_a_fast_clock = ended_at(now + 48h, now - 1h);
    EXPECT_EQ(sweep(now), 1U);
    EXPECT_TRUE(are_kept(by_a_slow_clock));
    EXPECT_FALSE(are_kept(by_a_fast_clock));
}

TEST_F(EventsContract, ForgetsOnlySoManyAtOnceTheOldestFirst)
{
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(ended_with("12"));
    const TimePoint now = later();
    EXPECT_EQ(sweep(now, 0), 0U);
    EXPECT_EQ(sweep(now, 2), 2U);
    EXPECT_FALSE(are_kept(ids.at(1)));
    EXPECT_TRUE(are_kept(ids.at(2)));
    EXPECT_EQ(sweep(now, 2), 2U);
    EXPECT_EQ(sweep(now, 2), 1U);
    EXPECT_EQ(sweep(now, 2), 0U);
}

}  // namespace
}  // namespace parley::store
