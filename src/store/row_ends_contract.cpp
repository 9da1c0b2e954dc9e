// The contract tests of rows that are refused, cancelled or tried again, instead of ending with a
// run.
#include "store/automation_contract_fixture.hpp"

namespace parley::store {
namespace {

class RowEndsContract : public AutomationContractTest {
protected:
    const Automation automation = created_with(Overlap::queue);
};

TEST_F(RowEndsContract, AreRefused)
{
    const AutomationRun row = added(automation, "k");
    ASSERT_TRUE(
        block_on(ledger().refuse({.row = row.id, .skip = SkipReason::budget, .now = later()})));
    EXPECT_EQ(found(row).status, Status::skipped);
    EXPECT_EQ(found(row).skip_reason, SkipReason::budget);
    const AutomationRun other = added(automation, "l");
    ASSERT_TRUE(block_on(ledger().refuse(
        {.row = other.id, .error = RunError{"unknown_model", "None."}, .now = later()})));
    EXPECT_EQ(found(other).status, Status::failed);
    EXPECT_EQ(found(other).error->code, "unknown_model");
    EXPECT_EQ(found(automation).failures, 1);
    const AutomationRun runs_now = added(automation, "m");
    begun_attempt(runs_now);
    ASSERT_TRUE(block_on(
        ledger().refuse({.row = runs_now.id, .skip = SkipReason::budget, .now = later()})));
    EXPECT_EQ(status_of(runs_now), Status::running);
}

TEST_F(RowEndsContract, AreCancelled)
{
    const AutomationRun row = added(automation, "k");
    const auto cancelled = block_on(ledger().cancel(anas, row.id, later(), {})).value();
    EXPECT_EQ(cancelled.row.status, Status::cancelled);
    EXPECT_EQ(cancelled.run, std::nullopt);
    EXPECT_EQ(block_on(ledger().cancel(anas, row.id, later(), {})).value().row, found(row));
    const AutomationRun other = added(automation, "l");
    const RunWithMessages run = begun_attempt(other);
    EXPECT_EQ(block_on(ledger().cancel(anas, other.id, later(), {})).value().run, run.run.id);
    EXPECT_EQ(status_of(other), Status::running);  // Until its run has ended.
    if (keeps()) reopen();
    EXPECT_EQ(block_on(ledger().abandoned_runs()).value(),
              (std::vector<Ledger::RunOf>{{anas, run.run.id}}));
    EXPECT_EQ(block_on(ledger().cancel(bens, other.id, later(), {})).error().code, Errc::not_found);
}

TEST_F(RowEndsContract, AreTriedOnceMore)
{
    const AutomationRun row = added(automation, "k");
    EXPECT_EQ(block_on(ledger().retry(anas, row.id, later(), {})).error().code, Errc::conflict);
    end(begun_attempt(row), RunStatus::failed);
    EXPECT_EQ(block_on(ledger().retry(bens, row.id, later(), {})).error().code, Errc::not_found);
    const AutomationRun again = block_on(ledger().retry(anas, row.id, later(), {})).value();
    EXPECT_EQ(again.status, Status::queued);
    EXPECT_EQ(again.error, std::nullopt);
    const RunWithMessages second = begun_attempt(row);
    EXPECT_EQ(found(row).attempts.size(), 2U);
    end(second, RunStatus::completed);
    EXPECT_EQ(status_of(row), Status::completed);
    EXPECT_EQ(block_on(ledger().retry(anas, row.id, later(), {})).error().code, Errc::conflict);
}

TEST_F(RowEndsContract, CountOnceAsAFailure)
{
    Automation wanted = new_automation(anas);
    wanted.overlap = Overlap::allow;
    wanted.pause_after_failures = 2;
    const Automation fragile = created(wanted);
    const AutomationRun row = added(fragile, "k");
    const auto retry = [&] { return block_on(ledger().retry(anas, row.id, later(), {})); };
    end(begun_attempt(row), RunStatus::failed);
    EXPECT_EQ(found(fragile).failures, 1);
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(retry());
        EXPECT_EQ(found(fragile).failures, 0);
        end(begun_attempt(row), RunStatus::failed);
        EXPECT_EQ(found(fragile).failures, 1);
    }
    EXPECT_EQ(found(fragile).state, AutomationState::active);
    end(begun_attempt(added(fragile, "l")), RunStatus::completed);
    ASSERT_TRUE(retry());
    EXPECT_EQ(found(fragile).failures, 0) << "never below";
    const AutomationRun skipped = added(fragile, "m");
    ASSERT_TRUE(
        block_on(ledger().refuse({.row = skipped.id, .skip = SkipReason::budget, .now = later()})));
    end(begun_attempt(row), RunStatus::failed);
    ASSERT_TRUE(block_on(ledger().retry(anas, skipped.id, later(), {})));
    EXPECT_EQ(found(fragile).failures, 1) << "it was none";
}

TEST_F(RowEndsContract, WaitForTheOneThatRuns)
{
    const AutomationRun old = added(automation, "1");
    end(begun_attempt(old), RunStatus::failed);
    const RunWithMessages run = begun_attempt(added(automation, "2"));
    ASSERT_TRUE(block_on(ledger().retry(anas, old.id, later(), {})));
    EXPECT_TRUE(block_on(ledger().startable(later(), 10)).value().empty());
    EXPECT_EQ(begin(attempt_of(old)).error().code, Errc::conflict);
    end(run, RunStatus::completed);
    EXPECT_TRUE(begin(attempt_of(old)));
}

TEST_F(RowEndsContract, AreNotRepeatedOnceTheyAreToBeCancelled)
{
    const AutomationRun row = added(automation, "k");
    const RunWithMessages run = begun_attempt(row);
    ASSERT_TRUE(block_on(ledger().cancel(anas, row.id, later(), {})));
    end(run, RunStatus::failed, true);
    EXPECT_EQ(status_of(row), Status::failed);
}

TEST_F(RowEndsContract, AreToBeCancelledIfTheirAutomationIsRemoved)
{
    const RunWithMessages run = begun_attempt(added(automation, "k"));
    added(automation, "l");
    const auto abandoned = [this] { return block_on(ledger().abandoned_runs()).value(); };
    EXPECT_TRUE(abandoned().empty());
    EXPECT_EQ(block_on(automations().remove(anas, automation.id, {}, later(), {})).value(),
              std::vector{run.run.id});
    if (keeps()) reopen();
    EXPECT_EQ(abandoned(), (std::vector<Ledger::RunOf>{{anas, run.run.id}}));
    end(run, RunStatus::cancelled);
    EXPECT_TRUE(abandoned().empty());
}

}  // namespace
}  // namespace parley::store
