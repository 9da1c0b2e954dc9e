// The contract tests of the ledger: how rows come into it, and how they are found.
#include "store/automation_contract_fixture.hpp"
#include "store/ledger_rules.hpp"

namespace parley::store {
namespace {

class LedgerContract : public AutomationContractTest {
protected:
    DueEntry entry_of(const Automation& automation, std::vector<AutomationRun> rows)
    {
        const Automation now = found(automation);
        return {.automation = automation.id,
                .revision = now.revision,
                .seen_until = now.evaluated_until,
                .new_until = now.evaluated_until + 60s,
                .next_at = now.evaluated_until + 120s,
                .rows = std::move(rows),
                .now = later()};
    }
    EnteredRows enter(const DueEntry& entry)
    {
        return block_on(ledger().enter(std::vector{entry})).value().front();
    }
};

TEST_F(LedgerContract, KeepsRows)
{
    const Automation automation = created(new_automation(anas));
    AutomationRun row = new_row(automation, "k");
    row.batch = "bat_1";
    row.values = R"({"text":"Hi"})";
    const EnteredRows entered = add({row}).value();
    EXPECT_TRUE(entered.are_new);
    EXPECT_EQ(entered.rows, std::vector{row});
    EXPECT_EQ(found(row), row);
    EXPECT_EQ(found(automation).last_run, row.id);
    EXPECT_EQ(block_on(ledger().find(bens, row.id)).error().code, Errc::not_found);
    if (keeps()) {
        reopen();
        EXPECT_EQ(found(row), row);
    }
}

TEST_F(LedgerContract, HasOneRowForAKey)
{
    const Automation automation = created(new_automation(anas));
    const AutomationRun row = added(automation, "k");
    const EnteredRows again = add({new_row(automation, "k")}).value();
    EXPECT_FALSE(again.are_new);
    EXPECT_EQ(again.rows, std::vector{row});
    EXPECT_EQ(types_of(anas),
              (Types{EventType::automation_created, EventType::automation_run_queued}));
    AutomationRun due = new_row(automation, "k");  // A given key takes no due time.
    due.trigger = TriggerType::schedule;
    EXPECT_TRUE(enter(entry_of(automation, {due})).are_new);
    const Automation other = created(new_automation(anas));
    EXPECT_TRUE(add({new_row(other, "k")}).value().are_new);
}

TEST_F(LedgerContract, KeepsWhatWasConfiguredWhenARowWasEntered)
{
    Automation automation = created(new_automation(anas));
    const AutomationRun row = added(automation, "k");
    for (const char* definition : {"{\"message\":\"2\"}", "{\"message\":\"3\"}"}) {
        automation.definition = definition;
        automation =
            block_on(automations().change({.automation = automation, .seen = automation.revision}))
                .value();
    }
    EXPECT_EQ(found(row).definition, row.definition);
    EXPECT_EQ(found(row).revision, 1);
    EXPECT_EQ(added(automation, "l").definition, automation.definition);
    AutomationRun stale = new_row(automation, "m");
    stale.revision = 1;
    EXPECT_EQ(add({stale}).error().code, Errc::precondition_failed);
}

TEST_F(LedgerContract, EntersDueTimesOnce)
{
    Automation wanted = new_automation(anas);
    wanted.next_at = wanted.evaluated_until + 60s;
    const Automation automation = created(wanted);
    const DueEntry entry = entry_of(automation, {new_row(automation, "t1")});
    const EnteredRows first = enter(entry);
    EXPECT_TRUE(first.are_new);
    ASSERT_EQ(first.rows.size(), 1U);
    EXPECT_EQ(found(automation).evaluated_until, entry.new_until);
    EXPECT_EQ(found(automation).next_at, entry.next_at);
    EXPECT_EQ(found(automation).revision, 1);

    EXPECT_TRUE(enter(entry).rows.empty());  // Somebody else was first.
    DueEntry same_key = entry_of(automation, {new_row(automation, "t1")});
    EXPECT_TRUE(enter(same_key).rows.empty());
    EXPECT_EQ(found(automation).evaluated_until, same_key.new_until);
    EXPECT_EQ(types_of(anas),
              (Types{EventType::automation_created, EventType::automation_run_queued}));
}

TEST_F(LedgerContract, EntersDueTimesOfSeveralTogether)
{
    const Automation anas_one = created(new_automation(anas));
    const Automation bens_one = created(new_automation(bens));
    const Automation changed = created(new_automation(anas));
    DueEntry stale = entry_of(changed, {new_row(changed, "1")});
    ++stale.revision;
    const std::vector<DueEntry> entries{entry_of(anas_one, {new_row(anas_one, "1")}), stale,
                                        entry_of(bens_one, {new_row(bens_one, "1")})};
    const auto entered = block_on(ledger().enter(entries)).value();
    ASSERT_EQ(entered.size(), 3U);
    EXPECT_EQ(entered[0].rows.at(0).automation, anas_one.id);
    EXPECT_TRUE(entered[1].rows.empty());
    EXPECT_FALSE(entered[1].are_new);
    EXPECT_EQ(entered[2].rows.at(0).owner, bens);
    for (const Owner& owner : {anas, bens})
        EXPECT_EQ(types_of(owner).back(), EventType::automation_run_queued);
    EXPECT_TRUE(block_on(ledger().enter(std::vector<DueEntry>())).value().empty());
}

TEST_F(LedgerContract, ListsDueTimesOfSeveralByTheirTime)
{
    const Automation one = created(new_automation(anas));
    const Automation other = created(new_automation(anas));
    const TimePoint first = later();
    const auto due = [&](const Automation& automation, int minutes) {
        AutomationRun row = new_row(automation, std::to_string(minutes));
        row.scheduled_for = first + std::chrono::minutes(minutes);
        return row;
    };
    const std::vector<DueEntry> entries{entry_of(one, {due(one, 1), due(one, 3), due(one, 4)}),
                                        entry_of(other, {due(other, 0), due(other, 2)})};
    ASSERT_TRUE(block_on(ledger().enter(entries)));
    std::string keys;
    for (const AutomationRun& row : block_on(ledger().list(anas, {}, {}, 10)).value().items)
        keys += row.key;
    EXPECT_EQ(keys, "43210");
}

TEST_F(LedgerContract, EntersNothingForAnAutomationThatWasChangedOrPaused)
{
    Automation automation = created(new_automation(anas));
    const DueEntry entry = entry_of(automation, {new_row(automation, "t1")});
    automation.state = AutomationState::paused;
    ASSERT_TRUE(
        block_on(automations().change({.automation = automation, .seen = 1, .is_due_anew = true})));
    EXPECT_TRUE(enter(entry).rows.empty());
    EXPECT_TRUE(enter(entry_of(automation, {new_row(automation, "t1")})).rows.empty());
    ASSERT_TRUE(block_on(automations().remove(anas, automation.id, {}, later(), {})));
    EXPECT_TRUE(enter(entry).rows.empty());
}

TEST_F(LedgerContract, EndsAnAutomationWithoutFurtherTimes)
{
    const Automation automation = created(new_automation(anas));
    DueEntry entry = entry_of(automation, {new_row(automation, "t1")});
    entry.next_at.reset();
    entry.has_ended = true;
    ASSERT_TRUE(enter(entry).are_new);
    EXPECT_EQ(found(automation).state, AutomationState::ended);
}

TEST_F(LedgerContract, StaysPausedByAFailureThatIsEntered)
{
    Automation wanted = new_automation(anas);
    wanted.pause_after_failures = 1;
    const Automation automation = created(wanted);
    AutomationRun failed = new_row(automation, "t1");
    failed.status = Status::failed;
    DueEntry entry = entry_of(automation, {failed});
    entry.has_ended = true;
    ASSERT_TRUE(enter(entry).are_new);
    EXPECT_EQ(found(automation).state, AutomationState::paused);
    EXPECT_EQ(found(automation).next_at, std::nullopt);
}

TEST_F(LedgerContract, HasAMaximumOfUnfinishedRows)
{
    const UnfinishedRows most{.all = most_unfinished};
    const UnfinishedRows fewer{.all = most_unfinished - 1};
    for (const Overlap overlap : {Overlap::queue, Overlap::allow, Overlap::cancel}) {
        EXPECT_EQ(skip_of(overlap, most), SkipReason::queue_full);
        EXPECT_EQ(skip_of(overlap, fewer), std::nullopt);
    }
}

TEST_F(LedgerContract, KeepsMissedTimes)
{
    const Automation automation = created(new_automation(anas));
    AutomationRun missed = new_row(automation, "t1");
    missed.status = Status::missed;
    missed.missed_count = 7;
    const EnteredRows entered = enter(entry_of(automation, {missed, new_row(automation, "t2")}));
    ASSERT_EQ(entered.rows.size(), 2U);
    EXPECT_EQ(found(missed).status, Status::missed);
    EXPECT_EQ(found(missed).missed_count, 7);
    EXPECT_EQ(found(missed).completed_at, missed.created_at);
    EXPECT_EQ(startable_rows(), std::vector{entered.rows[1].id});
    EXPECT_EQ(types_of(anas)[1], EventType::automation_run_missed);
}

TEST_F(LedgerContract, SkipsWhatOverlaps)
{
    const Automation automation = created_with(Overlap::skip);
    const AutomationRun first = added(automation, "k");
    EXPECT_EQ(add({new_row(automation, "l")}).error().code, Errc::automation_busy);
    const AutomationRun due = new_row(automation, "t1");
    enter(entry_of(automation, {due}));
    EXPECT_EQ(found(due).status, Status::skipped);
    EXPECT_EQ(found(due).skip_reason, SkipReason::overlap);
    EXPECT_EQ(types_of(anas).back(), EventType::automation_run_skipped);
    end(begun_attempt(first), RunStatus::completed);
    const AutomationRun next = new_row(automation, "t2");
    const AutomationRun with_it = new_row(automation, "t3");  // They came together.
    enter(entry_of(automation, {next, with_it}));
    EXPECT_EQ(status_of(next), Status::queued);
    EXPECT_EQ(status_of(with_it), Status::queued);
    EXPECT_EQ(startable_rows(), std::vector{next.id});
}

TEST_F(LedgerContract, ForgetsOldRows)
{
    const Automation automation = created_with(Overlap::allow);
    const AutomationRun ended = added(automation, "1");
    const AutomationRun open = added(automation, "2");
    ASSERT_TRUE(block_on(ledger().cancel(anas, ended.id, later(), {})));
    EXPECT_EQ(block_on(ledger().sweep(clock.now(), 10)).value(), 0U);
    EXPECT_EQ(block_on(ledger().sweep(clock.now() + 1ms, 10)).value(), 1U);
    EXPECT_FALSE(block_on(ledger().find(anas, ended.id)));
    EXPECT_EQ(status_of(open), Status::queued);
}

}  // namespace
}  // namespace parley::store
