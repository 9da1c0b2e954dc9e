// The contract tests of the ledger: which rows may begin an attempt, and in which order.
#include "store/automation_contract_fixture.hpp"

namespace parley::store {
namespace {

class LedgerStartsContract : public AutomationContractTest {};

TEST_F(LedgerStartsContract, StartsRowsAlsoIfTheClockIsSetBack)
{
    const AutomationRun row = added(created_with(Overlap::queue), "k");
    clock.set(clock.now() - 1h);
    EXPECT_EQ(startable_rows(), std::vector{row.id});
    EXPECT_TRUE(begin(attempt_of(row)));
}

TEST_F(LedgerStartsContract, StartsInOrder)
{
    const Automation automation = created_with(Overlap::queue);
    const AutomationRun first = added(automation, "1");
    const AutomationRun second = added(automation, "2");
    EXPECT_EQ(startable_rows(), std::vector{first.id});
    const RunWithMessages run = begun_attempt(first);
    EXPECT_TRUE(startable_rows().empty());
    EXPECT_EQ(begin(attempt_of(second)).error().code, Errc::conflict);
    end(run, RunStatus::failed, true);
    EXPECT_EQ(status_of(first), Status::waiting);
    EXPECT_TRUE(startable_rows().empty());
    clock.advance(30s);
    EXPECT_EQ(startable_rows(), std::vector{first.id});
    end(begun_attempt(first), RunStatus::completed);
    EXPECT_EQ(startable_rows(), std::vector{second.id});
}

TEST_F(LedgerStartsContract, StartsABatchTogether)
{
    const Automation automation = created_with(Overlap::queue);
    const AutomationRun before = added(automation, "before");
    std::vector<AutomationRun> batch{new_row(automation, "1"), new_row(automation, "2")};
    for (AutomationRun& row : batch) row.batch = "bat_1";
    ASSERT_TRUE(add(batch));
    const AutomationRun after = added(automation, "after");
    EXPECT_EQ(startable_rows(), std::vector{before.id});
    end(begun_attempt(before), RunStatus::completed);
    EXPECT_EQ(startable_rows(), (std::vector{batch[0].id, batch[1].id}));
    const RunWithMessages run = begun_attempt(batch[0]);
    end(begun_attempt(batch[1]), RunStatus::completed);
    EXPECT_TRUE(startable_rows().empty());
    end(run, RunStatus::completed);
    EXPECT_EQ(startable_rows(), std::vector{after.id});
}

TEST_F(LedgerStartsContract, LetsThemOverlap)
{
    const Automation automation = created_with(Overlap::allow);
    const AutomationRun first = added(automation, "1");
    const AutomationRun second = added(automation, "2");
    EXPECT_EQ(startable_rows(), (std::vector{first.id, second.id}));
    begun_attempt(first);
    begun_attempt(second);
    EXPECT_EQ(block_on(ledger().running()).value().size(), 2U);
}

TEST_F(LedgerStartsContract, CancelsTheOlderOnes)
{
    const Automation automation = created_with(Overlap::cancel);
    const AutomationRun first = added(automation, "1");
    const RunWithMessages run = begun_attempt(first);
    const EnteredRows second = add({new_row(automation, "2")}).value();
    EXPECT_EQ(second.to_cancel, std::vector{run.run.id});
    const EnteredRows third = add({new_row(automation, "3")}).value();
    EXPECT_EQ(status_of(second.rows[0]), Status::cancelled);
    EXPECT_TRUE(startable_rows().empty());  // Until the first has ended.
    end(run, RunStatus::cancelled);
    EXPECT_EQ(status_of(first), Status::cancelled);
    EXPECT_EQ(startable_rows(), std::vector{third.rows[0].id});
}

TEST_F(LedgerStartsContract, TheOlderOnesAreToBeCancelledAfterACrashToo)
{
    const Automation automation = created_with(Overlap::cancel);
    const auto abandoned = [this] { return block_on(ledger().abandoned_runs()).value(); };
    const AutomationRun first = added(automation, "1");
    const RunWithMessages run = begun_attempt(first);
    EXPECT_TRUE(abandoned().empty());
    ASSERT_TRUE(add({new_row(automation, "2")}));
    if (keeps()) reopen();
    EXPECT_EQ(abandoned(), (std::vector<Ledger::RunOf>{{anas, run.run.id}}));
    end(run, RunStatus::cancelled);
    EXPECT_TRUE(abandoned().empty());
}

// A newer row that was entered without being due, and one of the same batch, replace none.
TEST_F(LedgerStartsContract, RowsThatReplaceNoneLeaveTheOlderOnesAlone)
{
    const Automation automation = created_with(Overlap::cancel);
    std::vector<AutomationRun> batch{new_row(automation, "1"), new_row(automation, "2")};
    for (AutomationRun& row : batch) row.batch = "batch";
    begun_attempt(add(batch).value().rows.at(0));
    AutomationRun missed = new_row(automation, "3");
    missed.status = Status::missed;
    ASSERT_TRUE(add({missed}));
    ASSERT_TRUE(block_on(ledger().retry(anas, missed.id, later(), {})));
    EXPECT_TRUE(block_on(ledger().abandoned_runs()).value().empty());
}

TEST_F(LedgerStartsContract, ARowThatQueuedReplacesNone)
{
    const Automation automation = created_with(Overlap::queue);
    begun_attempt(added(automation, "1"));
    added(automation, "2");
    EXPECT_TRUE(block_on(ledger().abandoned_runs()).value().empty());
}

TEST_F(LedgerStartsContract, ATokenIsHeldUntilItsLimitIsAnotherOne)
{
    Token token = new_token('p', ana.id);
    token.limits.automation = 5;
    ASSERT_TRUE(block_on(tokens().add_token(token)));
    AutomationRun row = new_row(created_with(Overlap::allow), "k");
    row.token = token.id;
    ASSERT_TRUE(add({row}));
    const auto count = [&](const std::string& held) {
        return block_on(ledger().startable(later(), 10, held)).value().size();
    };
    const std::string held = "tok_other=1 " + token.id + "=5 ";
    EXPECT_EQ(count(""), 1U);
    EXPECT_EQ(count(held), 0U);
    ASSERT_TRUE(block_on(tokens().change_token(
        ana.id, token.id, {.limits = {.automation = LimitsChange::Number(50)}}, clock.now())));
    EXPECT_EQ(count(held), 1U) << "at once";
    EXPECT_EQ(count(token.id + "=50 "), 0U);
}

TEST_F(LedgerStartsContract, GivesEachOwnerTheSameShare)
{
    const Automation many = created_with(Overlap::allow);
    for (int i = 0; i < 5; ++i) added(many, std::to_string(i));
    const AutomationRun bens_row = added(created(new_automation(bens)), "k");
    const auto rows = block_on(ledger().startable(later(), 2)).value();
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2].id, bens_row.id);
    ASSERT_TRUE(block_on(accounts().change_user(ben.id, {.disabled = true})));
    EXPECT_EQ(block_on(ledger().startable(later(), 2)).value().size(), 2U);
}

}  // namespace
}  // namespace parley::store
