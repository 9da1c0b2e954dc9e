// The contract tests of attempts: rows of the ledger that begin and end with their runs.
#include "store/automation_contract_fixture.hpp"
#include "store/ledger_rules.hpp"
#include "store/times.hpp"

namespace parley::store {
namespace {

class AttemptsContract : public AutomationContractTest {
protected:
    const Automation automation = created_with(Overlap::queue);

    Automation with_tokens(std::int64_t per_day)
    {
        Automation wanted = new_automation(anas);
        wanted.overlap = Overlap::allow;
        wanted.output_tokens_per_day = per_day;
        return created(wanted);
    }
    Result<BegunRun> begin_with(const AutomationRun& row, std::int64_t reserved)
    {
        NewRun wanted = attempt_of(row);
        wanted.attempt->reserved_tokens = reserved;
        return begin(wanted);
    }
};

TEST_F(AttemptsContract, BeginAndEndWithTheirRun)
{
    const AutomationRun row = added(automation, "k");
    const TimePoint before = clock.now();
    const RunWithMessages run = begun_attempt(row);
    const auto starts = block_on(ledger().starts_since(before)).value();
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].owner, anas);
    EXPECT_TRUE(block_on(ledger().starts_since(starts[0].at)).value().empty());
    const AutomationRun running = found(row);
    EXPECT_EQ(running.status, Status::running);
    EXPECT_EQ(running.session, run.run.session);
    EXPECT_EQ(running.question, run.question.id);
    EXPECT_EQ(running.not_before, std::nullopt);
    ASSERT_EQ(running.attempts.size(), 1U);
    EXPECT_EQ(running.attempts[0].run, run.run.id);
    EXPECT_EQ(running.attempts[0].status, RunStatus::running);
    EXPECT_EQ(running.started_at, running.attempts[0].started_at);
    EXPECT_EQ(found(run).run.cause.automation_run, row.id);
    EXPECT_EQ(begin(attempt_of(row)).error().code, Errc::conflict);

    end(run, RunStatus::completed);
    const AutomationRun ended = found(row);
    EXPECT_EQ(ended.status, Status::completed);
    EXPECT_EQ(ended.completed_at, found(run).run.completed_at);
    EXPECT_EQ(ended.attempts[0].status, RunStatus::completed);
    EXPECT_EQ(ended.attempts[0].usage, (Usage{10, 20, 0}));
    EXPECT_EQ(begin(attempt_of(row)).error().code, Errc::conflict);

    const auto events = events_of(anas);
    EXPECT_EQ(types_of(anas),
              (Types{EventType::automation_created, EventType::automation_run_queued,
                     EventType::session_created, EventType::run_created, EventType::run_completed,
                     EventType::automation_run_completed}));
    EXPECT_EQ(events[1].parent, automation.id);
    EXPECT_EQ(events[1].cause.request, "req_add");
    for (std::size_t i = 2; i < events.size(); ++i) {
        EXPECT_EQ(events[i].cause.automation, automation.id);
        EXPECT_EQ(events[i].cause.automation_run, row.id);
        EXPECT_EQ(events[i].cause.depth, 1);
    }
}

TEST_F(AttemptsContract, AreNotBegunIfTheRunIsNot)
{
    const AutomationRun row = added(automation, "k");
    NewRun wanted = attempt_of(row);
    wanted.new_session.reset();
    wanted.run.session = "ses_none";
    EXPECT_EQ(begin(wanted).error().code, Errc::not_found);
    EXPECT_EQ(found(row), row);
}

TEST_F(AttemptsContract, AnswerTheSameQuestionAgain)
{
    const AutomationRun row = added(automation, "k");
    const RunWithMessages first = begun_attempt(row);
    end(first, RunStatus::failed, true);
    AutomationRun waiting = found(row);
    EXPECT_EQ(waiting.status, Status::waiting);
    EXPECT_EQ(waiting.not_before, *found(first).run.completed_at + 30s);
    EXPECT_EQ(block_on(ledger().next_start(clock.now())).value(), waiting.not_before);
    EXPECT_EQ(begin(attempt_of(row)).error().code, Errc::conflict);  // Not yet.
    clock.advance(30s);
    const RunWithMessages second = begun_attempt(row);
    EXPECT_EQ(second.run.question, first.run.question);
    end(second, RunStatus::interrupted);
    waiting = found(row);
    EXPECT_EQ(waiting.not_before, *found(second).run.completed_at + 60s);
    clock.advance(60s);
    end(begun_attempt(row), RunStatus::failed, true);
    const AutomationRun failed = found(row);
    EXPECT_EQ(failed.status, Status::failed);
    EXPECT_EQ(failed.error, (RunError{"upstream_error", "It failed."}));
    EXPECT_EQ(failed.attempts.size(), 3U);
    EXPECT_EQ(types_of(anas).back(), EventType::automation_run_failed);
}

