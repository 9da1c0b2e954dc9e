// The contract tests of the test clock: the time of automations in test mode.
#include "store/automation_contract_fixture.hpp"

namespace parley::store {
namespace {

class TestClockContract : public AutomationContractTest {
protected:
    Automation with(Overlap overlap, const Owner& owner)
    {
        Automation wanted = new_automation(owner);
        wanted.overlap = overlap;
        wanted.next_at = wanted.evaluated_until + 1h;
        return created(wanted);
    }
    AutomationRun due(const Automation& automation, TimePoint at)
    {
        AutomationRun row = new_row(automation, rfc3339(at));
        row.trigger = TriggerType::schedule;
        row.scheduled_for = at;
        row.not_before = at;
        return row;
    }
    DueEntry entry_of(const Automation& automation, TimePoint until,
                      const std::vector<TimePoint>& times)
    {
        const Automation now = found(automation);
        DueEntry entry{.automation = automation.id,
                       .revision = now.revision,
                       .seen_until = now.evaluated_until,
                       .new_until = until,
                       .next_at = until + 1h,
                       .now = later()};
        for (const TimePoint at : times) entry.rows.push_back(due(automation, at));
        return entry;
    }
    std::optional<TimePoint> time_of(const Owner& owner)
    {
        return block_on(ledger().test_clock(owner)).value();
    }
    Result<EnteredRows> set(const Owner& owner, std::optional<TimePoint> to,
                            std::vector<DueEntry> entries = {})
    {
        return block_on(ledger().set_test_clock({.owner = owner,
                                                 .seen = time_of(owner),
                                                 .to = to,
                                                 .entries = std::move(entries),
                                                 .now = later()}));
    }
    std::vector<AutomationRun> rows_of(const Owner& owner)
    {
        return block_on(ledger().list(owner, {}, {}, 1000)).value().items;
    }
    std::size_t startable() { return block_on(ledger().startable(later(), 1000)).value().size(); }
    std::size_t due_now(TimePoint until)
    {
        return block_on(automations().due(until, 1000)).value().size();
    }

    const Owner bens_test{bens.user, true};
    const TimePoint start = clock.now() + 24h;
};

TEST_F(TestClockContract, IsRealTimeUntilItIsSet)
{
    EXPECT_EQ(time_of(anas_test), std::nullopt);
    ASSERT_TRUE(set(anas_test, start));
    EXPECT_EQ(time_of(anas_test), start);
    EXPECT_EQ(time_of(anas), std::nullopt) << "live automations have real time";
    EXPECT_EQ(time_of(bens_test), std::nullopt) << "each user has a clock of their own";
    if (keeps()) {
        reopen();
        EXPECT_EQ(time_of(anas_test), start);
    }
    ASSERT_TRUE(set(anas_test, std::nullopt));
    EXPECT_EQ(time_of(anas_test), std::nullopt);
}

TEST_F(TestClockContract, EntersAllThatFellDueInOrder)
{
    const Automation first = with(Overlap::skip, anas_test);
    const Automation second = with(Overlap::skip, anas_test);
    ASSERT_TRUE(set(anas_test, start + 4h,
                    {entry_of(first, start + 4h, {start + 1h, start + 3h}),
                     entry_of(second, start + 4h, {start + 2h, start + 4h})}));
    const auto rows = rows_of(anas_test);
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].scheduled_for, start + 4h - std::chrono::hours(i)) << "the newest first";
        EXPECT_EQ(rows[i].status, Status::queued) << "together they do not overlap";
    }
    EXPECT_EQ(found(first).evaluated_until, start + 4h);
    EXPECT_EQ(found(first).next_at, start + 5h);
    const auto again = set(anas_test, start + 4h, {entry_of(first, start + 4h, {start + 1h})});
    ASSERT_TRUE(again);
    EXPECT_EQ(rows_of(anas_test).size(), 4U) << "each time once";
}

TEST_F(TestClockContract, TellsOfItsRowsAsTheBeginningOfAChain)
{
    const Automation automation = with(Overlap::skip, anas_test);
    ASSERT_TRUE(set(anas_test, start, {entry_of(automation, start, {start})}));
    const auto events = events_of(anas_test);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().type, EventType::automation_run_queued);
    EXPECT_EQ(events.back().cause.depth, 1);
}

TEST_F(TestClockContract, RowsOfItsStepsDoNotOverlap)
{
    const Automation skips = with(Overlap::skip, anas_test);
    const Automation cancels = with(Overlap::cancel, anas_test);
    const auto first =
        set(anas_test, start, {entry_of(skips, start, {start}), entry_of(cancels, start, {start})});
    ASSERT_TRUE(first);
    const RunWithMessages running = begun_attempt(rows_of(anas_test).back());
    const auto second =
        block_on(ledger().set_test_clock({.owner = anas_test,
                                          .seen = start,
                                          .to = start + 1h,
                                          .entries = {entry_of(skips, start + 1h, {start + 1h}),
                                                      entry_of(cancels, start + 1h, {start + 1h})},
                                          .now = later(),
                                          .older_until = first->older_until}));
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->to_cancel.empty());
    EXPECT_EQ(second->older_until, first->older_until);
    for (const AutomationRun& row : rows_of(anas_test))
        EXPECT_TRUE(row.status == Status::queued || row.status == Status::running)
            << rfc3339(row.scheduled_for);
    ASSERT_TRUE(set(
        anas_test, start + 2h,
        {entry_of(skips, start + 2h, {start + 2h}), entry_of(cancels, start + 2h, {start + 2h})}));
    const auto rows = rows_of(anas_test);
    EXPECT_EQ(std::ranges::count(rows, Status::skipped, &AutomationRun::status), 1)
        << "what is left of an earlier change counts";
    EXPECT_GE(std::ranges::count(rows, Status::cancelled, &AutomationRun::status), 1);
}

