#include "store/sql/attempts.hpp"

#include "fields/write.hpp"
#include "store/ledger_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/automation_policies.hpp"
#include "store/sql/run_rows.hpp"
#include "store/sql/test_clocks.hpp"

#include <algorithm>

#define USED_TOKENS                                                    \
    "coalesce(sum(CASE WHEN completed_ms IS NULL THEN reserved_tokens" \
    " ELSE coalesce(output_tokens, reserved_tokens) END), 0)"          \
    " FROM attempts INDEXED BY attempts_by_start"

namespace parley::store::sql {
namespace {

constexpr std::chrono::hours budget_window{24};

// Another row runs, or has not ended and comes first; rows of the same batch do not count.
bool is_held_up(Connection& connection, const KeptRow& kept)
{
    if (!kept.is_alone) return false;
    Query select = connection.query(
        "SELECT 1 FROM automation_runs INDEXED BY unfinished_rows"
        " WHERE automation = ?1 AND status IN ('queued', 'running', 'waiting')"
        " AND position <> ?2 AND (position < ?2 OR status = 'running')"
        " AND (batch IS NULL OR ?3 IS NULL OR batch <> ?3) LIMIT 1");
    return select.bind(kept.automation, kept.position, kept.row.batch).next();
}

// The tokens that the attempts of the last 24 hours have written, or may still write.
std::int64_t used_tokens(Connection& connection, std::int64_t automation, TimePoint now,
                         const std::optional<TimePoint>& clock)
{
    Query select = connection.query(clock ? "SELECT " USED_TOKENS
                                            " WHERE automation = ?1"
                                            " AND coalesce(clock_ms, started_ms) > ?2"
                                          : "SELECT " USED_TOKENS
                                            " WHERE automation = ?1 AND started_ms > ?2");
    select.bind(automation, clock.value_or(now) - budget_window).next();
    return select.only<std::int64_t>();
}

// Several servers would admit as many each.
bool counts_starts(const Connection& connection, const Owner& owner, const AttemptClaim& claim)
{
    return connection.is_shared() && claim.most_starts > 0 && !owner.test;
}

// The newest attempt that leaves no room for one more says how long to wait. Those of a clock that
// was ahead, and was set back, do not count: they would for as long as it was ahead.
Result<> check_starts(Connection& connection, const Owner& owner, const AttemptClaim& claim,
                      TimePoint now)
{
    if (!counts_starts(connection, owner, claim)) return {};
    Query select = connection.query(
        "SELECT attempts.started_ms FROM automations INDEXED BY automations_of_user"
        " CROSS JOIN attempts INDEXED BY attempts_by_start"
        " ON attempts.automation = automations.position"
        " WHERE automations.user = ?1 AND automations.test = 0 AND attempts.started_ms > ?2"
        " AND attempts.started_ms < ?3 ORDER BY attempts.started_ms DESC LIMIT 1 OFFSET ?4");
    select.bind(owner.user, now - window_of_starts, now + window_of_starts, claim.most_starts - 1);
    if (!select.next()) return {};
    const auto free_at = select.only<TimePoint>() + window_of_starts;
    return too_many_starts(std::chrono::ceil<std::chrono::seconds>(free_at - now));
}

struct AllowedAttempt {
    KeptRow kept = {};
    TimePoint begun_at = {};
    std::optional<TimePoint> clock = {};  // Its time in test mode.
};

// `makes_session`: the automation had no session when the run was prepared.
Result<AllowedAttempt> may_begin(Connection& connection, const AttemptClaim& claim,
                                 bool makes_session)
{
    connection.lock(Lock::automation_of_row, {claim.row});
    auto kept = find_row(connection, claim.row);
    if (!kept) return not_found("The run of the automation");
    const AutomationRun& row = kept->row;
    if (counts_starts(connection, row.owner, claim))
        connection.lock(Lock::starts, {row.owner.user});
    // Behind the lock: it may be waited for, and the attempt counts from this time on.
    const TimePoint begun_at = claim.clock->now();
    // A run takes no time of a test clock: its time is that from which it was allowed to begin.
    auto clock = test_time(connection, row.owner);
    const TimePoint now = clock.value_or(begun_at);
    if (clock) clock = std::min(*clock, row.not_before.value_or(*clock));
    const bool waits =
        row.status == AutomationRunStatus::queued || row.status == AutomationRunStatus::waiting;
    // A row that waits for no later attempt may begin, though the clock was set back since.
    const bool is_early =
        row.status == AutomationRunStatus::waiting && row.not_before.value_or(TimePoint()) > now;
    if (!waits || is_early || is_held_up(connection, *kept)) return cannot_begin_attempt();
    const auto automation = find_policies(connection, row.automation);
    const auto most = automation ? automation->automation.output_tokens_per_day : std::nullopt;
    if (most &&
        (claim.reserved_tokens == 0 ||
         used_tokens(connection, kept->automation, now, clock) + claim.reserved_tokens > *most))
        return output_tokens_are_used_up();
    const bool has_session = automation && automation->automation.session;
    if (claim.session_goes_on && makes_session && has_session) return cannot_begin_attempt();
    if (auto may = check_starts(connection, row.owner, claim, begun_at); !may) return may.error();
    return AllowedAttempt{std::move(*kept), begun_at, clock};
}

void insert_attempt(Connection& connection, const AllowedAttempt& allowed,
                    const AttemptClaim& claim, const Run& run)
{
    const KeptRow& kept = allowed.kept;
    Query insert = connection.query(
        "INSERT INTO attempts (row, number, automation, run, status, error, started_ms,"
        " reserved_tokens, clock_ms) VALUES (?1, ?2, ?3, ?4, ?5, '', ?6, ?7, ?8)");
    insert.bind(kept.position, std::ssize(kept.row.attempts) + 1, kept.automation, run.id,
                fields::name_of(RunStatus::running), allowed.begun_at, claim.reserved_tokens,
                allowed.clock);
    insert.run();
}

void end_attempt(Connection& connection, const Run& run)
{
    const UsageValues usage(run.usage);
    const std::string error = error_text(run.error);
    Query update = connection.query(
        "UPDATE attempts SET status = ?2, error = ?3, completed_ms = ?4, input_tokens = ?5,"
        " output_tokens = ?6, cached_input_tokens = ?7 WHERE run = ?1");
    update.bind(run.id, fields::name_of(run.status), error, run.completed_at, usage.input,
                usage.output, usage.cached);
    update.run();
}

// The time of an attempt under a test clock.
std::optional<TimePoint> clock_of(Connection& connection, const Run& run)
{
    Query select = connection.query("SELECT clock_ms FROM attempts WHERE run = ?1");
    if (!select.bind(run.id).next()) return std::nullopt;
    return select.only<std::optional<TimePoint>>();
}

void forget_failures(Connection& connection, std::int64_t automation)
{
    Query update = connection.query(
        "UPDATE automations SET failures = 0 WHERE position = ?1 AND failures > 0");
    update.bind(automation).run();
}

// One more row has failed; enough of them pause the automation.
bool count_failure(Connection& connection, std::int64_t automation, TimePoint now)
{
    Query count =
        connection.query("UPDATE automations SET failures = failures + 1 WHERE position = ?1");
    count.bind(automation).run();
    Query pause = connection.query(
        "UPDATE automations SET state = 'paused', pause_reason = 'failures', next_ms = NULL,"
        " updated_ms = ?2 WHERE position = ?1 AND state = 'active'"
        " AND failures >= pause_after_failures");
    return pause.bind(automation, now).run() > 0;
}

}  // namespace

Result<BegunRun> begin_attempt(
    Connection& connection, const NewRun& wanted,
    const std::function<Result<BegunRun>(Connection&, const NewRun&)>& begin)
{
    const AttemptClaim& claim = *wanted.attempt;
    auto allowed = may_begin(connection, claim, wanted.new_session.has_value());
    if (!allowed) return allowed.error();
    auto begun = begin(connection, wanted);
    if (!begun) return begun.error();
    const Run& run = begun->whole.run;
    insert_attempt(connection, *allowed, claim, run);
    const KeptRow* kept = &allowed->kept;
    AutomationRun row = kept->row;
    row.status = AutomationRunStatus::running;
    row.skip_reason.reset();
    row.not_before.reset();
    row.error.reset();
    row.completed_at.reset();
    row.session = run.session;
    row.question = run.question;
    if (!row.started_at) row.started_at = to_the_millisecond(allowed->begun_at);
    update_row(connection, kept->position, row);
    if (claim.session_goes_on) {
        Query update = connection.query(
            "UPDATE automations SET session = ?2 WHERE position = ?1 AND session IS NULL");
        update.bind(kept->automation, run.session).run();
    }
    return begun;
}

Cause SettledRow::cause_of(const Run& run) const
{
    Cause cause = run.cause;
    cause.automation = automation;
    cause.depth = depth;
    return cause;
}

SettledRow settle(Connection& connection, const Run& ended, const FinishedRun& finished)
{
    end_attempt(connection, ended);
    auto kept = find_row(connection, ended.cause.automation_run);
    SettledRow settled;
    if (!kept || kept->row.attempts.empty()) return settled;
    AutomationRun& row = kept->row;
    settled.automation = row.automation;
    settled.depth = row.depth;
    if (row.status != AutomationRunStatus::running) return settled;
    const Attempt& attempt = row.attempts.back();
    RowOutcome outcome = outcome_of(row, attempt, finished.may_retry, clock_of(connection, ended));
    if (finished.failure_of_attempt) outcome = {AutomationRunStatus::failed};
    row.status = outcome.status;
    row.not_before = outcome.not_before;
    if (has_ended(outcome.status)) {
        row.completed_at = attempt.completed_at;
        row.error = finished.failure_of_attempt ? finished.failure_of_attempt : attempt.error;
        settled.events.add(row);
    }
    update_row(connection, kept->position, row);
    if (outcome.status == AutomationRunStatus::completed)
        forget_failures(connection, kept->automation);
    if (outcome.status == AutomationRunStatus::failed)
        note_failure(connection, *kept, *row.completed_at, settled.events);
    return settled;
}

void note_failure(Connection& connection, const KeptRow& failed, TimePoint now, RowEvents& events)
{
    if (count_failure(connection, failed.automation, now))
        events.add(EventType::automation_paused, failed.row.automation);
}

void withdraw_failure(Connection& connection, const KeptRow& failed)
{
    Query update = connection.query(
        "UPDATE automations SET failures = failures - 1 WHERE position = ?1 AND failures > 0");
    update.bind(failed.automation).run();
}

RowEvents leave_session(Connection& connection, const std::string& session, TimePoint now)
{
    std::vector<std::string> unfinished;
    {
        Query select = connection.query(
            "SELECT id FROM automation_runs INDEXED BY rows_of_session WHERE session = ?1"
            " AND status IN ('queued', 'running', 'waiting')");
        unfinished = select.bind(session).texts();
    }
    RowEvents events;
    for (const std::string& id : unfinished) {
        auto kept = find_row(connection, id);
        if (!kept) continue;
        end_row(connection, *kept, AutomationRunStatus::cancelled, now);
        events.add(kept->row);
    }
    Query attempts = connection.query(
        "UPDATE attempts SET status = 'cancelled', completed_ms = ?2 WHERE completed_ms IS NULL"
        " AND row IN (SELECT position FROM automation_runs WHERE session = ?1)");
    attempts.bind(session, now).run();
    Query rows = connection.query(
        "UPDATE automation_runs SET session = NULL, question = NULL WHERE session = ?1");
    rows.bind(session).run();
    Query automations =
        connection.query("UPDATE automations SET session = NULL WHERE session = ?1");
    automations.bind(session).run();
    return events;
}

}  // namespace parley::store::sql