TEST_F(AttemptsContract, WaitAsLongAsTheyAreTold)
{
    const AutomationRun row = added(automation, "k");
    const RunWithMessages run = begun_attempt(row);
    FinishedRun finished = end_of(run.run);
    finished.status = RunStatus::failed;
    finished.error = RunError{"upstream_error", "Later.", 600s};
    finished.may_retry = true;
    ASSERT_TRUE(block_on(runs().finish_run(finished)));
    EXPECT_EQ(found(row).not_before, finished.completed_at + 600s);
}

TEST(LedgerRules, DoubleTheWaitUpToAnHour)
{
    EXPECT_EQ(backoff_after(1, 30s), 30s);
    EXPECT_EQ(backoff_after(2, 30s), 60s);
    EXPECT_EQ(backoff_after(3, 30s), 120s);
    EXPECT_EQ(backoff_after(10, 3600s), 3600s);
    EXPECT_EQ(backoff_after(9, 30s), 3600s);
}

TEST_F(AttemptsContract, AreNotRepeatedIfTheFailureStays)
{
    const AutomationRun row = added(automation, "k");
    end(begun_attempt(row), RunStatus::failed);
    EXPECT_EQ(status_of(row), Status::failed);
    const AutomationRun other = added(automation, "l");
    end(begun_attempt(other), RunStatus::cancelled);
    EXPECT_EQ(status_of(other), Status::cancelled);
}

TEST_F(AttemptsContract, FailIfTheAnswerCannotBeUsed)
{
    const AutomationRun row = added(automation, "k");
    const RunWithMessages run = begun_attempt(row);
    FinishedRun finished = end_of(run.run);
    finished.failure_of_attempt = RunError{"invalid_output", "It was cut."};
    ASSERT_TRUE(block_on(runs().finish_run(finished)));
    EXPECT_EQ(found(run).run.status, RunStatus::completed);
    const AutomationRun failed = found(row);
    EXPECT_EQ(failed.status, Status::failed);
    EXPECT_EQ(failed.error, finished.failure_of_attempt);
    EXPECT_EQ(failed.attempts[0].status, RunStatus::completed);
    EXPECT_EQ(types_of(anas).back(), EventType::automation_run_failed);
}

TEST_F(AttemptsContract, PauseAfterTooManyFailures)
{
    Automation wanted = new_automation(anas);
    wanted.pause_after_failures = 2;
    wanted.next_at = wanted.created_at + 60s;
    const Automation fragile = created(wanted);
    end(begun_attempt(added(fragile, "1")), RunStatus::failed);
    EXPECT_EQ(found(fragile).failures, 1);
    end(begun_attempt(added(fragile, "2")), RunStatus::completed);
    EXPECT_EQ(found(fragile).failures, 0);
    end(begun_attempt(added(fragile, "3")), RunStatus::failed);
    EXPECT_EQ(found(fragile).state, AutomationState::active);
    end(begun_attempt(added(fragile, "4")), RunStatus::failed);
    const Automation paused = found(fragile);
    EXPECT_EQ(paused.state, AutomationState::paused);
    EXPECT_EQ(paused.pause_reason, PauseReason::failures);
    EXPECT_EQ(paused.next_at, std::nullopt);
    EXPECT_EQ(types_of(anas).back(), EventType::automation_paused);
    // A change that has not seen that it was paused does not resume it.
    Automation edited = fragile;
    edited.name = "New";
    edited = block_on(automations().change({.automation = edited, .seen = 1})).value();
    EXPECT_EQ(edited.state, AutomationState::paused);
    edited.state = AutomationState::active;
    const AutomationChange resumes{.automation = edited,
                                   .seen = 2,
                                   .seen_state = AutomationState::paused,
                                   .is_due_anew = true,
                                   .forgets_failures = true};
    AutomationChange unseen = resumes;
    unseen.seen_state = AutomationState::active;
    EXPECT_EQ(block_on(automations().change(unseen)).error().code, Errc::precondition_failed);
    EXPECT_EQ(block_on(automations().change(resumes)).value().failures, 0);
}

TEST_F(AttemptsContract, StayWithinTheTokensOfADay)
{
    const Automation thrifty = with_tokens(1000);
    const AutomationRun first = added(thrifty, "1");
    const AutomationRun second = added(thrifty, "2");
    const AutomationRun third = added(thrifty, "3");
    const RunWithMessages run = begin_with(first, 400).value().whole;
    ASSERT_TRUE(begin_with(second, 400));
    EXPECT_EQ(begin_with(third, 400).error().code, Errc::quota_reached);
    end(run, RunStatus::completed);  // It has written 20 of its 400.
    EXPECT_TRUE(begin_with(third, 400));
    EXPECT_EQ(begin_with(added(thrifty, "without a maximum"), 0).error().code, Errc::quota_reached);
    const AutomationRun fourth = added(thrifty, "4");
    EXPECT_EQ(begin_with(fourth, 400).error().code, Errc::quota_reached);
    clock.advance(24h);
    EXPECT_TRUE(begin_with(fourth, 400));
}