TEST_F(TestClockContract, DecidesWhoWasFirst)
{
    const Automation automation = with(Overlap::queue, anas_test);
    const DueEntry entry = entry_of(automation, start + 1h, {start + 1h});
    const auto code_of = [&](const std::optional<TimePoint>& seen, const DueEntry& wanted) {
        return block_on(ledger().set_test_clock({.owner = anas_test,
                                                 .seen = seen,
                                                 .to = start + 1h,
                                                 .entries = {wanted},
                                                 .now = later()}))
            .error()
            .code;
    };
    EXPECT_EQ(code_of(start, entry), Errc::precondition_failed) << "another clock was seen";
    DueEntry changed = entry;
    ++changed.revision;
    EXPECT_EQ(code_of({}, changed), Errc::precondition_failed);
    DueEntry foreign = entry;
    foreign.automation = with(Overlap::queue, bens_test).id;
    EXPECT_EQ(code_of({}, foreign), Errc::precondition_failed);
    EXPECT_EQ(time_of(anas_test), std::nullopt) << "all or nothing";
    EXPECT_TRUE(rows_of(anas_test).empty());
    EXPECT_TRUE(set(anas_test, start + 1h, {entry}));
}

TEST_F(TestClockContract, StandsStillWhileRealTimeGoesOn)
{
    const Automation automation = with(Overlap::queue, anas_test);
    const Automation live = with(Overlap::queue, anas);
    const TimePoint soon = *automation.next_at + 1h;
    EXPECT_EQ(due_now(soon), 2U);
    ASSERT_TRUE(set(anas_test, clock.now()));
    EXPECT_EQ(due_now(soon), 1U) << "only the live one";
    EXPECT_EQ(block_on(automations().next_due()).value(), live.next_at);
    ASSERT_TRUE(set(anas_test, std::nullopt));
    EXPECT_EQ(due_now(soon), 2U);
}

TEST_F(TestClockContract, IsTheTimeOfAttempts)
{
    const Automation automation = with(Overlap::queue, anas_test);
    ASSERT_TRUE(set(anas_test, start, {entry_of(automation, start, {start - 1h, start})}));
    EXPECT_EQ(startable(), 1U);
    const AutomationRun row = rows_of(anas_test).back();
    const RunWithMessages first = begun_attempt(row);
    end(first, RunStatus::failed, true);
    AutomationRun waiting = found(row);
    EXPECT_EQ(waiting.not_before, start - 1h + 30s) << "a run takes no time of the clock";
    EXPECT_LT(waiting.attempts[0].started_at, start - 1h) << "it was started in real time";
    EXPECT_EQ(startable(), 1U) << "that time has passed";
    end(begun_attempt(row), RunStatus::failed, true);
    EXPECT_EQ(found(row).not_before, start - 1h + 90s);
    end(begun_attempt(row), RunStatus::failed, true);
    EXPECT_EQ(status_of(row), Status::failed);

    const AutomationRun last = rows_of(anas_test).front();
    end(begun_attempt(last), RunStatus::failed, true);
    EXPECT_EQ(found(last).not_before, start + 30s);
    EXPECT_EQ(startable(), 0U);
    EXPECT_EQ(block_on(ledger().next_start(clock.now())).value(), std::nullopt)
        << "no real time brings it";
    EXPECT_EQ(begin(attempt_of(last)).error().code, Errc::conflict);
    ASSERT_TRUE(set(anas_test, start + 29s));
    EXPECT_EQ(startable(), 0U) << "never early";
    ASSERT_TRUE(set(anas_test, start + 30s));
    EXPECT_EQ(startable(), 1U);
}

TEST_F(TestClockContract, IsTheTimeOfBudgets)
{
    Automation wanted = new_automation(anas_test);
    wanted.output_tokens_per_day = 100;
    wanted.overlap = Overlap::allow;
    const Automation automation = created(wanted);
    ASSERT_TRUE(set(anas_test, start + 48h,
                    {entry_of(automation, start + 48h, {start, start + 23h, start + 25h})}));
    const auto rows = rows_of(anas_test);
    const auto begin_with = [&](const AutomationRun& row) {
        NewRun run = attempt_of(row);
        run.attempt->reserved_tokens = 60;
        return begin(run);
    };
    EXPECT_TRUE(begin_with(rows[2]));
    EXPECT_EQ(begin_with(rows[1]).error().code, Errc::quota_reached) << "23 hours later";
    EXPECT_TRUE(begin_with(rows[0])) << "25 hours later";
}

TEST_F(TestClockContract, ReturnsToRealTime)
{
    const Automation automation = with(Overlap::queue, anas_test);
    ASSERT_TRUE(set(anas_test, start, {entry_of(automation, start, {start})}));
    const AutomationRun row = rows_of(anas_test).front();
    end(begun_attempt(row), RunStatus::failed, true);
    EXPECT_EQ(found(row).not_before, start + 30s);
    ASSERT_TRUE(set(anas_test, std::nullopt));
    const auto waits = *found(row).not_before - clock.now();
    EXPECT_GT(waits, 28s);
    EXPECT_LE(waits, 30s) << "the rest of its wait";
}

TEST_F(TestClockContract, GoesWithItsUser)
{
    ASSERT_TRUE(set(bens_test, start));
    ASSERT_TRUE(block_on(store->accounts().remove_user(bens.user)));
    EXPECT_EQ(time_of(bens_test), std::nullopt);
    EXPECT_EQ(set(bens_test, start).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parley::store