TEST_F(AttemptsContract, CountForAMinuteAlthoughTheirAutomationIsRemoved)
{
    const TimePoint now = system_clock().now();  // Stores delete by this clock.
    const Automation removed = created_with(Overlap::allow);
    const auto begin_at = [&](TimePoint time) {
        ManualClock its;
        its.set(time);
        NewRun wanted = attempt_of(added(removed, rfc3339(time)));
        wanted.attempt->clock = &its;
        EXPECT_TRUE(begin(wanted));
    };
    begin_at(now - 61s);
    begin_at(now);
    begin_at(now + 24h);  // By a clock that was set back.
    added(removed, "not begun");
    ASSERT_TRUE(block_on(automations().remove(anas, removed.id, {}, later(), {})));
    if (keeps()) reopen();
    for (const bool has_more : {true, false})
        EXPECT_EQ(block_on(automations().sweep_removed(2)).value(), has_more);
    const auto starts = block_on(ledger().starts_since(TimePoint())).value();
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].at, to_the_millisecond(now));
}

TEST_F(AttemptsContract, AreCancelledWithTheirSession)
{
    const AutomationRun row = added(automation, "k");
    NewRun wanted = attempt_of(row);
    wanted.attempt->session_goes_on = true;
    const RunWithMessages run = begin(wanted).value().whole;
    EXPECT_EQ(found(automation).session, run.run.session);
    ASSERT_TRUE(block_on(sessions().remove_session(anas, run.run.session, {.now = later()})));
    const AutomationRun lost = found(row);
    EXPECT_EQ(lost.status, Status::cancelled);
    EXPECT_EQ(lost.session, std::nullopt);
    EXPECT_EQ(lost.attempts[0].status, RunStatus::cancelled);
    EXPECT_EQ(found(automation).session, std::nullopt);
    EXPECT_FALSE(finish(run));
    EXPECT_EQ(types_of(anas).back(), EventType::automation_run_cancelled);
}

TEST_F(AttemptsContract, ShareOneSessionIfItGoesOn)
{
    std::vector<AutomationRun> batch{new_row(automation, "1"), new_row(automation, "2")};
    for (AutomationRun& row : batch) row.batch = "bat_1";
    ASSERT_TRUE(add(batch));
    NewRun first = attempt_of(batch[0]);
    NewRun second = attempt_of(batch[1]);  // Prepared before the first has made the session.
    first.attempt->session_goes_on = second.attempt->session_goes_on = true;
    const RunWithMessages run = begin(first).value().whole;
    EXPECT_EQ(begin(second).error().code, Errc::conflict);
    EXPECT_EQ(found(automation).session, run.run.session);
}

TEST_F(AttemptsContract, LeaveSessionsOfWhichTheOldestMayGo)
{
    std::vector<std::string> made;
    for (int i = 0; i < 4; ++i) {
        const RunWithMessages run = begun_attempt(added(automation, std::to_string(i)));
        made.push_back(run.run.session);
        end(run, RunStatus::completed);
    }
    const auto surplus = [this](std::size_t keep) {
        std::vector<std::string> ids;
        for (SeenSession& seen : block_on(ledger().surplus_sessions(automation.id, keep)).value()) {
            const auto now = block_on(sessions().find_session(anas, seen.id));
            EXPECT_EQ(now.value().revision, seen.revision);
            ids.push_back(std::move(seen.id));
        }
        return ids;
    };
    EXPECT_EQ(surplus(2), (std::vector{made[1], made[0]}));
    EXPECT_TRUE(surplus(4).empty());
    const RunWithMessages last = begun_attempt(added(automation, "last"));
    EXPECT_EQ(surplus(2), (std::vector{made[2], made[1], made[0]}))
        << "one in which a run goes on counts";
    end(last, RunStatus::completed);
    EXPECT_EQ(surplus(3), (std::vector{made[1], made[0]}));
    const auto kept =
        block_on(sessions().change_session(anas, made[1], {.keep = true, .now = later()}));
    EXPECT_TRUE(kept.value().keep);
    EXPECT_EQ(surplus(3), std::vector{made[0]}) << "a kept one stays, and takes no place";
    EXPECT_EQ(block_on(sessions().find_session(anas, made[0])).value().automation, automation.id);
}

}  // namespace
}  // namespace parley::store
